// What the gate costs: the service's own endpoint with it and without, on the memory store, by CPU time per request (the least
// noisy figure there is). Over sockets, with the load from another process; and without, from Node's request to the last byte
// of its response, which varies less. Rounds alternate, and medians are compared. Run it as it is: `node test/bench/gate.ts`;
// it prints JSON.
import { NodeHttpServer, NodeRuntime, NodeServices } from "@effect/platform-node"
import { ConfigProvider, Console, DateTime, Effect, Layer, References } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync } from "node:fs"
import * as Http from "node:http"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Process from "node:process"
import * as ApiKey from "../../src/access/ApiKey.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore } from "../../src/access/ApiKeyStore.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { Api } from "../../src/api/Api.ts"
import { TrustedProxies } from "../../src/http/gate/Identity.ts"
import * as Paths from "../../src/http/Paths.ts"
import * as Server from "../../src/Server.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { IpNetwork } from "effect/net"

const PATH = "/v1/price/bitcoin/usd"
const ROUNDS = 15
const REQUESTS = 4000
const CONNECTIONS = 32
const KEYS = 200

interface Round {
  readonly port: number
  readonly requests: number
  readonly headers: ReadonlyArray<Record<string, string>>
}

// The load comes from a process of its own.
const load = () =>
  Process.on("message", async ({ headers, port, requests }: Round) => {
    const agent = new Http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    let sent = 0
    let wrong = 0
    const one = (n: number) =>
      new Promise<void>((done) => {
        const options = { agent, port, host: "127.0.0.1", path: PATH, headers: headers[n % headers.length] ?? {} }
        Http.get(options, (response) => {
          if (response.statusCode !== 200) wrong++
          response.resume().on("end", done)
        })
      })
    const connection = async () => {
      while (sent < requests) await one(sent++)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    agent.destroy()
    Process.send?.(wrong)
  })

/** Takes what is written to it, and forgets it. */
class Nowhere extends Net.Socket {
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void) {
    done()
  }
  override _writev(_chunks: unknown, done: () => void) {
    done()
  }
}

type Handler = (request: Http.IncomingMessage, response: Http.ServerResponse) => void

/** One request as Node makes it of what it reads, handled to the end. */
const handled = (handler: Handler, socket: Net.Socket, headers: Record<string, string>) =>
  new Promise<void>((done, failed) => {
    const request = new Http.IncomingMessage(socket)
    Object.assign(request, { method: "GET", url: PATH, httpVersionMajor: 1, httpVersionMinor: 1, complete: true })
    request.headers = { host: "localhost", "user-agent": "bench", accept: "*/*", ...headers }
    const response = new Http.ServerResponse(request)
    response.assignSocket(socket)
    response.on("finish", () => {
      response.detachSocket(socket)
      if (response.statusCode === 200) done()
      else failed(new Error(`status ${response.statusCode}`))
    })
    handler(request, response)
  })

const listening = () => NodeHttpServer.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 })

const settings = Layer.unwrap(
  Effect.map(Sandbox, ({ baseUrls }) =>
    ConfigProvider.layer(
      ConfigProvider.fromUnknown({
        ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
        COINGECKO_PLAN: "pro",
        COINGECKO_API_KEY: "sandbox"
      })
    )
  )
)

/** The rate limiter with a limit that no round reaches. */
const endless = Layer.effect(
  RateLimiter,
  Effect.map(RateLimiter, (inner) =>
    RateLimiter.of({ ...inner, consume: (key, plan) => inner.consume(key, { ...plan, limit: 1_000_000_000 }) })
  )
).pipe(Layer.provide(RateLimiter.layer))

const bareRoutes = HttpApiBuilder.layer(Api).pipe(Layer.provide(Server.layerHandlers))

const serve = <E, R>(routes: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(routes, { routerConfig: Paths.routerConfig, disableLogger: true, disableListenLog: true })

const portOf = Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))

const handlerOf = <E>(routes: Layer.Layer<never, E, HttpRouter.HttpRouter | Server.Platform | ApiKeyStore>) =>
  Effect.gen(function* () {
    const app = yield* HttpRouter.toHttpEffect(routes)
    return yield* NodeHttpServer.makeHandler(app, { scope: yield* Effect.scope })
  })

const direct = (handler: Handler, headers: ReadonlyArray<Record<string, string>>) =>
  Effect.promise(async () => {
    const socket = Object.defineProperty(new Nowhere(), "remoteAddress", { value: "127.0.0.1" })
    const before = Process.cpuUsage()
    for (let n = 0; n < REQUESTS; n++) await handled(handler, socket, headers[n % headers.length] ?? {})
    const { system, user } = Process.cpuUsage(before)
    return (user + system) / REQUESTS
  })

const cost = (child: ChildProcess, round: Round) =>
  Effect.callback<number>((resume) => {
    const before = Process.cpuUsage()
    child.once("message", (wrong) => {
      const { system, user } = Process.cpuUsage(before)
      if (wrong !== 0) return resume(Effect.die(new Error(`${String(wrong)} requests were not answered with 200`)))
      resume(Effect.succeed((user + system) / round.requests))
    })
    child.send(round)
  })

const median = (numbers: ReadonlyArray<number>) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const bench = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const keys = Array.from({ length: KEYS }, (_, n) =>
    ApiKey.fromRandom(Array.from({ length: 32 }, (__, i) => (n >> i) & 1))
  )
  const created = yield* DateTime.now
  for (const key of keys) {
    yield* store.put({
      hash: ApiKey.hashOf(key),
      plan: "business",
      label: "bench",
      created,
      expires: null,
      revoked: null
    })
  }
  const access = Layer.mergeAll(
    ApiKeys.layerNoDeps,
    endless,
    Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe("127.0.0.0/8")])
  )
  const services = yield* Layer.build(Server.layerServices.pipe(Layer.provide(settings)))
  const portFor = <E>(routes: Layer.Layer<never, E, Server.Platform | ApiKeyStore>) =>
    Layer.build(routes.pipe(Layer.provideMerge(listening()))).pipe(
      Effect.flatMap((built) => Effect.provide(portOf, built))
    )
  const provided = Layer.merge(access, Layer.succeedContext(services))
  const gatedRoutes = Server.layerRoutes.pipe(Layer.provide(provided))
  const bareOnly = bareRoutes.pipe(Layer.provide(provided))
  const ports = { bare: yield* portFor(serve(bareOnly)), gated: yield* portFor(serve(gatedRoutes)) }
  const handlers = { bare: yield* handlerOf(bareOnly), gated: yield* handlerOf(gatedRoutes) }

  const forwarded = Array.from({ length: 1000 }, (_, n) => ({ "x-forwarded-for": `198.18.${n >> 8}.${n & 255}` }))
  const variants = [
    { name: "bare", which: "bare", headers: [{}] },
    { name: "by address", which: "gated", headers: [{}] },
    { name: "by address, forwarded", which: "gated", headers: forwarded },
    { name: "by key", which: "gated", headers: keys.map((key) => ({ "x-api-key": key })) }
  ] as const

  const compare = Effect.fnUntraced(function* (
    rounds: number,
    costOf: (variant: (typeof variants)[number]) => Effect.Effect<number>
  ) {
    const costs = new Map<string, Array<number>>(variants.map(({ name }) => [name, []]))
    for (let round = -3; round < rounds; round++) {
      for (const variant of variants) {
        const micros = yield* costOf(variant)
        if (round >= 0) costs.get(variant.name)?.push(micros)
      }
    }
    const base = median(costs.get("bare") ?? [])
    return [...costs].map(([name, each]) => ({
      name,
      microseconds: Number(median(each).toFixed(1)),
      "over bare, %": Number(((median(each) / base - 1) * 100).toFixed(1))
    }))
  })

  const withoutSockets = yield* compare(ROUNDS * 2, ({ headers, which }) => direct(handlers[which], headers))
  const child = fork(import.meta.filename, ["load"])
  const overSockets = yield* compare(ROUNDS, ({ headers, which }) =>
    cost(child, { port: ports[which], headers, requests: REQUESTS })
  )
  child.kill()
  yield* Console.log(JSON.stringify({ path: PATH, requests: REQUESTS, withoutSockets, overSockets }, null, 2))
})

if (Process.argv[2] === "load") load()
else {
  const data = mkdtempSync(join(tmpdir(), "crypto-data-api-"))
  bench.pipe(
    Effect.provide(ApiKeyFiles.layer(join(data, "keys"))),
    Effect.provide(listening()),
    Effect.provide(Sandbox.layerWith({ seed: 1 }).pipe(Layer.provide(listening()))),
    Effect.provide(NodeServices.layer),
    Effect.provide(Layer.succeed(References.MinimumLogLevel, "Warn")),
    Effect.scoped,
    NodeRuntime.runMain
  )
}
