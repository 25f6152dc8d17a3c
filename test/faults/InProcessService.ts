// The contract's endpoints over the sandbox's wire formats without a socket in between: `fetch` is a function here, so that
// thousands of starts and refreshes cost little. Simulated time has to pass for it to do anything.
import { NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Context, Effect, Exit, Layer, Metric, Scope } from "effect"
import { FetchHttpClient, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { KeyValueStore } from "effect/persistence"
import { IsWanted } from "../../src/services/history/Backfill.ts"
import { Api } from "../../src/api/Api.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import { Endpoints } from "../../src/http/InProcess.ts"
import { routerConfig } from "../../src/http/request/Paths.ts"
import { prefixOf, simulatedNames, type UpstreamEnvName, upstreamNames, wires } from "../../src/sandbox/Wires.ts"
import type { WireReply } from "../../src/sandbox/Wire.ts"
import * as World from "../../src/sandbox/World.ts"
import * as Server from "../../src/Server.ts"
import { alone, Replicas, type ReplicasService } from "../../src/sources/dataset/Replicas.ts"
import type * as SimulatedTime from "./SimulatedTime.ts"
import { withoutEvidence } from "../RunningService.ts"

/** No answer; the first byte of one; a 503. */
export const silences = ["hang", "drip", "refuse"] as const

/** A running service. */
export type Service = Effect.Success<ReturnType<typeof make>>

/** What an upstream answers instead of its right body, or one of {@link silences}. */
export type Distortion = (upstream: UpstreamEnvName, body: unknown, request: string) => unknown

/** A request to an upstream, and when it was made, epoch milliseconds. */
export interface Call {
  readonly upstream: UpstreamEnvName
  readonly at: number
}

/** An answer of an endpoint, its body parsed. */
export interface Answered {
  readonly path: string
  readonly status: number
  readonly body: unknown
  readonly text: string
  /** Simulated milliseconds. */
  readonly took: number
}

const HOST = "http://upstream.test"

/** One for all services: what it has computed need not be computed again. */
const world = World.make(1, { isCalm: true })

/** Right answers of a world that stands still, by request: making them costs more than all the rest. */
const standing = new Map<string, WireReply>()

/**
 * A service that can be stopped and started again over what it keeps. With `standsStill` the world is always that of this
 * moment, epoch milliseconds.
 */
export const make = Effect.fnUntraced(function* (
  time: SimulatedTime.SimulatedTime,
  options: {
    readonly config?: Readonly<Record<string, string>>
    readonly standsStill?: number
    /** Where it records what it observes; nothing of the past is asked for. Left out, nothing is recorded. */
    readonly history?: Layer.Layer<never>
    /** What it shares with other replicas. */
    readonly replicas?: ReplicasService
  } = {}
) {
  let distort: Distortion = (_, body) => body
  const calls: Array<Call> = []
  const kept = Context.get(yield* Layer.build(KeyValueStore.layerMemory), KeyValueStore.KeyValueStore)

  const answer = (name: UpstreamEnvName, method: string, url: URL, sent: string): WireReply => {
    const key = `${options.standsStill} ${method} ${url.pathname}${url.search} ${sent}`
    const known = standing.get(key)
    if (known !== undefined) return known
    const reply = wires[name]({
      world,
      at: options.standsStill ?? time.now(),
      method,
      path: url.pathname.slice(prefixOf(name).length + 1),
      query: url.searchParams,
      body: sent === "" ? undefined : (JSON.parse(sent) as unknown),
      ifNoneMatch: undefined,
      isInverted: false
    })
    if (options.standsStill !== undefined) standing.set(key, reply)
    return reply
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const name = simulatedNames.find((one) => prefixOf(one) === url.pathname.split("/")[1])
    if (name === undefined || name === "NEWS") return new Response("", { status: 404 })
    calls.push({ upstream: name, at: time.now() })
    const method = init?.method ?? "GET"
    const sent = method === "POST" ? await new Response(init?.body ?? "").text() : ""
    const reply = answer(name, method, url, sent)
    const body =
      reply.status === 200 ? distort(name, reply.body, `${method} ${url.pathname}${url.search} ${sent}`) : reply.body
    if (body === "refuse") return new Response("", { status: 503 })
    if (body === "drip") return new Response(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array([91])) }))
    if (body === "hang") {
      return new Promise<Response>((_, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")))
      )
    }
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status: reply.status })
  }

  const layer = Layer.suspend(() =>
    Layer.merge(Endpoints.layer, HttpApiBuilder.layer(Api)).pipe(
      Layer.provide([GateMiddleware, Server.layerHandlers]),
      Layer.provide(Gate.layer),
      Layer.provide(HttpRouter.layer),
      Layer.provide(Layer.succeed(HttpRouter.RouterConfig, routerConfig)),
      Layer.provide(Server.layerAccessLocal({ dataDir: "/nonexistent/crypto-data-api", maxKeys: 100 })),
      Layer.provide(Server.layerServices),
      Layer.provide(NodeHttpServer.layerHttpServices),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provide(Layer.succeed(KeyValueStore.KeyValueStore, kept)),
      Layer.provide(
        ConfigProvider.layer(
          ConfigProvider.fromUnknown({
            ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, `${HOST}/${prefixOf(name)}`])),
            COINGECKO_PLAN: "pro",
            COINGECKO_API_KEY: "sandbox",
            ...withoutEvidence,
            ...options.config
          })
        )
      ),
      Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())),
      Layer.provide(Layer.succeed(Replicas, options.replicas ?? alone)),
      Layer.provide(options.history ?? Layer.empty),
      Layer.provide(Layer.succeed(IsWanted, false)),
      Layer.fresh
    )
  )

  const outer = yield* Effect.scope
  let running: Scope.Closeable | undefined
  let endpoints: Endpoints["Service"] | undefined
  const stop = Effect.suspend(() =>
    running === undefined ? Effect.void : time.during(Scope.close(running, Exit.void))
  )
  const start = Effect.gen(function* () {
    yield* stop
    running = yield* Scope.fork(outer)
    const context = yield* Scope.provide(Layer.build(layer), running)
    endpoints = Context.get(context, Endpoints)
  })

  const get = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Answered> {
    const began = time.now()
    const { status, text } = yield* endpoints?.get(path) ?? Effect.die(new Error("not started"))
    const parsed: unknown = text === "" ? null : JSON.parse(text)
    return { path, status, body: parsed, text, took: time.now() - began }
  })

  return {
    world,
    /** The requests that upstreams have got. */
    calls: (): ReadonlyArray<Call> => calls,
    /** From now on. */
    distort: (distortion: Distortion) => void (distort = distortion),
    start,
    /** The next start finds nothing. */
    forget: Effect.orDie(kept.clear),
    ask: (paths: ReadonlyArray<string>) => time.during(Effect.forEach(paths, get, { concurrency: "unbounded" }))
  }
})
