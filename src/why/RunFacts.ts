// Everything that one run explains from, and the engine's input for one coin of it. Changes are percent (2.5 = 2.5 %), money is USD, and
// what is unknown is `null`.
import { DateTime } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"
import { categoriesOf, contextOf, type MarketContext, type MarketFacts } from "./MarketFacts.ts"

/** Nothing older than this takes part in an explanation, in hours. */
export const EVIDENCE_HOURS = 96

/** Under this share of fresh primary and tier-1 feeds nothing is explained. */
export const FRESH_SHARE = 0.6

/** The coin that moved. Symbol, in upper case, and name are plain text on one line. */
export interface MoverCoin extends Pick<Coin, "id" | "symbol" | "name" | "rank"> {
  readonly categories: ReadonlyArray<string>
}

export interface Move {
  readonly changePct: number
  readonly price: number | null
  readonly volume24h: number | null
  readonly hourly: PriceHistory | null
}

export interface FigureSource {
  readonly publisher: string
  /** Pages of the publisher that show them: http or https. */
  readonly coinUrl: string
  readonly marketUrl: string
  readonly observedAt: DateTime.Utc
}

export interface FeedCoverage {
  /** How many feeds answered lately, and which did not. */
  readonly sourcesOk: number
  readonly sourcesFailed: ReadonlyArray<string>
  /** Share of tier-1 and primary feeds that are fresh, 0 to 1. */
  readonly freshShare: number
}

/** What the engine is given about one mover. */
export interface WhyInput {
  /** The time of the explanation; no clock is read. */
  readonly asOf: DateTime.Utc
  readonly coin: MoverCoin
  readonly move: Move
  readonly market: MarketContext
  readonly evidence: ReadonlyArray<EvidenceItem>
  /** `url`: the service's public list of feeds with their health. */
  readonly coverage: FeedCoverage & { readonly url: string }
  readonly figures: FigureSource
}

export interface GatheredEvidence extends FeedCoverage {
  /** Newest first, each once. */
  readonly items: ReadonlyArray<EvidenceItem>
}

export interface RunFacts {
  readonly asOf: DateTime.Utc
  readonly market: MarketFacts
  /** Public name of the source of the figures, and when they were observed. */
  readonly source: string
  readonly observedAt: DateTime.Utc
  /** The pages on which a source shows the figures of a coin and of the market. */
  readonly figurePages: (source: string, id: string) => Pick<FigureSource, "coinUrl" | "marketUrl">
  readonly gathered: GatheredEvidence
  /** Where this service is reached from outside; its list of sources is cited there. */
  readonly publicUrl: string
}

/** Whether figures are too old to say what coincides with them: explanations would be about another move. */
export const areOldFigures = ({ asOf, observedAt }: Pick<RunFacts, "asOf" | "observedAt">): boolean =>
  DateTime.isLessThan(observedAt, DateTime.subtract(asOf, { minutes: 30 }))

/** Whether a run had everything that it is going to have: hourly prices, and feeds enough or none left to wait for. */
export const isComplete = ({ gathered, market }: RunFacts): boolean =>
  market.history.size > 0 && (gathered.freshShare >= FRESH_SHARE || gathered.sourcesFailed.length === 0)

/** A name on one line, without the characters of markup: coins may be called anything. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}<>`{}*]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

export const moverCoinOf = (coin: Coin): MoverCoin => ({
  id: coin.id,
  symbol: plainName(coin.symbol).toUpperCase(),
  name: plainName(coin.name),
  rank: coin.rank,
  categories: categoriesOf(coin.id)
})

/** The engine's input for one coin. A coin without a known change counts as unmoved. */
export const inputOf = (coin: Coin, facts: RunFacts, evidence: ReadonlyArray<EvidenceItem>): WhyInput => {
  const { asOf, figurePages, gathered, market, observedAt, publicUrl, source } = facts
  const publisher = market.coins.figures?.get(coin.id) ?? source
  const hourly = market.history.get(coin.id) ?? null
  return {
    asOf,
    coin: moverCoinOf(coin),
    move: { changePct: coin.change_24h ?? 0, price: coin.price, volume24h: coin.volume_24h, hourly },
    market: contextOf(coin, market),
    evidence,
    coverage: { ...gathered, url: `${publicUrl}/v1/sources` },
    figures: { publisher, ...figurePages(publisher, coin.id), observedAt }
  }
}
