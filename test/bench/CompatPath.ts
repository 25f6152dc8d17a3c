// What a request of a program made for CoinGecko costs as a share of the request for the same figures under `/v1`, taken from
// the cache and computed anew.
import { Effect } from "effect"
import type { Server } from "node:http"
import { COINGECKO_BASE } from "../../src/api/coingecko/CoinGeckoDialect.ts"
import { coinOfVs, vsCurrencies } from "../../src/domain/VsCurrency.ts"
import { type Asked, cost } from "./Direct.ts"
import { spread } from "./Report.ts"

/** The most that it may cost, as a share. */
export const MOST = 1.2

/** Rounds, after as many that are not counted. */
const ROUNDS = 24

/** A request, and those under `/v1` that have the same figures together. */
interface Pair {
  readonly name: string
  readonly compat: string
  readonly own: ReadonlyArray<string>
  /** Whether each request has another address, so that its answer is computed. */
  readonly isAnew: boolean
  readonly times: number
}

const pairs = (ids: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const currencies = vsCurrencies.filter((vs) => vs !== "usd").map((vs) => coinOfVs(vs) ?? vs)
  const dollars = currencies.map((to) => `/v1/convert?from=usd&to=${to}`)
  const many = ids.map(encodeURIComponent).join(",")
  const same = (name: string, compat: string, ...own: ReadonlyArray<string>): ReadonlyArray<Pair> => [
    { name: `${name}, cached`, compat, own, isAnew: false, times: 1000 },
    { name: `${name}, computed`, compat, own, isAnew: true, times: 30 }
  ]
  return [
    ...same(
      "a price",
      "/simple/price?ids=bitcoin&vs_currencies=usd&include_24hr_change=true",
      "/v1/price/bitcoin/usd?"
    ),
    ...same(
      `${ids.length} coins x 2`,
      `/simple/price?ids=${many}&vs_currencies=usd,ngn&include_24hr_change=true`,
      `/v1/prices?ids=${many}&fiats=usd,ngn`
    ),
    ...same("a list of 250", "/coins/markets?vs_currency=usd&per_page=250", "/v1/coins?limit=250"),
    ...same("the market", "/global?", "/v1/global?", ...dollars)
  ]
}

/** The shares, each the median of the rounds, so that a slow stretch of the machine weighs on both. */
export const compatAgainstOwn = (server: Server, ids: ReadonlyArray<string>, headers: Asked["headers"]) =>
  Effect.promise(async () => {
    let next = 0
    const asked = (path: string, isAnew: boolean): Asked => ({
      path: () => (isAnew ? `${path}&n=${next++}` : path.replace(/\?$/, "")),
      headers,
      status: 200
    })
    const found: Array<{
      readonly name: string
      readonly compat: number
      readonly own: number
      readonly share: number
    }> = []
    for (const { compat, isAnew, name, own, times } of pairs(ids)) {
      const samples: Array<readonly [compat: number, own: number]> = []
      for (let n = -ROUNDS; n < ROUNDS; n++) {
        const one = await cost(server, asked(`${COINGECKO_BASE}${compat}`, isAnew), times)
        let other = 0
        for (const path of own) other += await cost(server, asked(path, isAnew), times)
        if (n >= 0) samples.push([one, other])
      }
      const middle = (values: ReadonlyArray<number>) => Number(spread(values).median.toPrecision(3))
      found.push({
        name,
        compat: middle(samples.map(([one]) => one)),
        own: middle(samples.map(([, other]) => other)),
        share: middle(samples.map(([one, other]) => one / other))
      })
    }
    return found
  })
