// The simulated world behind the wire formats: a pure function of seed and epoch milliseconds. Its true values are exposed,
// so that tests can compare answers with them.
import { rememberEach } from "../domain/rememberEach.ts"
import * as Market from "./CoinMarket.ts"
import { isoDate, minuteMs } from "./Calendar.ts"
import * as Fiats from "./Fiats.ts"
import * as P2pBooks from "./P2pBooks.ts"
import * as Scripts from "./Script.ts"

export type World = ReturnType<typeof make>

export type Truth = ReturnType<World["truth"]>

/** The world of a seed. Values are computed when they are first needed, and then cached. */
export const make = (seed: number, options?: Scripts.ScriptOptions) => {
  const script = Scripts.make(seed, options)
  const market = Market.make(seed, script)
  /** Units of a currency for 1 USD as last published at a time; `NGN` is the official rate. */
  const fiat = (code: string, at: number) =>
    code === "USD" ? 1 : Fiats.publishedRate(seed, code, Fiats.rateDay(code, at))
  return {
    seed,
    market,
    script,
    fiat,
    truth: (at: number) => ({
      at,
      /** USD for one coin, by CoinGecko id. */
      price: (id: string) => market.price(id, at),
      fiat: (code: string) => fiat(code, at),
      /** The NFEM weighted average that the CBN published last, and its day. */
      official: { rate: fiat("NGN", at) ?? 0, date: isoDate(Fiats.rateDay("NGN", at)) },
      /** The true P2P mid: NGN for 1 USDT. */
      p2pMid: P2pBooks.p2pMid(seed, "NGN", Math.floor(at / minuteMs) * minuteMs),
      /** The same of any market: units of its fiat for 1 USDT. */
      street: (code: string) => P2pBooks.p2pMid(seed, code, Math.floor(at / minuteMs) * minuteMs)
    })
  }
}

const bySeed = rememberEach(4, (seed: number) => make(seed))

/** The same, shared by all sandboxes of a process without options, so that each value is computed once. */
export const of = (seed: number, options?: Scripts.ScriptOptions): World =>
  options === undefined ? bySeed(seed) : make(seed, options)
