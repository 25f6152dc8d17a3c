// Splits answers into rows that may come from different sources.
import { DateTime } from "effect"
import type { Coin } from "../../domain/Coin.ts"
import { USDT } from "../../domain/CoinId.ts"
import type { FiatQuote, FiatQuotes } from "../../domain/FiatQuotes.ts"
import { type FxRates, startOfDay } from "../../domain/FxRates.ts"
import type { GlobalMarket } from "../../domain/GlobalMarket.ts"
import type { OfficialRate } from "../../domain/OfficialRate.ts"
import { isWithinFactor, OUTLIER_FACTOR, RATE_AGREEMENT, RATE_JUMP_FACTOR } from "../../domain/Plausibility.ts"
import { knownRates } from "../../domain/QuotedFiat.ts"
import type { Pair } from "../../domain/Pair.ts"
import type { PriceHistory } from "../../domain/PriceHistory.ts"
import { type Figures, type Jump, type Row, type RowsByKey, UNPRICED } from "./choose.ts"

/** Splits an answer into rows, compares their figures, and puts rows back into an answer. */
export interface Rows<A, R> {
  readonly split: (answer: Row<A>) => RowsByKey<R>
  readonly put: (answer: A, rows: RowsByKey<R>) => A
  readonly figures: (row: R) => Figures
  readonly expected?: (key: string) => Figures | undefined
  /** The time of a row by its source, epoch milliseconds, which may be later than now. */
  readonly saidAt?: (row: R) => number
  /** The rows of the first source alone make up the answer; others only replace them. */
  readonly isListOfFirst?: true
  /** A source that contradicts two which agree is passed over. */
  readonly isCrossChecked?: true
  /** What counts as a jump; by default a change by more than a factor of 5. */
  readonly jump?: Jump
  /** The row without the figures that are far from those of all other sources that have them. */
  readonly withoutOutliers?: (row: R, others: ReadonlyArray<R>) => R
}

/** A row observed at its own time, which is never after it was retrieved. */
const rowOf = <R>(stamp: Omit<Row<unknown>, "value">, value: R, observedAt: DateTime.Utc): Row<R> => ({
  ...stamp,
  value,
  observedAt: DateTime.min(observedAt, stamp.retrievedAt)
})

/** An answer of one row. `figures` is what is compared; nothing by default. */
export const whole = <A>(figures: (answer: A) => Figures = () => []): Rows<A, A> => ({
  split: (answer) => new Map([["", answer]]),
  put: (answer, rows) => rows.get("")?.value ?? answer,
  figures
})

/** Rows with an id, each observed at its own time. The first of several with the same id counts. */
const rowsById = <R extends { readonly id: string }>(
  observedAt: (row: R) => DateTime.Utc,
  figure: (row: R) => number | null | undefined
): Rows<ReadonlyArray<R>, R> => ({
  split: ({ value, ...stamp }) =>
    new Map(value.toReversed().map((row) => [row.id, rowOf(stamp, row, observedAt(row))])),
  put: (list, rows) => list.flatMap(({ id }) => rows.get(id)?.value ?? []),
  figures: (row) => [figure(row) ?? UNPRICED],
  isListOfFirst: true
})

const compared = ["market_cap", "volume_24h", "circulating_supply", "total_supply", "max_supply"] as const

/** The coin with `null` for each cap, supply or volume that differs more than 10-fold from that of every other source with one. */
const withoutOutliers = (coin: Coin, others: ReadonlyArray<Coin>): Coin => {
  const outliers = compared.filter((figure) => {
    const [own, theirs] = [coin[figure], others.flatMap((other) => other[figure] ?? [])]
    return own !== null && theirs.length > 0 && theirs.every((other) => !isWithinFactor(own, other, OUTLIER_FACTOR))
  })
  return outliers.length === 0 ? coin : { ...coin, ...Object.fromEntries(outliers.map((figure) => [figure, null])) }
}

/** Coins, compared by their price in USD. The first price of USDT is compared with 1 USD, because it converts every P2P rate. */
export const coinRows: Rows<ReadonlyArray<Coin>, Coin> = {
  ...rowsById<Coin>(
    ({ updated }) => updated,
    ({ price }) => price
  ),
  expected: (id) => (id === USDT ? [1] : undefined),
  isCrossChecked: true,
  withoutOutliers
}

/** The pairs of each exchange as one row: prices are computed from all exchanges. */
export const tickerRows: Rows<ReadonlyArray<Pair>, ReadonlyArray<Pair>> = {
  split: (answer) => new Map([[answer.source, answer]]),
  put: (pairs) => pairs,
  figures: () => []
}

/** Hourly prices, compared by the last one of each series. */
export const hourlyRows: Rows<ReadonlyArray<PriceHistory>, PriceHistory> = rowsById(
  ({ end }) => end,
  ({ prices }) => prices.at(-1)
)

/** A source's quotes, coin by coin and fiat by fiat. */
export const quoteRows: Rows<FiatQuotes, FiatQuote> = {
  split: ({ value, ...stamp }) =>
    new Map(
      [...value].flatMap(([id, quotes]) =>
        [...quotes].map(([fiat, quote]) => [`${id} ${fiat}`, rowOf(stamp, quote, quote.updated)])
      )
    ),
  put: (coins, rows) =>
    new Map(
      [...coins].map(([id, quotes]) => [
        id,
        new Map(
          [...quotes.keys()].flatMap((fiat) => {
            const row = rows.get(`${id} ${fiat}`)
            return row === undefined ? [] : [[fiat, row.value]]
          })
        )
      ])
    ),
  figures: ({ price }) => [price]
}

/** One currency's rate, units per 1 USD, and its day. */
interface FxRow {
  readonly rate: number
  readonly day: string
}

const rateJump: Jump = { factor: RATE_JUMP_FACTOR, agreement: RATE_AGREEMENT }

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
  }),
  figures: ({ rate }) => [rate],
  saidAt: ({ day }) => startOfDay(day).epochMilliseconds,
  expected: (code) => {
    const rate = knownRates[code]
    return rate === undefined ? undefined : [rate]
  },
  jump: rateJump
}

export const officialRows: Rows<OfficialRate, OfficialRate> = {
  ...whole(({ rate }) => [rate]),
  jump: rateJump,
  saidAt: ({ date }) => startOfDay(date).epochMilliseconds
}

/** The whole market. The number of coins is not compared: sources count differently. */
export const globalRows: Rows<GlobalMarket, GlobalMarket> = whole(
  ({ btc_dominance, eth_dominance, market_cap, volume_24h }) => [market_cap, volume_24h, btc_dominance, eth_dominance]
)
