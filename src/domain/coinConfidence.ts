// How sure the price of a coin is.
import { type Consensus, LEAST_EXCHANGES } from "./Consensus.ts"
import type { Confidence } from "./P2pRate.ts"
import { AGGREGATORS_AGREE, SURE_BAND } from "./Thresholds.ts"

type Band = Pick<Consensus, "low" | "high">

const isNarrow = ({ high, low }: Band): boolean => high <= low * (1 + SURE_BAND)

/** `dollars`: the stablecoins' prices. If one is wrong, all pairs in it are wrong alike, so the band of the coin does not show it. */
export const confidenceOfConsensus = (
  { exchanges, ...band }: Band & { readonly exchanges: ReadonlyArray<unknown> },
  dollars: ReadonlyArray<Band>
): Confidence => (exchanges.length >= LEAST_EXCHANGES && [band, ...dollars].every(isNarrow) ? "high" : "medium")

/** The confidence of an aggregator's price. `prices`: what each aggregator says of the coin now. */
export const confidenceOfAggregators = (price: number, prices: ReadonlyArray<number | null>): Confidence =>
  prices.filter((one) => one !== null && Math.abs(one / price - 1) <= AGGREGATORS_AGREE).length > 1 ? "medium" : "low"
