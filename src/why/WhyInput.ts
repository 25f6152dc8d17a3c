// What the engine is given about one mover: figures, items and the clock. Changes are percent (2.5 = 2.5 %), money is
// USD, and what is unknown is `null`.
import type { DateTime } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import type { PriceHistory } from "../domain/PriceHistory.ts"

/** Nothing older than this takes part in an explanation, in hours. */
export const EVIDENCE_HOURS = 96

/** Under this share of fresh primary and tier-1 feeds nothing is explained. */
export const FRESH_SHARE = 0.6

/** The coin that moved. */
export interface MoverCoin {
  readonly id: string
  /** Upper case. Symbol and name are plain text on one line (`plainName`). */
  readonly symbol: string
  readonly name: string
  readonly rank: number | null
  readonly categories: ReadonlyArray<string>
}

/** Its move over 24 hours. */
export interface Move {
  readonly changePct: number
  readonly price: number | null
  readonly volume24h: number | null
  readonly hourly: PriceHistory | null
}

/** A category and the median 24 h change of its other members: the coin itself is left out. */
export interface SectorChange {
  readonly id: string
  readonly change24h: number
  /** How many other members; under four the category explains nothing. `null` when not counted. */
  readonly members: number | null
}

/** What the market did meanwhile. */
export interface MarketContext {
  readonly btcChange24h: number | null
  readonly ethChange24h: number | null
  readonly totalCapChange24h: number | null
  readonly top100UpPct: number | null
  /** The coin itself left out. */
  readonly top100MedianChange24h: number | null
  /** Slope of the coin's hourly log returns on bitcoin's, 7 to 90 days. */
  readonly betaVsBtc: number | null
  readonly sectors: ReadonlyArray<SectorChange>
  readonly btcHourly: PriceHistory | null
}

/** The source of the figures. */
export interface FigureSource {
  readonly publisher: string
  /** Pages of the publisher that show them: http or https. */
  readonly coinUrl: string
  readonly marketUrl: string
  readonly observedAt: DateTime.Utc
}

/** How the feeds are doing. */
export interface FeedCoverage {
  /** How many feeds answered lately, and which did not. */
  readonly sourcesOk: number
  readonly sourcesFailed: ReadonlyArray<string>
  /** Share of tier-1 and primary feeds that are fresh, 0 to 1. */
  readonly freshShare: number
  /** The service's public list of feeds with their health. */
  readonly url: string
}

export interface WhyInput {
  /** The time of the explanation; no clock is read. */
  readonly asOf: DateTime.Utc
  readonly coin: MoverCoin
  readonly move: Move
  readonly market: MarketContext
  readonly evidence: ReadonlyArray<EvidenceItem>
  readonly coverage: FeedCoverage
  readonly figures: FigureSource
}
