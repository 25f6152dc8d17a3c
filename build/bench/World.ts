// What the service asks while it is measured: the sandbox's upstreams at a moment that does not pass, so that the service
// refreshes as it always does and every body stays what it was, and a CoinGecko of 1,000 coins.
import { NodeHttpServer } from "@effect/platform-node"
import { Clock, Context, Effect, Layer } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import type { CoinState } from "../../src/sandbox/CoinMarket.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { coingecko } from "../../src/sandbox/wire/CoinGecko.ts"
import * as World from "../../src/sandbox/World.ts"

const COINS = 1000

/** The sandbox knows fewer coins than that: the rest are copies of them, each smaller than what it was copied from. */
const copyOf = (state: CoinState, n: number): CoinState => ({
  ...state,
  coin: {
    ...state.coin,
    id: `${state.coin.id}-copy-${n}`,
    symbol: `${state.coin.symbol}${n}`,
    name: `${state.coin.name} ${n}`,
    circulatingSupply: state.coin.circulatingSupply / 10 ** n,
    peg: null
  },
  marketCap: state.marketCap / 10 ** n,
  volume: state.volume / 10 ** n
})

const thousand = (world: World.World): World.World => ({
  ...world,
  market: {
    coins: (at) =>
      [0, 1, 2]
        .flatMap((n) => world.market.coins(at).map((state) => (n === 0 ? state : copyOf(state, n))))
        .sort((a, b) => b.marketCap - a.marketCap)
        .slice(0, COINS),
    price: (id, at) => world.market.price(id.replace(/-copy-\d$/, ""), at)
  }
})

/** CoinGecko on a port of its own. Time stands still, so each reply is made once. */
const coinGecko = (at: number) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Http.Server>((started) => {
          const world = thousand(World.make(1))
          const replies = new Map<string, string>()
          const reply = (address: string): string => {
            const { pathname, searchParams } = new URL(address, "http://localhost")
            const request = { world, at, method: "GET", path: pathname, query: searchParams }
            return JSON.stringify(coingecko({ ...request, body: null, ifNoneMatch: undefined, isInverted: false }).body)
          }
          const server = Http.createServer(({ url = "/" }, response) => {
            const text = replies.get(url) ?? reply(url)
            replies.set(url, text)
            response.writeHead(200, { "content-type": "application/json" }).end(text)
          })
          server.listen(0, "127.0.0.1", () => started(server))
        })
    ),
    (server) => Effect.sync(() => void server.close().closeAllConnections())
  )

const portOf = (server: Http.Server): number => {
  const address: AddressInfo | string | null = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

const sandboxAt = (at: number) =>
  Layer.fresh(
    Sandbox.layer.pipe(
      Layer.provide(NodeHttpServer.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 })),
      Layer.provide(
        Layer.effect(
          Clock.Clock,
          Effect.map(Clock.Clock, (clock) =>
            Object.assign(Object.create(clock), {
              currentTimeMillisUnsafe: () => at,
              currentTimeMillis: Effect.succeed(at)
            })
          )
        )
      )
    )
  )

/** Starts it, at the present; the settings that point the service at it. */
export const settings = Effect.gen(function* () {
  const at = yield* Clock.currentTimeMillis
  const { baseUrls, newsFeeds } = Context.get(yield* Layer.build(sandboxAt(at)), Sandbox)
  const gecko = yield* coinGecko(at)
  return {
    ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
    COINGECKO_BASE_URL: `http://127.0.0.1:${portOf(gecko)}`,
    NEWS_FEEDS: newsFeeds.join(","),
    COINGECKO_PLAN: "pro",
    COINGECKO_API_KEY: "sandbox",
    // Time passes for the service: what was observed when the world stopped has to last for the session.
    MAX_AGE_COINS: "6 hours",
    MAX_AGE_NAIRA: "6 hours",
    MAX_AGE_GLOBAL: "6 hours"
  }
})
