// Everything that one run explains from, and the engine's input for one coin of it.
import { DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { categoriesOf, contextOf, type MarketFacts } from "./MarketFacts.ts"
import { plainName } from "./Text.ts"
import { type FeedCoverage, FRESH_SHARE, type FigureSource, type MoverCoin, type WhyInput } from "./WhyInput.ts"

/** What was gathered from the feeds. */
export interface GatheredEvidence extends Pick<FeedCoverage, "sourcesOk" | "sourcesFailed" | "freshShare"> {
  /** Newest first, each once. */
  readonly items: ReadonlyArray<EvidenceItem>
}

export interface RunFacts {
  /** When the run looked. */
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

/** Explanations of older figures would be about another move. */
const OLD = Duration.minutes(30)

/** Whether figures are too old to say what coincides with them. */
export const areOldFigures = ({ asOf, observedAt }: Pick<RunFacts, "asOf" | "observedAt">): boolean =>
  DateTime.isLessThan(observedAt, DateTime.subtractDuration(asOf, OLD))

/** Whether a run had everything that it is going to have: hourly prices, and feeds enough or none left to wait for. */
export const isComplete = ({ gathered, market }: RunFacts): boolean =>
  market.history.size > 0 && (gathered.freshShare >= FRESH_SHARE || gathered.sourcesFailed.length === 0)

/** The coin as the engine knows it. */
export const moverCoinOf = (coin: Coin): MoverCoin => ({
  id: coin.id,
  symbol: plainName(coin.symbol).toUpperCase(),
  name: plainName(coin.name),
  rank: coin.rank,
  categories: categoriesOf(coin.id)
})

/** The engine's input for one coin. A coin without a known change counts as unmoved. */
export const inputOf = (coin: Coin, facts: RunFacts, evidence: ReadonlyArray<EvidenceItem>): WhyInput => ({
  asOf: facts.asOf,
  coin: moverCoinOf(coin),
  move: {
    changePct: coin.change_24h ?? 0,
    price: coin.price,
    volume24h: coin.volume_24h,
    hourly: facts.market.history.get(coin.id) ?? null
  },
  market: contextOf(coin, facts.market),
  evidence,
  coverage: {
    sourcesOk: facts.gathered.sourcesOk,
    sourcesFailed: facts.gathered.sourcesFailed,
    freshShare: facts.gathered.freshShare,
    url: `${facts.publicUrl}/v1/sources`
  },
  figures: figureSourceOf(coin.id, facts)
})

/** The source of the figures, with the pages on which it shows them. */
export const figureSourceOf = (id: string, { figurePages, market, observedAt, source }: RunFacts): FigureSource => {
  const publisher = market.coins.figures?.get(id) ?? source
  return { publisher, ...figurePages(publisher, id), observedAt }
}
