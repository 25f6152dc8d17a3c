// Holds back jumps in the prices of coins that are looked up, by id or as a page of the list, as in the lists that are polled: a price
// many-fold away from the last one of the same coin that may still be served is believed after two newer observations.
import { DateTime, type Duration, Effect } from "effect"
import type { Coin } from "../domain/Coin.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { CoinGecko } from "../sources/market/CoinGecko.ts"
import { choose, type Claims, type Row } from "./refresh/choose.ts"
import * as RefreshMetrics from "./refresh/RefreshMetrics.ts"
import { coinRows } from "./refresh/Rows.ts"

/** Of so many coins, those looked up last, the last price is kept. */
const MOST = 10_000

/** The source with the look-ups checked. Prices observed longer than `maxAge` ago are compared with nothing. */
export const checked = (gecko: CoinGecko["Service"], maxAge: Duration.Duration): CoinGecko["Service"] => {
  const last = new Map<string, { readonly row: Row<Coin>; readonly claims: Claims }>()

  const believed = Effect.fnUntraced(function* (list: Snapshot<ReadonlyArray<Coin>>) {
    const now = yield* DateTime.now
    const rows = coinRows.split(list)
    const before = [...rows.keys()].flatMap((id) => last.get(id) ?? [])
    const young = before.filter(({ row }) => Age.isServable(row, maxAge, now))
    const {
      claims,
      passedOver,
      rows: served
    } = choose({
      sources: [rows],
      former: new Map(young.map(({ row }) => [row.value.id, row])),
      claims: new Map(before.flatMap(({ claims }) => [...claims])),
      isYoung: () => true,
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
    if (passedOver.length > 0) {
      const { source } = list
      yield* RefreshMetrics.passedOver({ question: "coins", source, why: "jump" }, passedOver.length)
      yield* Effect.logWarning(
        `coins: ${source} changed ${passedOver.length} looked-up prices out of all proportion, held back`
      )
    }
    return { ...list, value: list.value.flatMap(({ id }) => served.get(id)?.value ?? []) }
  })

  return {
    ...gecko,
    page: (n) => Effect.flatMap(gecko.page(n), believed),
    coinsById: (ids) => Effect.flatMap(gecko.coinsById(ids), believed)
  }
}
