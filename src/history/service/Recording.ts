// Offers every snapshot that the services believe to the record. It looks often and offers what is new, so that neither a
// refresh nor a request waits for it.
import { type Config, Effect, Layer, Schedule } from "effect"
import { History } from "../store/History.ts"
import * as HistoryMetrics from "../store/HistoryMetrics.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import type { Observation, Point } from "../model/Point.ts"
import type { Offer } from "../store/Recorder.ts"
import * as SnapshotRows from "../store/SnapshotRows.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import { Coins } from "../../services/Coins.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { Naira } from "../../services/Naira.ts"
import { OfficialRates } from "../../services/OfficialRates.ts"

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
        }).pipe(
          Effect.ignore,
          // A bug in what is made of one snapshot must not end the record of all.
          Effect.catchDefect((defect) => HistoryMetrics.defect("a snapshot is not recorded", defect))
        )
      }

      const official = Effect.flatMap(officialRates.known, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail("missing")
      )
      const timeOf = ({ observedAt }: Observation) => String(observedAt)
      const closeOf = ({ bucket, close, origin }: Point) => `${origin} ${bucket} ${close}`
      const toObservations = (observations: ReadonlyArray<Observation>) => ({ observations })
      const toDays = (days: ReadonlyArray<Point>) => ({ days })
      const ofList = (list: Snapshot.Snapshot<CoinList>) =>
        SnapshotRows.ofCoins(Snapshot.map(list, ({ coins }) => coins))
      const rounds = Effect.all([
        offering(coins.list, ofList, timeOf, toObservations),
        offering(naira.rate, (rate) => SnapshotRows.ofP2p("NGN", rate), timeOf, toObservations),
        offering(exchangeRates.current, SnapshotRows.ofFx, closeOf, toDays),
        offering(official, SnapshotRows.ofOfficial, closeOf, toDays)
      ])
      yield* rounds.pipe(Effect.repeat(Schedule.spaced(EVERY)), Effect.forkScoped({ startImmediately: true }))
    })
  )

export const layer: Layer.Layer<never, Config.ConfigError> = layerNoDeps.pipe(
  Layer.provide([Coins.layer, ExchangeRates.layer, Naira.layer, OfficialRates.layer])
)
