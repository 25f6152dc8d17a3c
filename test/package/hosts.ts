// A program that uses two services directly and mounts the routes beside its own. Type-checked and run from the
// installed package, it prints what both ways return, and ends.
import { NodeHttpServer } from "@effect/platform-node"
import { Coins, Naira } from "crypto-data-api"
import { Api } from "crypto-data-api/api"
import { layerAccessLocal, layerErrorReporter, layerRoutes, layerServices } from "crypto-data-api/server"
import { Config, Console, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { createServer } from "node:http"

const own = HttpRouter.add("GET", "/own", HttpServerResponse.text("the host's own"))

const server = HttpRouter.serve(Layer.merge(layerRoutes, own), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide([layerServices, layerErrorReporter])
)

const access = Layer.unwrap(
  Effect.map(Config.String("DATA_DIR"), (dataDir) => layerAccessLocal({ dataDir, maxKeys: 1000 }))
)

const endpoints: Array<string> = []
HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => void endpoints.push(endpoint.path) })

const program = Effect.gen(function* () {
  const { list } = yield* Coins
  const { rate } = yield* Naira
  const { address } = yield* HttpServer.HttpServer
  const get = (path: string) =>
    Effect.flatMap(
      HttpClient.get(`http://127.0.0.1:${"port" in address ? address.port : 0}${path}`),
      ({ text }) => text
    )
  const coins = yield* list
  const naira = yield* rate
  yield* Console.log(
    JSON.stringify({
      embedded: { coin: coins.value.coins[0]?.price, mid: naira.value.mid },
      mounted: { coin: yield* get("/v1/coins?limit=1"), mid: yield* get("/v1/naira") },
      own: yield* get("/own"),
      endpoints
    })
  )
})

const host = Layer.mergeAll(Coins.layer, Naira.layer, server).pipe(
  Layer.provide(access),
  Layer.provideMerge(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
)

await Effect.runPromise(program.pipe(Effect.provide(host), Effect.provide(FetchHttpClient.layer)))
