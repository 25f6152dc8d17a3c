// Offers every snapshot that the services believe to the record. It looks often and offers what is new, so that neither a
// refresh nor a request waits for it.
import { type Config, Effect, Layer, Schedule } from "effect"
import { History } from "../../history/History.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import type { NewObservation, NewPoint } from "../../history/HistoryRows.ts"
import type { Offer } from "../../history/Recorder.ts"
import * as records from "../../history/records.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import { Coins } from "../Coins.ts"
import { ExchangeRates } from "../ExchangeRates.ts"
import { Naira } from "../Naira.ts"
import { OfficialRates } from "../OfficialRates.ts"

/** No data set is refreshed more often than twice in so long. */
const EVERY = "5 seconds"

/** Records for as long as the scope is open, where a record is kept. */
export const layerNoDeps: Layer.Layer<never, never, Coins | ExchangeRates | Naira | OfficialRates> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const history = yield* History
      if (history === undefined) return
      const coins = yield* Coins
      const exchangeRates = yield* ExchangeRates
      const naira = yield* Naira
      const officialRates = yield* OfficialRates

      /** Offers the rows of a snapshot once; rows whose figure and time are known are left out. */
      const offering = <A, E, Row extends { readonly series: string; readonly observedAt: number }>(
        read: Effect.Effect<Snapshot.Snapshot<A>, E>,
        rowsOf: (snapshot: Snapshot.Snapshot<A>) => ReadonlyArray<Row>,
        figureOf: (row: Row) => string,
        toOffer: (rows: ReadonlyArray<Row>) => Offer
      ) => {
        const offered = new Map<string, string>()
        let last: Snapshot.Snapshot<A> | undefined
        return Effect.gen(function* () {
          const snapshot = yield* read
          if (snapshot === last) return
          last = snapshot
          const rows = rowsOf(snapshot).filter((row) => offered.get(row.series) !== figureOf(row))
          for (const row of rows) offered.set(row.series, figureOf(row))
          yield* history.offer(toOffer(rows))
        }).pipe(Effect.ignore)
      }

      const official = Effect.flatMap(officialRates.known, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail("missing")
      )
      const timeOf = ({ observedAt }: NewObservation) => String(observedAt)
      const closeOf = ({ bucket, close, origin }: NewPoint) => `${origin} ${bucket} ${close}`
      const toObservations = (observations: ReadonlyArray<NewObservation>) => ({ observations })
      const toDays = (days: ReadonlyArray<NewPoint>) => ({ days })
      const ofList = (list: Snapshot.Snapshot<CoinList>) => records.ofCoins(Snapshot.map(list, ({ coins }) => coins))
      const rounds = Effect.all([
        offering(coins.list, ofList, timeOf, toObservations),
        offering(naira.rate, records.ofNaira, timeOf, toObservations),
        offering(exchangeRates.current, records.ofFx, closeOf, toDays),
        offering(official, records.ofOfficial, closeOf, toDays)
      ])
      yield* rounds.pipe(Effect.repeat(Schedule.spaced(EVERY)), Effect.forkScoped({ startImmediately: true }))
    })
  )

export const layer: Layer.Layer<never, Config.ConfigError> = layerNoDeps.pipe(
  Layer.provide([Coins.layer, ExchangeRates.layer, Naira.layer, OfficialRates.layer])
)
