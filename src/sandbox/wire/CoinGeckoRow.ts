// How CoinGecko writes numbers: rounding by size, other currencies than USD, and which coins lack what.
import { hourMs } from "../Calendar.ts"
import type { CoinState } from "../CoinMarket.ts"
import { currencies } from "../Fiats.ts"
import { significant } from "../Wire.ts"
import type { World } from "../World.ts"

/** A coin of a page, as of `at`; the rank is `null` for a coin that is another one in wrapping. */
export interface Row {
  readonly state: CoinState
  readonly at: number
  readonly rank: number | null
}

/** What this CoinGecko can quote in, lower case. */
export const vsCurrencies: ReadonlyArray<string> = [
  "usd",
  "btc",
  "eth",
  ...currencies.map((code) => code.toLowerCase())
]

const codes: ReadonlySet<string> = new Set(vsCurrencies)

/** Units of a currency for 1 USD; `undefined` where CoinGecko does not quote in it. Naira is the official one. */
export const perDollar = (world: World, vs: string, at: number): number | undefined => {
  if (!codes.has(vs)) return undefined
  const coin = vs === "btc" ? "bitcoin" : vs === "eth" ? "ethereum" : undefined
  return coin === undefined ? world.fiat(vs.toUpperCase(), at) : 1 / (world.market.price(coin, at) ?? 1)
}

/** A USD change over some hours, in another currency. */
export const changeIn = (world: World, vs: string, at: number, hours: number, change: number): number => {
  const now = perDollar(world, vs, at) ?? 1
  const then = perDollar(world, vs, at - hours * hourMs) ?? now
  return ((1 + change / 100) * (now / then) - 1) * 100
}

const rounded = (value: number): number =>
  value >= 10_000 ? Math.round(value) : value >= 1 ? Number(value.toFixed(2)) : significant(value, 6)

/** USD in another currency: called, as CoinGecko rounds it; `exact`, without rounding. */
export interface Quoted {
  (dollars: number): number
  readonly exact: (dollars: number) => number
}

/** Money in a currency at a time, honouring `precision`. */
export const quoted = (world: World, vs: string, at: number, precision: string | null): Quoted => {
  const rate = perDollar(world, vs, at) ?? 1
  const exact = (dollars: number) => dollars * rate
  const digits = precision === null ? Number.NaN : Number(precision)
  const write = (dollars: number) => {
    if (precision === "full") return exact(dollars)
    return digits >= 0 && digits <= 18 ? Number(exact(dollars).toFixed(digits)) : rounded(exact(dollars))
  }
  return Object.assign(write, { exact })
}

/** Percent to five places. */
export const percent = (value: number): number => Number(value.toFixed(5))

/** The value, or `null` where CoinGecko has none. */
export const present = (isKnown: boolean, value: number): number | null => (isKnown ? value : null)

/** A coin nobody quotes, one without a cap, and one listed three days ago. */
export const oddCoins = { priceless: "velas", capless: "kadena", newcomer: "zama" } as const

/** What is known of a coin. */
export const exists = (id: string): Readonly<Record<"price" | "cap" | "history" | "week", boolean>> => ({
  price: id !== oddCoins.priceless,
  cap: id !== oddCoins.priceless && id !== oddCoins.capless,
  history: id !== oddCoins.priceless,
  week: id !== oddCoins.newcomer
})
