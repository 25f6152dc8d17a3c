// What a request of a program made for CoinGecko costs as a share of the request for the same figures under `/v1`, taken from
// the cache and computed anew.
import { Effect } from "effect"
import type { Server } from "node:http"
import { COINGECKO_BASE } from "../../src/api/coingecko/CoinGeckoDialect.ts"
import { coinOfVs, steadyCurrencies } from "../../src/domain/VsCurrency.ts"
import { type Asked, cost } from "./Direct.ts"
import { spread } from "./Report.ts"

/** The most that it may cost, as a share. What is kept costs little but the reading of the path and its parameters, of which
 * CoinGecko's have more. */
const MOST = { cached: 1.4, computed: 1.2 } as const

/** Rounds, after as many that are not counted. */
const ROUNDS = 24

/** What is asked of both: a path under CoinGecko's base, and those under `/v1` that have the same figures together. */
interface Pair {
  readonly name: string
  readonly compat: () => string
  readonly own: ReadonlyArray<() => string>
  readonly kind: keyof typeof MOST
  readonly times: number
}

/**
 * Ids for a query, in another order each time: as the answer's rows are in that order, it is computed, and not taken from the
 * cache.
 */
export const reordering = (ids: ReadonlyArray<string>): (() => string) => {
  let count = 0
  return () => {
    const order = ids.map(encodeURIComponent)
    // Each digit of the count, in a system of as many digits as there are ids, says which id comes to the front.
    for (let n = count++; n > 0; n = Math.floor(n / ids.length)) order.unshift(...order.splice(n % ids.length, 1))
    return order.join(",")
  }
}

const pairs = (ids: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const always = (path: string) => () => path
  const many = ids.map(encodeURIComponent).join(",")
  const currencies = steadyCurrencies.filter((vs) => vs !== "usd").map((vs) => coinOfVs(vs) ?? vs)
  const dollars = currencies.map((to) => always(`/v1/convert?from=usd&to=${to}`))
  /** Both in the same order. */
  const anew = (compat: (ids: string) => string, own: (ids: string) => string): Omit<Pair, "name"> => {
    const forCompat = reordering(ids)
    const forOwn = reordering(ids)
    return { compat: () => compat(forCompat()), own: [() => own(forOwn())], kind: "computed", times: 60 }
  }
  const prices = (of: string) => `/simple/price?ids=${of}&vs_currencies=usd,ngn&include_24hr_change=true`
  const ownPrices = (of: string) => `/v1/prices?ids=${of}&fiats=usd,ngn`
  return [
    {
      name: "a price, cached",
      compat: always("/simple/price?ids=bitcoin&vs_currencies=usd"),
      own: [always("/v1/prices?ids=bitcoin&fiats=usd")],
      kind: "cached",
      times: 1000
    },
    {
      name: `${ids.length} coins x 2, cached`,
      compat: always(prices(many)),
      own: [always(ownPrices(many))],
      kind: "cached",
      times: 1000
    },
    { name: `${ids.length} coins x 2, computed`, ...anew(prices, ownPrices) },
    {
      name: "a list of 250, cached",
      compat: always("/coins/markets?vs_currency=usd&per_page=250"),
      own: [always("/v1/coins?limit=250")],
      kind: "cached",
      times: 1000
    },
    {
      name: `a list of ${ids.length}, computed`,
      ...anew(
        (of) => `/coins/markets?vs_currency=usd&ids=${of}`,
        (of) => `/v1/coins?ids=${of}`
      )
    },
    {
      name: "the market, cached",
      compat: always("/global"),
      own: [always("/v1/global"), ...dollars],
      kind: "cached",
      times: 1000
    }
  ]
}

/** The shares, each the median of the rounds, so that a slow stretch of the machine weighs on both. */
export const compatAgainstOwn = (server: Server, ids: ReadonlyArray<string>, headers: Asked["headers"]) =>
  Effect.promise(async () => {
    const asked = (path: () => string): Asked => ({ path, headers, status: 200 })
    const found: Array<{
      readonly name: string
      readonly compat: number
      readonly own: number
      readonly share: number
      readonly most: number
    }> = []
    for (const { compat, kind, name, own, times } of pairs(ids)) {
      const samples: Array<readonly [compat: number, own: number]> = []
      for (let n = -ROUNDS; n < ROUNDS; n++) {
        const one = await cost(
          server,
          asked(() => `${COINGECKO_BASE}${compat()}`),
          times
        )
        let other = 0
        for (const path of own) other += await cost(server, asked(path), times)
        if (n >= 0) samples.push([one, other])
      }
      const middle = (values: ReadonlyArray<number>) => Number(spread(values).median.toPrecision(3))
      found.push({
        name,
        most: MOST[kind],
        compat: middle(samples.map(([one]) => one)),
        own: middle(samples.map(([, other]) => other)),
        share: middle(samples.map(([one, other]) => one / other))
      })
    }
    return found
  })
