// How sure the price of a coin is.
import { type Consensus, LEAST_EXCHANGES } from "./Consensus.ts"
import type { Confidence } from "./P2pRate.ts"
import { AGGREGATORS_AGREE, SURE_BAND } from "./Thresholds.ts"

export const confidenceOfConsensus = ({
  exchanges,
  high,
  low
}: Pick<Consensus, "low" | "high"> & { readonly exchanges: ReadonlyArray<unknown> }): Confidence =>
  exchanges.length >= LEAST_EXCHANGES && high <= low * (1 + SURE_BAND) ? "high" : "medium"

/** The confidence of an aggregator's price. `prices`: what each aggregator says of the coin now. */
export const confidenceOfAggregators = (price: number, prices: ReadonlyArray<number | null>): Confidence =>
  prices.filter((one) => one !== null && Math.abs(one / price - 1) <= AGGREGATORS_AGREE).length > 1 ? "medium" : "low"
