// The figures that an explanation may state, each with the page that shows it and the numbers it holds.
import type { Decomposition } from "./Decomposition.ts"
import type { Citation } from "./Explanation.ts"
import type { WhyInput } from "./WhyInput.ts"

/**
 * Ids of figures: `m1` bitcoin, `m2` the coin, `m3` the market, `m4` the sector, `m5` derivatives, `c1` the search
 * itself.
 */
export type FigureId = "m1" | "m2" | "m3" | "m4" | "m5" | "c1"

/** A figure that can be cited. */
export interface Figure {
  readonly id: FigureId
  readonly type: Citation["type"]
  readonly title: string
  readonly url: string
  readonly publisher: string
  /** The numbers that it states. */
  readonly numbers: ReadonlyArray<number>
}

const known = (...values: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  values.filter((value) => value !== null)

/** Volume of 24 hours over the mean daily volume of 7 days, with one decimal. An observation, never a cause. */
export const volumeRatio = (input: WhyInput): number | null => {
  const { volume24h, volume7dAverage } = input.move
  return volume24h === null || volume7dAverage === null || volume7dAverage <= 0
    ? null
    : Math.round((volume24h / volume7dAverage) * 10) / 10
}

/** All figures of a mover. */
export const figuresOf = (
  input: WhyInput,
  parts: Decomposition,
  search: { readonly items: number; readonly publishers: number }
): ReadonlyMap<FigureId, Figure> => {
  const { figures, market, move, coin, derivatives, coverage } = input
  const data = (
    id: FigureId,
    title: string,
    url: string,
    numbers: ReadonlyArray<number>
  ): readonly [FigureId, Figure] => [id, { id, type: "market_data", title, url, publisher: figures.publisher, numbers }]
  return new Map<FigureId, Figure>([
    data("m1", "Bitcoin price and 24h change", figures.marketUrl, known(market.btcChange24h, 24)),
    data(
      "m2",
      `${coin.name} price and 24h change`,
      figures.coinUrl,
      known(move.changePct, move.price, move.volume24h, move.volume7dAverage, volumeRatio(input), 24, 7)
    ),
    data(
      "m3",
      "Market breadth and total capitalisation",
      figures.marketUrl,
      known(market.totalCapChange24h, market.top100MedianChange24h, market.top100UpPct, market.ethChange24h, 100, 24)
    ),
    data(
      "m4",
      "Category performance",
      figures.marketUrl,
      known(...market.sectors.map(({ change24h }) => change24h), parts.sector, 24)
    ),
    data(
      "m5",
      `${coin.name} derivatives`,
      figures.coinUrl,
      known(derivatives?.liquidations24h ?? null, derivatives?.openInterestChangePct ?? null, 24)
    ),
    [
      "c1",
      {
        id: "c1",
        type: "coverage",
        title: "Feeds searched and their health",
        url: coverage.url,
        publisher: "This service",
        numbers: [search.items, search.publishers, coverage.windowHours]
      }
    ]
  ])
}
