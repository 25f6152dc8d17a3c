// The P2P rate of USDT in naira: the first of the P2P markets, and the only one whose official rate has sources of its own.
import { type Config, Context, Effect, Layer } from "effect"
import { usualMarket } from "../domain/P2pMarket.ts"
import { layerWith, type SourcesWith } from "../sources/Sources.ts"
import * as MarketRate from "./MarketRate.ts"
import { OfficialRates } from "./OfficialRates.ts"

/** The market's rate, its mid and sides, and the change of the mid over 24 hours. */
export class Naira extends Context.Service<
  Naira,
  {
    readonly rate: MarketRate.Market["rate"]
    readonly mid: MarketRate.Market["mid"]
    readonly sides: MarketRate.Market["sides"]
    readonly change24h: MarketRate.Market["change24h"]
  }
>()("crypto-data-api/services/Naira") {
  static readonly layerNoDeps: Layer.Layer<
    Naira,
    Config.ConfigError,
    SourcesWith<"p2p" | "order_book"> | OfficialRates
  > = Layer.effect(
    Naira,
    Effect.flatMap(OfficialRates, (official) => MarketRate.make(usualMarket, official))
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([layerWith("p2p", "order_book"), OfficialRates.layer]))

  static readonly layerTest = (service: Partial<Naira["Service"]>) => Layer.mock(Naira)(service)
}

/** The naira rate, NGN per USDT from the customer's view, unrounded. */
export type NairaRate = MarketRate.MarketRate
