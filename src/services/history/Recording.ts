// Offers every snapshot that the services believe to the record. It looks often and offers what is new, so that neither a
// refresh nor a request waits for it.
import { type Config, Effect, Layer, Schedule } from "effect"
import { History } from "../../history/store/History.ts"
import * as HistoryMetrics from "../../history/store/HistoryMetrics.ts"
import { isObservation, type Row } from "../../history/model/Point.ts"
import * as SnapshotRows from "../../history/store/SnapshotRows.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import { Coins } from "../Coins.ts"
import { ExchangeRates } from "../ExchangeRates.ts"
import { P2pMarkets } from "../P2pMarkets.ts"
import { OfficialRates } from "../OfficialRates.ts"

/** No data set but the tickers of exchanges is refreshed more often than twice in so long. */
const EVERY = "5 seconds"

/** Of a series no observation is offered sooner after the former one, in milliseconds: prices of exchanges change all the time. */
const APART = 60_000

/** Whether a row says something new after the last one of its series: an observation by its time, a published day by its figure. */
const isNews = (row: Row, last: Row | undefined): boolean => {
  if (last === undefined || isObservation(row) !== isObservation(last)) return true
  if (isObservation(row) || isObservation(last)) return Math.abs(row.observedAt - last.observedAt) >= APART
  return row.origin !== last.origin || row.bucket !== last.bucket || row.close !== last.close
}

/** Records for as long as the scope is open, where a record is kept. */
export const layerNoDeps: Layer.Layer<never, never, Coins | ExchangeRates | OfficialRates | P2pMarkets> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const history = yield* History
      if (history === undefined) return
      const coins = yield* Coins
      const exchangeRates = yield* ExchangeRates
      const { followed } = yield* P2pMarkets
      const officialRates = yield* OfficialRates

      /** Offers the rows of a snapshot once; rows without news of their series are left out. */
      const offering = <A, E>(
        read: Effect.Effect<Snapshot.Snapshot<A>, E>,
        rowsOf: (snapshot: Snapshot.Snapshot<A>) => ReadonlyArray<Row>
      ) => {
        const offered = new Map<string, Row>()
        let last: Snapshot.Snapshot<A> | undefined
        return Effect.gen(function* () {
          const snapshot = yield* read
          if (snapshot === last) return
          last = snapshot
          const rows = rowsOf(snapshot).filter((row) => isNews(row, offered.get(row.series)))
          for (const row of rows) offered.set(row.series, row)
          yield* history.offer(rows)
        }).pipe(
          Effect.ignore,
          // A bug in what is made of one snapshot must not end the record of all.
          Effect.catchDefect((defect) => HistoryMetrics.defect("a snapshot is not recorded", defect))
        )
      }

      const official = Effect.flatMap(officialRates.known, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail("missing")
      )
      const rounds = Effect.all([
        offering(coins.list, SnapshotRows.ofCoins),
        ...[...followed].map(([fiat, { rate }]) => offering(rate, (snapshot) => SnapshotRows.ofP2p(fiat, snapshot))),
        offering(exchangeRates.current, SnapshotRows.ofFx),
        offering(official, SnapshotRows.ofOfficial)
      ])
      yield* rounds.pipe(Effect.repeat(Schedule.spaced(EVERY)), Effect.forkScoped({ startImmediately: true }))
    })
  )

export const layer: Layer.Layer<never, Config.ConfigError> = layerNoDeps.pipe(
  Layer.provide([Coins.layer, ExchangeRates.layer, OfficialRates.layer, P2pMarkets.layer])
)
