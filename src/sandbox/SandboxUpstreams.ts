// Every upstream of the service, simulated, on one port: what stands behind `<NAME>_BASE_URL` is one path prefix each. Time is
// the Clock's, so a TestClock moves the world. `/faults` lets a person at a terminal do what `setFault` does.
import { Clock, Context, Deferred, Effect, Layer, Option, Ref } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { hourMs } from "./Calendar.ts"
import { Fault, respond } from "./Faults.ts"
import { feedNames } from "./News.ts"
import type { ScriptOptions } from "./Script.ts"
import type { Wire } from "./Wire.ts"
import { bitgetAnnouncements } from "./wire/BitgetAnnouncements.ts"
import { bitgetP2p } from "./wire/BitgetP2p.ts"
import { bybitAnnouncements } from "./wire/BybitAnnouncements.ts"
import { bybitP2p } from "./wire/BybitP2p.ts"
import { cbn } from "./wire/Cbn.ts"
import { coingecko } from "./wire/CoinGecko.ts"
import { coinlore } from "./wire/CoinLore.ts"
import { coinpaprika } from "./wire/CoinPaprika.ts"
import { currencyApi } from "./wire/CurrencyApi.ts"
import { defillama } from "./wire/DefiLlama.ts"
import { frankfurter } from "./wire/Frankfurter.ts"
import { gdelt } from "./wire/Gdelt.ts"
import { kucoin } from "./wire/KucoinAnnouncements.ts"
import { news } from "./wire/News.ts"
import { okx } from "./wire/OkxAnnouncements.ts"
import { luno, quidax } from "./wire/OrderBooks.ts"
import type { Truth, World } from "./World.ts"
import * as Worlds from "./World.ts"

/** What stands before `_BASE_URL` in the settings. */
export const upstreamNames = [
  "COINGECKO",
  "COINPAPRIKA",
  "COINLORE",
  "FRANKFURTER",
  "CURRENCY_API",
  "BYBIT_P2P",
  "BITGET_P2P",
  "QUIDAX",
  "LUNO",
  "CBN",
  "OKX",
  "KUCOIN",
  "BITGET",
  "BYBIT",
  "DEFILLAMA",
  "GDELT"
] as const

/** One of {@link upstreamNames}. */
export type UpstreamEnvName = (typeof upstreamNames)[number]

/** Everything that is simulated, and can misbehave: the news feeds have addresses of their own instead of a base URL. */
export const simulatedNames = [...upstreamNames, "NEWS"] as const

/** One of {@link simulatedNames}. */
export type SimulatedName = (typeof simulatedNames)[number]

const wires: PerUpstream<Wire> = {
  COINGECKO: coingecko,
  COINPAPRIKA: coinpaprika,
  COINLORE: coinlore,
  FRANKFURTER: frankfurter,
  CURRENCY_API: currencyApi,
  BYBIT_P2P: bybitP2p,
  BITGET_P2P: bitgetP2p,
  QUIDAX: quidax,
  LUNO: luno,
  CBN: cbn,
  OKX: okx,
  KUCOIN: kucoin,
  BITGET: bitgetAnnouncements,
  BYBIT: bybitAnnouncements,
  DEFILLAMA: defillama,
  GDELT: gdelt,
  NEWS: news
}

/** A value for every upstream. */
export type PerUpstream<A> = Readonly<Record<SimulatedName, A>>

const perUpstream = <A>(value: (name: SimulatedName) => A): PerUpstream<A> => ({
  COINGECKO: value("COINGECKO"),
  COINPAPRIKA: value("COINPAPRIKA"),
  COINLORE: value("COINLORE"),
  FRANKFURTER: value("FRANKFURTER"),
  CURRENCY_API: value("CURRENCY_API"),
  BYBIT_P2P: value("BYBIT_P2P"),
  BITGET_P2P: value("BITGET_P2P"),
  QUIDAX: value("QUIDAX"),
  LUNO: value("LUNO"),
  CBN: value("CBN"),
  OKX: value("OKX"),
  KUCOIN: value("KUCOIN"),
  BITGET: value("BITGET"),
  BYBIT: value("BYBIT"),
  DEFILLAMA: value("DEFILLAMA"),
  GDELT: value("GDELT"),
  NEWS: value("NEWS")
})

/** The first segment of an upstream's paths: `bybit-p2p` for `BYBIT_P2P`. */
export const prefixOf = (name: SimulatedName): string => name.toLowerCase().replaceAll("_", "-")

const named = (text: string | undefined): SimulatedName | undefined =>
  simulatedNames.find((name) => name === text?.toUpperCase().replaceAll("-", "_"))

/** One request an upstream has had; the path is without the prefix, with the query. */
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

const logged = 200

/** How to build a sandbox. */
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

/** The simulated upstreams, running. */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    /** `http://127.0.0.1:PORT/coingecko` and so on: what to put into `<NAME>_BASE_URL`. */
    readonly baseUrls: PerUpstream<string>
    /** The simulated news feeds: what to put into `NEWS_FEEDS`, joined by commas. */
    readonly newsFeeds: ReadonlyArray<string>
    /** Makes an upstream misbehave, or (`null`) behave again. */
    readonly setFault: (upstream: SimulatedName, fault: Fault | null) => Effect.Effect<void>
    /** Which upstreams misbehave, and how. */
    readonly faults: Effect.Effect<PerUpstream<Fault | null>>
    /** How many requests each upstream has had, those that met a fault too. */
    readonly calls: Effect.Effect<PerUpstream<number>>
    /** The last 200 requests of each upstream, oldest first. */
    readonly requests: Effect.Effect<PerUpstream<ReadonlyArray<LoggedRequest>>>
    /** What is the case now. */
    readonly truth: Effect.Effect<Truth>
    /** The world itself, for any other time. */
    readonly world: World
  }
>()("crypto-data-api/sandbox/Sandbox") {
  /** Serves on the `HttpServer` of the context, with a router of its own, until the scope closes. */
  static readonly make = Effect.fnUntraced(function* (options?: SandboxOptions) {
    const server = yield* HttpServer.HttpServer
    const origin = yield* originOf(server.address)
    const world = Worlds.make(options?.seed ?? 1, options?.script)
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
        requests: [...upstream.requests, entry].slice(-logged)
      }))
      const body = request.method === "POST" ? yield* Effect.option(request.json) : Option.none()
      return yield* respond(
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
    })

    const listFaults = Effect.map(
      collect(({ fault }) => fault),
      (faults) =>
        HttpServerResponse.jsonUnsafe(Object.fromEntries(simulatedNames.map((name) => [prefixOf(name), faults[name]])))
    )
    const control = (
      change: (
        name: SimulatedName
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
    ) =>
      Effect.flatMap(HttpRouter.params, ({ upstream }) => {
        const name = named(upstream)
        return name === undefined
          ? Effect.succeed(
              HttpServerResponse.jsonUnsafe(
                { error: `Upstreams: ${simulatedNames.map(prefixOf).join(", ")}` },
                { status: 404 }
              )
            )
          : change(name)
      })

    const router = yield* HttpRouter.make
    for (const name of simulatedNames) {
      yield* router.add("*", `/${prefixOf(name)}/*`, (request) => answer(name, request))
    }
    yield* router.add("GET", "/faults", listFaults)
    yield* router.add(
      "PUT",
      "/faults/:upstream",
      control((name) =>
        HttpServerRequest.schemaBodyJson(Fault).pipe(
          Effect.flatMap((fault) => setFault(name, fault)),
          Effect.as(HttpServerResponse.empty({ status: 204 })),
          Effect.catch((error) =>
            Effect.succeed(HttpServerResponse.jsonUnsafe({ error: String(error) }, { status: 400 }))
          )
        )
      )
    )
    yield* router.add(
      "DELETE",
      "/faults/:upstream",
      control((name) => Effect.as(setFault(name, null), HttpServerResponse.empty({ status: 204 })))
    )
    yield* server.serve(router.asHttpEffect())
    // Runs before the server's own finalizer, which waits for the requests under way.
    yield* Effect.addFinalizer(() => Deferred.succeed(closing, undefined))

    return Sandbox.of({
      baseUrls: perUpstream((name) => `${origin}/${prefixOf(name)}`),
      newsFeeds: feedNames.map((name) => `${origin}/${prefixOf("NEWS")}/${name}.xml`),
      setFault,
      faults: collect(({ fault }) => fault),
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
