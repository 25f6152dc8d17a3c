// The served prices of USDT and USDC, which convert every pair that is quoted in them. A price that was passed over converts nothing.
import { type Duration, Effect } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { stablecoins } from "../domain/SpotMarket.ts"
import type { RowsByKey, Source } from "./judge/Judge.ts"
import * as Judging from "./judge/Judging.ts"
import * as Rules from "./judge/Rules.ts"

const ids: ReadonlyArray<string> = Object.values(stablecoins)

const only = (rows: RowsByKey<Coin>): RowsByKey<Coin> =>
  new Map(
    ids.flatMap((id) => {
      const row = rows.get(id)
      return row === undefined ? [] : [[id, row] as const]
    })
  )

/** Rows observed longer than `maxAge` ago are not served. */
export const make = Effect.fnUntraced(function* (maxAge: Duration.Duration) {
  const judging = yield* Judging.make({ name: "stablecoin prices", rules: Rules.coins, maxAge })
  let served: RowsByKey<Coin> = new Map()
  return {
    /** The served rows, by coin id. */
    rows: () => served,
    report: judging.report,
    /** Reads the own record at first. */
    recall: judging.recall(ids),
    /** Judges `sources`, in order of preference, at `now`, epoch milliseconds. The served prices in USD, by coin id. */
    judge: (sources: ReadonlyArray<Source<Coin>>, now: number): ReadonlyMap<string, number> => {
      served = judging.judge(
        sources.map(({ rows, ...state }) => ({ ...state, rows: only(rows) })),
        now
      ).rows
      return new Map([...served].flatMap(([id, { value }]) => (value.price === null ? [] : [[id, value.price]])))
    }
  }
})
