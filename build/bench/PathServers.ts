// The two servers of `npm run bench:path` in one process: the service, composed as it is served, over the world of the benchmark,
// and the Fastify peer with the values that the service gave out.
import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, Layer, References } from "effect"
import { HttpServer } from "effect/http"
import { IpNetwork } from "effect/net"
import { Gate } from "../../src/http/gate/Gate.ts"
import * as Listener from "../../src/node/Listener.ts"
import * as ProtocolErrors from "../../src/node/ProtocolErrors.ts"
import { TrustedProxies } from "../../src/http/gate/Identity.ts"
import * as Server from "../../src/Server.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { PRICE } from "./Cases.ts"
import * as MarketReading from "./MarketReading.ts"
import { givenBy, TRUSTED_PROXIES } from "./peers/Contract.ts"
import * as FastifyPeer from "./peers/FastifyPeer.ts"
import { ask } from "./Processes.ts"
import { type Keys, makeKeyFiles } from "./Servers.ts"
import * as World from "./World.ts"

/** Coins of which the peer knows every price: none but these are asked for. */
const PRICED = 3

/** Coins that are asked for at once. */
const MANY = 50

const service = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>, dataDir: string) {
  const server = ProtocolErrors.makeServer()
  const http = Listener.layer(server, { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(Gate.layer),
    Layer.merge(NodeHttpServer.layerHttpServices)
  )
  const built = yield* Layer.build(
    Layer.merge(Server.layer, ProtocolErrors.layer(server)).pipe(
      Layer.provideMerge(http),
      Layer.provide(Lifecycle.layer),
      Layer.provide(Server.layerAccessLocal({ dataDir, maxKeys: 100_000 })),
      Layer.provide(Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe(TRUSTED_PROXIES)])),
      Layer.provide(NodeServices.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error"))
    )
  )
  const { address } = Context.get(built, HttpServer.HttpServer)
  return { server, port: "port" in address ? address.port : 0 }
})

const ready = (port: number): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (let n = 0; n < 300; n++) {
      if ((await ask(port, "/readyz")).status === 200) return
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error("the service did not get ready within 15 s")
  })

/** Both, and callers to ask them as. */
export const make = Effect.fnUntraced(function* (dataDir: string) {
  const keys: Keys = yield* makeKeyFiles(dataDir)
  const ours = yield* service(yield* World.settings, dataDir)
  yield* ready(ours.port)
  const market = yield* MarketReading.read(ours.port, keys.business.slice(-100), PRICED)
  const plans = keys.business.map((key) => [key, "business" as const])
  const app = yield* Effect.acquireRelease(
    Effect.promise(() => FastifyPeer.make(givenBy({ market, keys: Object.fromEntries(plans) }))),
    (peer) => Effect.promise(() => peer.close())
  )
  const headers = { "x-api-key": keys.business[0] ?? "" }
  const tags = yield* Effect.promise(async () => ({
    service: (await ask(ours.port, PRICE, { headers })).headers.etag ?? "",
    fastify: (await app.inject({ url: PRICE, headers, remoteAddress: "127.0.0.1" })).headers.etag ?? ""
  }))
  const list = yield* Effect.promise(() => ask(ours.port, `/v1/coins?limit=${MANY}`, { headers }))
  const { data }: { data: { coins: ReadonlyArray<{ id: string }> } } = JSON.parse(list.body.toString())
  return {
    ids: data.coins.map(({ id }) => id),
    servers: { service: ours.server, fastify: app.server },
    keys: keys.business,
    tags
  }
})
