// The served prices of USDT and USDC, which convert every pair that is quoted in them. A price that was passed over converts nothing.
import { DateTime, type Duration, Effect } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { stablecoins } from "../domain/SpotMarket.ts"
import { stablecoinJump } from "../domain/Thresholds.ts"
import * as Age from "../sources/dataset/Age.ts"
import { choose, type Claims, type PassedOver, type RowsByKey } from "./refresh/choose.ts"
import { passedOverReport } from "./judge/passedOverReport.ts"
import { coinRows } from "./refresh/Rows.ts"

const ids: ReadonlyArray<string> = Object.values(stablecoins)

/** Rows observed longer than `maxAge` ago are not served. */
export const make = (maxAge: Duration.Duration) => {
  let served: RowsByKey<Coin> = new Map()
  const reported = passedOverReport("stablecoin prices")
  let claims: Claims = new Map()
  let passedOver: ReadonlyArray<PassedOver> = []
  return {
    /** The served rows, by coin id. */
    rows: () => served,
    report: Effect.suspend(() => reported(passedOver)),
    /** Chooses the served prices among the rows of `sources`, in order of preference. In USD, by coin id. */
    judge: (sources: ReadonlyArray<RowsByKey<Coin>>, now: DateTime.Utc): ReadonlyMap<string, number> => {
      const choice = choose({
        ...coinRows,
        sources: sources.map(
          (rows) =>
            new Map(
              ids.flatMap((id) => {
                const row = rows.get(id)
                return row === undefined ? [] : [[id, row] as const]
              })
            )
        ),
        former: served,
        claims,
        isYoung: (row) => Age.isServable(row, maxAge, now),
        jump: stablecoinJump
      })
      claims = choice.claims
      passedOver = choice.passedOver
      served = choice.rows
      return new Map([...served].flatMap(([id, { value }]) => (value.price === null ? [] : [[id, value.price]])))
    }
  }
}
