// Values from the record of the data folder, also while a server writes to it.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { knownCoins } from "../domain/CoinRegistry.ts"
import * as BackfillStore from "../history/store/BackfillStore.ts"
import { asking, History } from "../history/store/History.ts"
import * as HistoryReader from "../history/store/HistoryReader.ts"
import * as RecordedPrices from "../services/history/RecordedPrices.ts"
import type { Unavailable } from "../services/refresh/Unavailable.ts"
import { layerDatabase } from "./HistoryDatabase.ts"
import { type Answer, makeAsking, type ValueSource } from "./ValueSource.ts"

/** The history over the database in the context. Nothing is written. */
const layerReading: Layer.Layer<never, never, SqlClient> = Layer.effect(
  History,
  Effect.gen(function* () {
    const stored = { ...(yield* HistoryReader.make), ...(yield* BackfillStore.make) }
    return {
      offer: () => Effect.succeed(false),
      ask: asking(stored),
      backfilled: () => 0,
      version: () => 0,
      pendingSince: () => undefined
    }
  })
)

const AWAY = "The history's database did not answer. Try again; if that fails too, run `doctor`."

/** The most coins whose first day is remembered. */
const MOST_DAYS = 10_000

const tickerOf = (id: string): string => {
  const ids = knownCoins.filter(({ symbol }) => symbol.toLowerCase() === id.toLowerCase()).map((coin) => coin.id)
  return ids.length === 0 ? "" : ` Tickers are not ids: ${id} is the ticker of ${ids.join(", ")}.`
}

/** The record of the `History` in the context. */
export const make = Effect.gen(function* () {
  const { firstDay, prices, sides } = yield* RecordedPrices.make
  const days = new Map<string, string | undefined>()

  const firstDayOf = Effect.fnUntraced(function* (id: string | undefined) {
    const key = id ?? ""
    if (!days.has(key) && days.size < MOST_DAYS) days.set(key, yield* firstDay(id))
    return days.get(key)
  })

  const nothingOf = Effect.fnUntraced(function* (id: string) {
    const first = yield* firstDayOf(id)
    return first === undefined
      ? `No coin has the id "${id}" in this record.${tickerOf(id)}`
      : `Nothing of ${id} was recorded in the 7 days before that time. Its record begins on ${first}.`
  })

  const asking = makeAsking()
  const away = <A>(asked: Effect.Effect<A, Unavailable>) => Effect.mapError(asked, () => ({ reason: AWAY }))
  const answered = <A, B>(asked: Effect.Effect<ReadonlyArray<A>, Unavailable>, all: ReadonlyArray<B>) =>
    asking(away(asked), (failed) => all.map(() => failed))

  return {
    prices: (questions) => {
      const found = Effect.flatMap(prices(questions), (found) =>
        Effect.forEach(questions, ({ id }, n): Effect.Effect<Answer, Unavailable> => {
          const price = found[n]
          return price === undefined ? Effect.map(nothingOf(id), (reason) => ({ reason })) : Effect.succeed(price)
        })
      )
      return answered(found, questions)
    },
    sides: (moments) => answered(sides(moments), moments),
    noNaira: asking(
      Effect.map(away(firstDayOf(undefined)), (first) => {
        const begin = first === undefined ? "It was never recorded." : `Its record begins on ${first}.`
        return `No naira rate was recorded in the 7 days before that time. ${begin}`
      }),
      ({ reason }) => reason
    )
  } satisfies ValueSource
})

/** The record of the data folder, while the scope is open. */
export const source = Effect.flatMap(Layer.build(Layer.provide(layerReading, layerDatabase())), (services) =>
  Effect.provideContext(make, services)
)
