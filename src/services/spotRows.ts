// Exchange prices as rows of coins, for the choice among sources.
import { type Coin, priceAlone } from "../domain/Coin.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import type { RowsByKey } from "./judge/Judge.ts"
import { EXCHANGES } from "./judge/Rules.ts"
import type { SpotPrice } from "./SpotPrices.ts"

/**
 * Consensus prices as rows of coins. Names are those of the aggregators' lists, else those that are saved with the coin's pairs; other
 * figures are null.
 */
export const spotRows = (
  prices: Iterable<readonly [string, Snapshot<SpotPrice>]>,
  rowsBySource: ReadonlyArray<RowsByKey<Coin>>
): RowsByKey<Coin> =>
  new Map(
    Array.from(prices, ([id, price]) => {
      const listed = rowsBySource.map((rows) => rows.get(id)?.value).find((coin) => coin !== undefined)
      const { name, symbol } = listed ?? price.value
      const coin = priceAlone(
        { id, symbol, name, image: listed?.image ?? null },
        { price: price.value.price, updated: price.observedAt }
      )
      return [id, { ...price, value: coin, key: EXCHANGES }]
    })
  )
