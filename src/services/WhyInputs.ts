// What is held, put as the explanation engine is asked: one input for one coin.
import { type DateTime, Duration } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { plainName } from "../why/Text.ts"
import type { FigureSource, MoverCoin, WhyInput } from "../why/WhyInput.ts"
import { type Gathered, WINDOW } from "./EvidencePool.ts"
import { categoriesOf, contextOf, type MarketFacts, seriesOf } from "./MarketFacts.ts"

/** Everything a run of explanations is made of. */
export interface RunFacts {
  readonly asOf: DateTime.Utc
  readonly market: MarketFacts
  /** Public name of the source of the figures, and when they were observed. */
  readonly source: string
  readonly observedAt: DateTime.Utc
  readonly gathered: Gathered
  /** Where this service is reached from outside; the list of sources is cited there. */
  readonly publicUrl: string
}

/** The coin as the engine knows it. */
export const moverCoinOf = (coin: Coin): MoverCoin => ({
  id: coin.id,
  symbol: plainName(coin.symbol).toUpperCase(),
  name: plainName(coin.name),
  rank: coin.rank,
  categories: categoriesOf(coin.id),
  homepage: null,
  marketCap: coin.market_cap
})

/** The question why a coin moved. `change` is its 24 h change in percent. */
export const inputOf = (
  coin: Coin,
  change: number,
  facts: RunFacts,
  evidence: ReadonlyArray<EvidenceItem> = facts.gathered.items
): WhyInput => ({
  asOf: facts.asOf,
  coin: moverCoinOf(coin),
  move: {
    changePct: change,
    price: coin.price,
    volume24h: coin.volume_24h,
    volume7dAverage: null,
    hourly: seriesOf(facts.market.history.get(coin.id))
  },
  market: contextOf(coin, facts.market),
  derivatives: null,
  evidence,
  coverage: {
    sourcesOk: facts.gathered.sourcesOk,
    sourcesFailed: facts.gathered.sourcesFailed,
    freshShare: facts.gathered.freshShare,
    windowHours: Duration.toHours(WINDOW),
    url: `${facts.publicUrl}/v1/sources`
  },
  figures: figureSourceOf(coin.id, facts)
})

/** Pages on which a reader finds the figures. */
const figureSourceOf = (id: string, { observedAt, source }: RunFacts): FigureSource => {
  const pages = source.startsWith("CoinPaprika")
    ? { coinUrl: "https://coinpaprika.com", marketUrl: "https://coinpaprika.com/market-overview/" }
    : source.startsWith("CoinLore")
      ? { coinUrl: "https://www.coinlore.com", marketUrl: "https://www.coinlore.com" }
      : {
          coinUrl: `https://www.coingecko.com/en/coins/${encodeURIComponent(id)}`,
          marketUrl: "https://www.coingecko.com/en/global-charts"
        }
  return { publisher: source, ...pages, observedAt }
}
