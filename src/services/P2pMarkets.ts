// The P2P markets that are followed (`P2P_MARKETS`), with their rates. Except for the usual one, the official rate is that of `/v1/fx`.
import { type Config, Context, DateTime, type Duration, Effect, Layer, Option } from "effect"
import { startOfDay } from "../domain/FxRates.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { followedMarkets } from "../sources/p2p/followedMarkets.ts"
import { layerWith, type SourcesWith } from "../sources/Sources.ts"
import { ExchangeRates } from "./ExchangeRates.ts"
import * as MarketRate from "./MarketRate.ts"
import { Naira } from "./Naira.ts"
import type { Official, OfficialRates } from "./OfficialRates.ts"

/**
 * The delay of a market's first poll. The usual market is polled first, the next few after 300 ms, the rest 5 s apart.
 */
const startOf = (rank: number): Duration.Input => (rank < 4 ? "300 millis" : `${5 * (rank - 3)} seconds`)

/** The rates of the P2P markets that are followed. */
export class P2pMarkets extends Context.Service<
  P2pMarkets,
  {
    /** By fiat: the usual one first, then by code. */
    readonly followed: ReadonlyMap<string, MarketRate.Market>
  }
>()("crypto-data-api/services/P2pMarkets") {
  static readonly layerNoDeps: Layer.Layer<
    P2pMarkets,
    Config.ConfigError,
    SourcesWith<"p2p" | "order_book"> | ExchangeRates | Naira
  > = Layer.effect(
    P2pMarkets,
    Effect.gen(function* () {
      const exchangeRates = yield* ExchangeRates
      const followed = new Map<string, MarketRate.Market>([[usualMarket.fiat, usual(yield* Naira)]])
      for (const market of yield* followedMarkets) {
        if (followed.has(market.fiat)) continue
        const official = officialOf(exchangeRates, market.fiat)
        followed.set(market.fiat, yield* MarketRate.make(market, official, startOf(followed.size)))
      }
      return P2pMarkets.of({ followed })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([layerWith("p2p", "order_book"), ExchangeRates.layer, Naira.layer])
  )

  static readonly layerTest = (others: Readonly<Record<string, MarketRate.Market>> = {}) =>
    Layer.effect(
      P2pMarkets,
      Effect.map(Naira, (naira) =>
        P2pMarkets.of({ followed: new Map([[usualMarket.fiat, usual(naira)], ...Object.entries(others)]) })
      )
    )
}

/** The naira's market, with its plausible prices. */
const usual = (naira: Naira["Service"]): MarketRate.Market => ({ ...naira, bounds: usualMarket.bounds })

/** The official rate from `/v1/fx`. A rate that is too old counts as missing. */
const officialOf = (exchangeRates: ExchangeRates["Service"], fiat: string): OfficialRates["Service"] => {
  const known = Effect.map(exchangeRates.known, (rates): Official => {
    const fx = Option.getOrUndefined(rates)
    const rate = fx?.value.rates[fiat]
    const date = fx?.value.observed[fiat]
    if (fx === undefined || rate === undefined || date === undefined) {
      return { _tag: "Missing", reason: "official_rate_missing" }
    }
    const observedAt = DateTime.min(startOfDay(date), fx.retrievedAt)
    const source = fx.value.sources?.[fiat] ?? fx.source
    return { _tag: "Published", snapshot: { ...fx, source, observedAt, value: { rate, date } } }
  })
  return { known, current: Effect.andThen(Effect.exit(exchangeRates.current), known) }
}
