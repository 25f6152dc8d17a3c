// The whole service on a port of its own, over a sandbox world on another: real HTTP between them, the code that serves live.
// Each is built anew, sources and all; two in one program share nothing.
import { NodeHttpServer, NodeServices } from "@effect/platform-node"
import { Clock, Config, ConfigProvider, Context, type Duration, Effect, Layer, Metric, Scope } from "effect"
import { HttpServer } from "effect/http"
import { KeyValueStore } from "effect/persistence"
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
import { IsWanted } from "../src/services/history/Backfill.ts"
import { SourceLabel } from "../src/sources/catalog/SourceRecord.ts"
import * as SimulatedTime from "./faults/SimulatedTime.ts"
import { temporaryFolder } from "./resources.ts"

/** How a service is built. */
export interface ServiceOptions {
  /** Settings, over those that point at the sandbox. */
  readonly config?: Readonly<Record<string, string>>
  /** The world's. Default 1. */
  readonly seed?: number
  /**
   * When it is, in epoch milliseconds: the test runs by a simulated clock from there. Left out, the test's own clock runs, which has
   * to be a real one (`it.live`, or `layer(…, { excludeTestServices: true })`) or a simulated one.
   */
  readonly at?: number
  /** Whether it asks its sources for the past, where it keeps a history. Default: no. */
  readonly hasPast?: boolean
  /** Where its snapshots are kept, and found by the next one: `state` where a live service keeps them. Left out, nothing is kept. */
  readonly kept?: KeyValueStore.KeyValueStore | "state"
}

/** Settings for who looks at no explanations: the sources of evidence are off. */
export const withoutNews = { SOURCES_DISABLED: "NEWS_FEEDS,OKX,KUCOIN,BITGET,BYBIT,DEFILLAMA" }

/** The exchanges that price coins, as settings name them. */
export const exchanges = "KRAKEN,BITSTAMP,BITFINEX,BINANCE,OKX_SPOT,KUCOIN_SPOT,CRYPTO_COM,GATE"

/** The same for who looks at no exchange either: their tickers are asked for every 20 s, so that simulated days take minutes. */
export const withoutEvidence = { SOURCES_DISABLED: `${withoutNews.SOURCES_DISABLED},${exchanges}` }

/** Settings for who looks at no P2P market but the naira: the venues are asked for a third of what they are asked for four markets. */
export const onlyNaira = { P2P_MARKETS: "NGN" }

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
     * Simulated time stands still while the service is busy, and goes on as soon as the request waits for time.
     */
    readonly get: (path: string, init?: Init) => Effect.Effect<Answer>
    /** Writes these bytes to a connection, and reads until the service closes it (`connection: close` makes it). */
    readonly send: (bytes: string | Uint8Array) => Effect.Effect<string>
    /** Runs a program that asks the service at its address, while simulated time goes on for what it asks. */
    readonly serving: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Lets simulated time go on. Everything due happens when it is due. */
    readonly pass: (duration: Duration.Input) => Effect.Effect<void>
    /** Lets simulated time go on until this holds. */
    readonly until: <E, R>(holds: Effect.Effect<boolean, E, R>) => Effect.Effect<void, E, R>
    /** The same until a path answers 200. */
    readonly untilAnswered: (path: string) => Effect.Effect<void>
  }
>()("test/RunningService") {
  static readonly layer = (options: ServiceOptions = {}) => {
    const built = this.layerOver(options).pipe(Layer.provide(RunningService.layerWorld(options.seed)))
    return options.at === undefined ? built : simulated(options.at, built)
  }

  /** The world alone, for services that come and go. */
  static readonly layerWorld = (seed = 1) =>
    Layer.fresh(
      Sandbox.layerWith({ seed }).pipe(
        Layer.provide(NodeHttpServer.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 }))
      )
    )

  /** The service alone, over a world that is there. */
  static readonly layerOver = (options: ServiceOptions = {}) =>
    Layer.effect(RunningService, running).pipe(
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
}

/** What the service at hand does, for tests that need no more of it. */
export const get = (path: string, init?: Init) => RunningService.use((service) => service.get(path, init))
export const send = (bytes: string | Uint8Array) => RunningService.use((service) => service.send(bytes))
export const pass = (duration: Duration.Input) => RunningService.use((service) => service.pass(duration))
export const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  RunningService.use((service) => service.until(holds))
export const untilAnswered = (path: string) => RunningService.use((service) => service.untilAnswered(path))

/** A layer in simulated time, which is also that of the test. */
export const simulated = <A, E>(start: number, layer: Layer.Layer<A, E>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const time = yield* SimulatedTime.make(start)
      const context = yield* Layer.buildWithScope(layer, yield* time.scope).pipe(
        Effect.provideService(Clock.Clock, time.clock)
      )
      return Context.add(context, Clock.Clock, time.clock)
    })
  )

const keeping = (kept: ServiceOptions["kept"]) => {
  if (kept === "state") return layerState
  return kept === undefined ? layerAccess : Layer.merge(layerAccess, Layer.succeed(KeyValueStore.KeyValueStore, kept))
}

/** As the process listens. */
const listening = () =>
  Layer.suspend(() => {
    const server = ProtocolErrors.makeServer()
    return Layer.merge(Listener.layer(server, { host: "127.0.0.1", port: 0 }), ProtocolErrors.layer(server))
  }).pipe(Layer.provide([Gate.layerAlone, Lifecycle.layer]), Layer.merge(NodeHttpServer.layerHttpServices))

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

const running = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : 0
  const time = yield* SimulatedTime.current
  time?.serves(port)
  const serving: RunningService["Service"]["serving"] = (effect) => time?.serving(effect) ?? effect
  const simulatedTime = time === undefined ? Effect.die(new Error("Real time cannot be moved")) : Effect.succeed(time)
  // Connections are kept for further requests, which costs less than a new one for each.
  const agent = new Http.Agent({ keepAlive: true })
  yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
  let clients = 0

  // 198.18.0.0/15 is set aside for measurements.
  const nextClient = () => `198.${18 + ((clients >> 16) & 1)}.${(clients >> 8) & 255}.${clients++ & 255}`

  const get = (path: string, init: Init = {}) =>
    Effect.suspend(() =>
      serving(exchange(agent, port, path, { ...init, headers: { "x-forwarded-for": nextClient(), ...init.headers } }))
    )

  const until = Effect.fnUntraced(function* <E, R>(holds: Effect.Effect<boolean, E, R>) {
    const seconds = yield* (yield* simulatedTime).passUntil(holds, "400 seconds")
    if (seconds === undefined) yield* Effect.die(new Error("It did not come about in 400 seconds of the service."))
  })

  return RunningService.of({
    baseUrl: `http://127.0.0.1:${port}`,
    dataDir: yield* Config.String("DATA_DIR"),
    sandbox: yield* Sandbox,
    get,
    send: (bytes) => serving(over(port, bytes)),
    serving,
    pass: (duration) => Effect.flatMap(simulatedTime, ({ pass }) => pass(duration)),
    until,
    untilAnswered: (path) => until(Effect.map(get(path), ({ status }) => status === 200))
  })
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

/** One request over a connection of the agent's. */
export const exchange = (
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

const over = (port: number, bytes: string | Uint8Array) =>
  Effect.callback<string>((resume) => {
    const chunks: Array<Buffer> = []
    const socket = Net.connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("error", (cause) => resume(Effect.die(cause)))
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    return Effect.sync(() => socket.destroy())
  })

/** A service on {@link friday}, for who looks at no explanations. */
export const onFriday = RunningService.layer({ at: friday, config: withoutEvidence })

/** The same with a record, which asks its sources for the past. */
export const fridayWithPast = RunningService.layer({
  at: friday,
  hasPast: true,
  config: { HISTORY: "on", ...withoutEvidence }
})

/** Other tests' requests are none of a shared service's. */
const alone = Effect.gen(function* () {
  const { sandbox } = yield* RunningService
  yield* pass("45 seconds")
  const time = yield* SimulatedTime.current
  time?.owns(new URL(sandbox.baseUrls.COINGECKO).origin)
})

/** One service for all files of a worker, which lives as long as the worker. It is used from three quarters of a minute on. */
const shared = <E>(layer: Layer.Layer<RunningService, E>) =>
  Layer.effectContext(
    Effect.runSync(
      Effect.cached(
        Effect.flatMap(Scope.make(), (scope) => Layer.buildWithScope(layer, scope)).pipe(
          Effect.tap((service) => Effect.provideContext(alone, service))
        )
      )
    )
  )

/** {@link onFriday} for rules that move no time, set no fault, and count nothing that others ask. */
export const sharedFriday = shared(onFriday)

/** {@link fridayWithPast} for the same. */
export const sharedPast = shared(fridayWithPast)

/** {@link onFriday} with a record that began with it, for the same. */
export const sharedRecord = shared(RunningService.layer({ at: friday, config: { HISTORY: "on", ...withoutEvidence } }))
