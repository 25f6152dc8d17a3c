// All upstreams of the service, simulated on one port, each under a path prefix that `<NAME>_BASE_URL` points at. Time is the
// Clock's, so a TestClock moves the world.
import { Clock, Context, Deferred, Effect, Layer, Option, Ref } from "effect"
import { HttpRouter, HttpServer, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { hourMs } from "./Calendar.ts"
import { type Fault, respond } from "./Faults.ts"
import { feedNames } from "./News.ts"
import type { ScriptOptions } from "./Script.ts"
import { type PerUpstream, perUpstream, prefixOf, type SimulatedName, simulatedNames, wires } from "./Wires.ts"
import type { Truth, World } from "./World.ts"
import * as Worlds from "./World.ts"

/** A request to an upstream. `path`: without the prefix, with the query. */
export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly at: number
}

interface Upstream {
  readonly fault: Fault | null
  readonly calls: number
  readonly requests: ReadonlyArray<LoggedRequest>
}

export interface SandboxOptions {
  /** The same seed and time give the same bytes. Default 1. */
  readonly seed?: number
  /** What happens in the world besides noise, and when; see {@link ScriptOptions}. */
  readonly script?: ScriptOptions
}

const originOf = Effect.fnUntraced(function* (address: NetAddress.SocketAddress) {
  if (NetAddress.isUnixPathAddress(address)) return yield* Effect.die(new Error("The sandbox needs a TCP port"))
  const url = yield* Effect.orDie(Effect.fromResult(NetAddress.toUrl(address)))
  if (NetAddress.isUnspecified(address.address)) url.hostname = NetAddress.formatIp(NetAddress.ipv4Loopback)
  return url.origin
})

export class Sandbox extends Context.Service<
  Sandbox,
  {
    /** `http://127.0.0.1:PORT/coingecko` and so on: what to put into `<NAME>_BASE_URL`. */
    readonly baseUrls: PerUpstream<string>
    /** The simulated news feeds: what to put into `NEWS_FEEDS`, joined by commas. */
    readonly newsFeeds: ReadonlyArray<string>
    /** Makes an upstream misbehave, or (`null`) behave again. */
    readonly setFault: (upstream: SimulatedName, fault: Fault | null) => Effect.Effect<void>
    /** How many requests each upstream has had, including those that met a fault. */
    readonly calls: Effect.Effect<PerUpstream<number>>
    /** The last 200 requests of each upstream, oldest first. */
    readonly requests: Effect.Effect<PerUpstream<ReadonlyArray<LoggedRequest>>>
    readonly truth: Effect.Effect<Truth>
    /** The world itself, for any other time. */
    readonly world: World
  }
>()("crypto-data-api/sandbox/Sandbox") {
  /** Serves on the `HttpServer` of the context, with a router of its own, until the scope closes. */
  static readonly make = Effect.fnUntraced(function* (options?: SandboxOptions) {
    const server = yield* HttpServer.HttpServer
    const origin = yield* originOf(server.address)
    const world = Worlds.of(options?.seed ?? 1, options?.script)
    const closing = yield* Deferred.make<void>()
    const upstreams = perUpstream(() => Ref.makeUnsafe<Upstream>({ fault: null, calls: 0, requests: [] }))
    const collect = <A>(read: (upstream: Upstream) => A): Effect.Effect<PerUpstream<A>> =>
      Effect.sync(() => perUpstream((name) => read(Ref.getUnsafe(upstreams[name]))))
    const setFault = (name: SimulatedName, fault: Fault | null): Effect.Effect<void> =>
      Ref.update(upstreams[name], (upstream) => ({ ...upstream, fault }))

    const answer = Effect.fnUntraced(function* (name: SimulatedName, request: HttpServerRequest.HttpServerRequest) {
      const url = new URL(request.url, origin)
      const path = url.pathname.slice(prefixOf(name).length + 1)
      const at = yield* Clock.currentTimeMillis
      const entry: LoggedRequest = { method: request.method, path: path + url.search, at }
      const { fault } = yield* Ref.updateAndGet(upstreams[name], (upstream) => ({
        ...upstream,
        calls: upstream.calls + 1,
        requests: [...upstream.requests, entry].slice(-200)
      }))
      const body = request.method === "POST" ? yield* Effect.option(request.json) : Option.none()
      const response = yield* respond(
        fault,
        ({ hoursAgo, isInverted }) =>
          Effect.map(Clock.currentTimeMillis, (now) =>
            wires[name]({
              world,
              at: now - hoursAgo * hourMs,
              method: request.method,
              path,
              query: url.searchParams,
              body: Option.getOrUndefined(body),
              ifNoneMatch: request.headers["if-none-match"],
              isInverted
            })
          ),
        closing
      )
      // The listener would add the time of the machine.
      const sentAt = yield* Clock.currentTimeMillis
      return HttpServerResponse.setHeaders(response, { date: new Date(sentAt).toUTCString(), ...response.headers })
    })

    const router = yield* HttpRouter.make
    for (const name of simulatedNames) {
      yield* router.add("*", `/${prefixOf(name)}/*`, (request) => answer(name, request))
    }
    yield* server.serve(router.asHttpEffect())
    // Runs before the server's own finalizer, which waits for the requests under way.
    yield* Effect.addFinalizer(() => Deferred.succeed(closing, undefined))

    return Sandbox.of({
      baseUrls: perUpstream((name) => `${origin}/${prefixOf(name)}`),
      newsFeeds: feedNames.map((name) => `${origin}/${prefixOf("NEWS")}/${name}.xml`),
      setFault,
      calls: collect(({ calls }) => calls),
      requests: collect(({ requests }) => requests),
      truth: Effect.map(Clock.currentTimeMillis, world.truth),
      world
    })
  })

  /**
   * The sandbox of seed 1 on the `HttpServer` provided. Layers are shared by reference: for a second sandbox on another
   * server in the same program take `Layer.fresh(Sandbox.layer)` or {@link Sandbox.layerWith}.
   */
  static readonly layer: Layer.Layer<Sandbox, never, HttpServer.HttpServer> = Layer.effect(Sandbox, Sandbox.make())

  /** A new sandbox, not shared with any other, at each call. */
  static readonly layerWith = (options: SandboxOptions): Layer.Layer<Sandbox, never, HttpServer.HttpServer> =>
    Layer.effect(Sandbox, Sandbox.make(options))
}
