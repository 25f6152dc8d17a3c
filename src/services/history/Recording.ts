// Offers accepted snapshots to the history. It polls for new ones, so that neither a refresh nor a request waits for
// it.
import { type Config, Effect, Layer, Metric } from "effect"
import { loop } from "../../domain/loop.ts"
import { History } from "../../history/store/History.ts"
import * as HistoryMetrics from "../../history/store/HistoryMetrics.ts"
import { isObservation, type Row } from "../../history/model/Point.ts"
import * as SnapshotRows from "../../history/store/SnapshotRows.ts"
import { Coins } from "../Coins.ts"
import { ExchangeRates } from "../ExchangeRates.ts"
import { P2pMarkets } from "../P2pMarkets.ts"
import { OfficialRates } from "../OfficialRates.ts"

/** No data set is polled more often than every 20 seconds. */
const EVERY = "5 seconds"

/** The least time between two observations of a series, in milliseconds: exchange prices change all the time. */
const APART = 60_000

/** Whether a row is new after the last one of its series: an observation by its time, a published day by its value. */
const isNew = (row: Row, last: Row | undefined): boolean => {
  if (last === undefined || isObservation(row) !== isObservation(last)) return true
  if (isObservation(row) || isObservation(last)) return Math.abs(row.observedAt - last.observedAt) >= APART
  return row.origin !== last.origin || row.bucket !== last.bucket || row.close !== last.close
}

/** Records while the scope is open, if there is a history. */
export const layerNoDeps: Layer.Layer<never, never, Coins | ExchangeRates | OfficialRates | P2pMarkets> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const history = yield* History
      if (history === undefined) return
      const coins = yield* Coins
      const exchangeRates = yield* ExchangeRates
      const { followed } = yield* P2pMarkets
      const officialRates = yield* OfficialRates

      /** Offers the new rows of each snapshot until they are queued. Those of a refused snapshot are lost once it is replaced. */
      const offering = <S, E>(read: Effect.Effect<S, E>, rowsOf: (snapshot: S) => ReadonlyArray<Row>) => {
        const queued = new Map<string, Row>()
        let last: S | undefined
        let refused: ReadonlyArray<Row> = []
        return Effect.gen(function* () {
          const snapshot = yield* read
          if (snapshot === last && refused.length === 0) return
          if (snapshot !== last) yield* Metric.update(HistoryMetrics.lost, refused.length)
          last = snapshot
          refused = []
          const rows = rowsOf(snapshot).filter((row) => isNew(row, queued.get(row.series)))
          if (!(yield* history.offer(rows))) return void (refused = rows)
          for (const row of rows) queued.set(row.series, row)
        }).pipe(
          Effect.ignore,
          // A bug in one snapshot must not stop the recording of all.
          Effect.catchDefect((defect) => HistoryMetrics.defect("a snapshot is not recorded", defect))
        )
      }

      const official = Effect.flatMap(officialRates.known, (known) =>
        known._tag === "Published" ? Effect.succeed(known.snapshot) : Effect.fail("missing")
      )
      const rounds = Effect.all([
        offering(coins.list, SnapshotRows.ofCoins),
        ...[...followed].map(([fiat, { rate }]) => offering(rate, (snapshot) => SnapshotRows.ofP2p(fiat, snapshot))),
        offering(coins.fiats, SnapshotRows.ofSpotFiats),
        offering(exchangeRates.current, SnapshotRows.ofFx),
        offering(official, SnapshotRows.ofOfficial)
      ])
      yield* Effect.forkScoped(loop("history: the recording", EVERY, rounds), { startImmediately: true })
    })
  )

export const layer: Layer.Layer<never, Config.ConfigError> = layerNoDeps.pipe(
  Layer.provide([Coins.layer, ExchangeRates.layer, OfficialRates.layer, P2pMarkets.layer])
)
