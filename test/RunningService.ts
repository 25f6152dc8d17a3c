// The whole service on a port of its own, over a sandbox world on another: real HTTP between them, the code that serves live.
// Each is built anew, sources and all; two in one program share nothing.
import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { Clock, Config, ConfigProvider, Context, Duration, Effect, Fiber, Layer, Metric } from "effect"
import { HttpServer } from "effect/http"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as Http from "node:http"
import * as Net from "node:net"
import { Gate } from "../src/http/gate/Gate.ts"
import * as Listener from "../src/node/Listener.ts"
import * as ProtocolErrors from "../src/node/ProtocolErrors.ts"
import { layerAccess, layerState } from "../src/node/StateLayers.ts"
import * as Server from "../src/Server.ts"
import { Sandbox } from "../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../src/sandbox/Wires.ts"
import { Lifecycle } from "../src/services/Lifecycle.ts"
import { IsWanted } from "../src/history/service/Backfill.ts"
import { SourceLabel } from "../src/sources/catalog/SourceRecord.ts"
import { temporaryFolder } from "./resources.ts"

/** How a service is built. */
export interface ServiceOptions {
  /** Settings, over those that point at the sandbox. */
  readonly config?: Readonly<Record<string, string>>
  /** The world's. Default 1. */
  readonly seed?: number
  /**
   * When it is, in epoch milliseconds, by the TestClock. Left out, the clock runs: then the test has to be `it.live`, or in
   * `layer(…, { excludeTestServices: true })`.
   */
  readonly at?: number
  /** Whether it asks its sources for the past, where it keeps a history. Default: no. */
  readonly hasPast?: boolean
  /** Where its snapshots are kept, and found by the next one: `state` where a live service keeps them. Left out, nothing is kept. */
  readonly kept?: KeyValueStore.KeyValueStore | "state"
}

/** Settings for who does not look at what explains movers. */
export const withoutEvidence = { SOURCES_DISABLED: "NEWS_FEEDS,OKX,KUCOIN,BITGET,BYBIT,DEFILLAMA,GDELT" }

/** A request. `host`, a client address of its own and `connection: close` are added unless given. */
export interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back, nothing decoded or followed. */
export interface Answer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** A Friday at noon, UTC: banks are open, everything of the day before is published. */
export const friday = Date.UTC(2026, 10, 20, 12, 0, 30)

/** A running service and the world behind it. */
export class RunningService extends Context.Service<
  RunningService,
  {
    /** `http://127.0.0.1:PORT`. */
    readonly baseUrl: string
    /** Its data folder. */
    readonly dataDir: string
    readonly sandbox: Sandbox["Service"]
    /**
     * Asks for a path, as it is written. Each request comes from an address of its own (`X-Forwarded-For` from a trusted
     * proxy), so that no limit per client is ever met by chance; give the header to be somebody in particular.
     *
     * Under the TestClock time stands still while the service is busy, and goes on as soon as it waits for time.
     */
    readonly get: (path: string, init?: Init) => Effect.Effect<Answer>
    /** Writes these bytes to a connection, and reads until the service closes it (`connection: close` makes it). */
    readonly send: (bytes: string | Uint8Array) => Effect.Effect<string>
    /** Lets the TestClock run on, slowly enough for refreshes over real sockets to happen when they are due. */
    readonly pass: (duration: Duration.Input) => Effect.Effect<void>
    /** Lets the TestClock run on until this holds. The record's thread follows real time, which passes as well. */
    readonly until: <E, R>(holds: Effect.Effect<boolean, E, R>) => Effect.Effect<void, E, R>
    /** The same until a path answers 200. */
    readonly untilAnswered: (path: string) => Effect.Effect<void>
  }
>()("test/RunningService") {
  static readonly layer = (options: ServiceOptions = {}) =>
    this.layerOver(options).pipe(Layer.provide(RunningService.layerWorld(options.seed)))

  /** The world alone, for services that come and go. */
  static readonly layerWorld = (seed = 1) =>
    Layer.fresh(
      Sandbox.layerWith({ seed }).pipe(
        Layer.provide(NodeHttpServer.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 }))
      )
    )

  /** The service alone, over a world that is there. */
  static readonly layerOver = (options: ServiceOptions = {}) => {
    const built = Layer.effect(RunningService, running(options)).pipe(
      Layer.merge(Server.layer),
      Layer.provide(listening()),
      Layer.provide(keeping(options.kept)),
      Layer.provide(NodeServices.layer),
      Layer.provide(Layer.succeed(IsWanted, options.hasPast ?? false)),
      Layer.provide(Layer.succeed(SourceLabel, (name: string) => `${name} (sandbox)`)),
      Layer.provide(settings(options.config ?? {})),
      Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())),
      // Sources are constants, and layers are shared by reference: without this, two services would share their sources.
      Layer.fresh
    )
    return options.at === undefined ? built : Layer.unwrap(Effect.as(TestClock.setTime(options.at), built))
  }
}

const keeping = (kept: ServiceOptions["kept"]) => {
  if (kept === "state") return layerState
  return kept === undefined ? layerAccess : Layer.merge(layerAccess, Layer.succeed(KeyValueStore.KeyValueStore, kept))
}

/** As the process listens. */
const listening = () =>
  Layer.suspend(() => {
    const server = ProtocolErrors.makeServer()
    return Layer.merge(Listener.layer(server, { host: "127.0.0.1", port: 0 }), ProtocolErrors.layer(server))
  }).pipe(Layer.provide([Gate.layer, Lifecycle.layer]), Layer.merge(NodeHttpServer.layerHttpServices))

/** The settings of the `sandbox` command, a place of its own for data, and trust in whom the tests say they are. */
export const settings = (config: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { baseUrls, newsFeeds } = yield* Sandbox
      return ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
          NEWS_FEEDS: newsFeeds.join(","),
          // Its thread is not in the time of a test. Tests of the history switch it on.
          HISTORY: "off",
          COINGECKO_PLAN: "pro",
          COINGECKO_API_KEY: "sandbox",
          DATA_DIR: yield* temporaryFolder,
          TRUSTED_PROXIES: "127.0.0.0/8",
          ...config
        })
      )
    })
  )

const running = Effect.fnUntraced(function* (options: ServiceOptions) {
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : 0
  const isTested = options.at !== undefined
  // Connections are kept for further requests, which costs less than a new one for each.
  const agent = new Http.Agent({ keepAlive: true })
  yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
  let clients = 0

  // 198.18.0.0/15 is set aside for measurements.
  const nextClient = () => `198.${18 + ((clients >> 16) & 1)}.${(clients >> 8) & 255}.${clients++ & 255}`

  const get = (path: string, init: Init = {}) =>
    Effect.suspend(() => {
      const asked = exchange(agent, port, path, {
        ...init,
        headers: { "x-forwarded-for": nextClient(), ...init.headers }
      })
      return isTested ? lettingTimePass(asked) : asked
    })

  const send = (bytes: string | Uint8Array) => (isTested ? lettingTimePass(over(port, bytes)) : over(port, bytes))

  const pass = Effect.fnUntraced(function* (duration: Duration.Input) {
    for (let left = Duration.toMillis(duration); left > 0; left -= STEP) {
      yield* TestClock.adjust(Math.min(left, STEP))
      yield* TestClock.withLive(Effect.sleep(1))
    }
  })

  const until = Effect.fnUntraced(function* <E, R>(holds: Effect.Effect<boolean, E, R>) {
    for (let tries = 0; tries < 400; tries++) {
      if (yield* holds) return
      yield* pass("1 second")
      yield* TestClock.withLive(Effect.sleep("20 millis"))
    }
    return yield* Effect.die(new Error("It did not come about in 400 seconds of the service."))
  })

  return RunningService.of({
    baseUrl: `http://127.0.0.1:${port}`,
    dataDir: yield* Config.String("DATA_DIR"),
    sandbox: yield* Sandbox,
    get,
    send,
    pass,
    until,
    untilAnswered: (path) => until(Effect.map(get(path), ({ status }) => status === 200))
  })
})

/** How far the TestClock goes at a time, in milliseconds: well below every time-out, so that none is met by chance. */
const STEP = 250

/** So long, in milliseconds, the service is taken to be busy while time stands still; after that, to wait for time. */
const BUSY = 80

/** Runs an effect while the TestClock goes on whenever the service waits for time. */
export const lettingTimePass = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    yield* TestClock.withLive(Effect.timeoutOption(Fiber.await(fiber), BUSY))
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust(10)
      yield* TestClock.withLive(Effect.sleep(2))
    }
    return yield* Fiber.join(fiber)
  })

/** Asks again until the clock stood still meanwhile: `max-age` counts seconds. */
export const atOneTime = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const answers = yield* asking
    return { answers, stoodStill: (yield* Clock.currentTimeMillis) === before }
  }).pipe(
    Effect.repeat({ until: ({ stoodStill }) => stoodStill, times: 50 }),
    Effect.map(({ answers }) => answers)
  )

const exchange = (
  agent: Http.Agent,
  port: number,
  path: string,
  { body, headers, method = "GET" }: Init
): Effect.Effect<Answer> =>
  Effect.callback((resume) => {
    const options = { host: "127.0.0.1", port, path, method, headers, agent }
    const request = Http.request(options, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", (cause) => resume(Effect.die(cause)))
      response.on("end", () => {
        const bytes = Buffer.concat(chunks)
        const status = response.statusCode ?? 0
        resume(Effect.succeed({ status, headers: response.headers, bytes, text: bytes.toString() }))
      })
    })
    request.on("error", (cause) => resume(Effect.die(cause)))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

const over = (port: number, bytes: string | Uint8Array): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const socket = Net.connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("error", (cause) => resume(Effect.die(cause)))
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    return Effect.sync(() => socket.destroy())
  })
