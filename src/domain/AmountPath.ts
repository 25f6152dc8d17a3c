// Converts an amount at the rates that a customer gets: each P2P market on the path quotes the rate for the amount.
import { Data, Result } from "effect"
import { derived } from "./Decimal.ts"
import { type Hop, hopRate } from "./Conversion.ts"
import { quoteFor } from "./P2pDepth.ts"

/** The ads of a market cannot fill the amount. `available`: units of its fiat that they can fill. */
export class TooThin extends Data.TaggedError("TooThin")<{ readonly fiat: string; readonly available: number }> {}

/** The largest amount of the first asset for which every market on the path gives the rate of its side. */
export const amountAtSides = (hops: ReadonlyArray<Hop>): number => {
  let [perUnit, least] = [1, Number.POSITIVE_INFINITY]
  for (const { depth, inverted, quote } of hops) {
    const next = perUnit * hopRate(inverted, quote)
    if (depth !== undefined) least = Math.min(least, depth.orderSize / (inverted ? perUnit : next))
    perUnit = next
  }
  return least
}

/** The hops with the rates for an amount of the first asset. */
export const hopsForAmount = (hops: ReadonlyArray<Hop>, amount: number): Result.Result<ReadonlyArray<Hop>, TooThin> => {
  let reached = amount
  const sized: Array<Hop> = []
  for (const hop of hops) {
    const { depth, inverted } = hop
    let { quote } = hop
    if (depth !== undefined) {
      const wanted = { amount: reached, unit: inverted ? "fiat" : "usdt" } as const
      const { ads, filled, rate } = quoteFor(depth, depth, inverted ? "buy" : "sell", wanted)
      if (rate === null) return Result.fail(new TooThin({ fiat: quote.quote, available: derived(filled) }))
      quote = { ...quote, rate, ads }
    }
    sized.push({ ...hop, quote })
    reached *= hopRate(inverted, quote)
  }
  return Result.succeed(sized)
}
