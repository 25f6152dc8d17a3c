// Splits answers into rows that may come from different sources.
import { DateTime } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import { type FxRates, startOfDay } from "../../domain/FxRates.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import type { Row, RowsByKey } from "../judge/Judge.ts"
import type { FxRow } from "../judge/Rules.ts"

/** Splits an answer into rows, and puts rows back into an answer. */
export interface Rows<A, R> {
  readonly split: (answer: Row<A>) => RowsByKey<R>
  readonly put: (answer: A, rows: RowsByKey<R>) => A
  /** The rows of the first source alone make up the answer; others only replace them. */
  readonly isListOfFirst?: true
}

/** A row observed at its own time, which is never after it was retrieved. */
const rowOf = <R>(stamp: Omit<Row<unknown>, "value">, value: R, observedAt: DateTime.Utc): Row<R> => ({
  ...stamp,
  value,
  observedAt: DateTime.min(observedAt, stamp.retrievedAt)
})

export const whole = <A>(): Rows<A, A> => ({
  split: (answer) => new Map([["", answer]]),
  put: (answer, rows) => rows.get("")?.value ?? answer
})

/** Rows with an id, each observed at its own time. The first of several with the same id counts. */
const rowsById = <R extends { readonly id: string }>(
  observedAt: (row: R) => DateTime.Utc
): Rows<ReadonlyArray<R>, R> => ({
  split: ({ value, ...stamp }) =>
    new Map(value.toReversed().map((row) => [row.id, rowOf(stamp, row, observedAt(row))])),
  put: (list, rows) => list.flatMap(({ id }) => rows.get(id)?.value ?? []),
  isListOfFirst: true
})

export const coinRows: Rows<ReadonlyArray<Coin>, Coin> = rowsById(({ updated }) => updated)

export const hourlyRows: Rows<ReadonlyArray<PriceHistory>, PriceHistory> = rowsById(({ end }) => end)

/** Fiat rates, currency by currency, each observed on its own day. */
export const fxRows: Rows<FxRates, FxRow> = {
  split: ({ value: { observed, rates }, ...stamp }) =>
    new Map(
      Object.entries(rates).flatMap(([code, rate]) => {
        const day = observed[code]
        if (day === undefined) return []
        return [[code, rowOf(stamp, { rate, day }, startOfDay(day))]]
      })
    ),
  put: (_, rows) => ({
    rates: Object.fromEntries([...rows].map(([code, { value }]) => [code, value.rate])),
    observed: Object.fromEntries([...rows].map(([code, { value }]) => [code, value.day])),
    sources: Object.fromEntries([...rows].map(([code, { source }]) => [code, source]))
  })
}
