// Holds back jumps in the prices of coins that are looked up, by id or as a page of the list, as in the lists that are polled: a price
// many-fold away from the last one served of the same coin is believed after two newer observations. What replicas share is checked
// in each of them, against what it served itself.
import { DateTime, type Duration, Effect } from "effect"
import type { Coin } from "../domain/Coin.ts"
import * as Age from "../sources/dataset/Age.ts"
import { choose, type Claims, type Row, type RowsByKey } from "./refresh/choose.ts"
import * as RefreshMetrics from "./refresh/RefreshMetrics.ts"
import { coinRows } from "./refresh/Rows.ts"

/** Of so many coins, those looked up last, the last price is kept. */
const MOST = 10_000

/** The rows that may be served, by id, of those that a source says. */
export type Check = (said: RowsByKey<Coin>) => Effect.Effect<RowsByKey<Coin>>

/** Makes the check. Prices observed longer than `maxAge` ago are compared with nothing. */
export const make = (maxAge: Duration.Duration): Check => {
  const last = new Map<string, { readonly row: Row<Coin>; readonly claims: Claims }>()

  return Effect.fnUntraced(function* (said: RowsByKey<Coin>) {
    const now = yield* DateTime.now
    const before = [...said.keys()].flatMap((id) => last.get(id) ?? [])
    const {
      claims,
      passedOver,
      rows: served
    } = choose({
      sources: [said],
      former: new Map(before.map(({ row }) => [row.value.id, row])),
      claims: new Map(before.flatMap(({ claims }) => [...claims])),
      // Those that are too old are refused where they are served.
      isYoung: (row) => said.get(row.value.id) === row || Age.isServable(row, maxAge, now),
      figures: coinRows.figures
    })
    const waiting = new Map(passedOver.map(({ key }) => [key, claims]))
    for (const [id, row] of served) {
      last.delete(id)
      last.set(id, { row, claims: waiting.get(id) ?? new Map() })
    }
    for (const id of last.keys()) {
      if (last.size <= MOST) break
      last.delete(id)
    }
    const [first] = passedOver
    if (first !== undefined) {
      const { source } = first
      yield* RefreshMetrics.passedOver({ question: "coins", source, why: "jump" }, passedOver.length)
      yield* Effect.logWarning(
        `coins: ${source} changed ${passedOver.length} looked-up prices out of all proportion, held back`
      )
    }
    return served
  })
}
