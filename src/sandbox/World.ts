// The simulated world behind the wire formats: a pure function of seed and epoch milliseconds. Its true values are exposed,
// so that tests can compare answers with them.
import type { CoinMarket } from "./CoinMarket.ts"
import * as Market from "./CoinMarket.ts"
import { isoDate, minuteMs } from "./Calendar.ts"
import * as Fiats from "./Fiats.ts"
import * as NairaBooks from "./NairaBooks.ts"
import * as Scripts from "./Script.ts"

/** The true values at one time. */
export interface Truth {
  readonly at: number
  /** USD for one coin, by CoinGecko id. */
  readonly price: (id: string) => number | undefined
  /** Units of a currency for 1 USD, as last published; `NGN` is the official rate. */
  readonly fiat: (code: string) => number | undefined
  /** What the CBN last published as the weighted average of NFEM, and for which day. */
  readonly official: { readonly rate: number; readonly date: string }
  /** The true P2P mid: NGN for 1 USDT. */
  readonly p2pMid: number
}

export interface World {
  readonly seed: number
  readonly market: CoinMarket
  readonly script: Scripts.Script
  /** Units of a currency for 1 USD as last published at a time. */
  readonly fiat: (code: string, at: number) => number | undefined
  readonly truth: (at: number) => Truth
}

/** The world of a seed. Nothing is computed before it is asked for. */
export const make = (seed: number, options?: Scripts.ScriptOptions): World => {
  const script = Scripts.make(seed, options)
  const market = Market.make(seed, script)
  const fiat = (code: string, at: number) =>
    code === "USD" ? 1 : Fiats.publishedRate(seed, code, Fiats.rateDay(code, at))
  return {
    seed,
    market,
    script,
    fiat,
    truth: (at) => ({
      at,
      price: (id) => market.price(id, at),
      fiat: (code) => fiat(code, at),
      official: { rate: fiat("NGN", at) ?? 0, date: isoDate(Fiats.rateDay("NGN", at)) },
      p2pMid: NairaBooks.p2pMid(seed, Math.floor(at / minuteMs) * minuteMs)
    })
  }
}
