// What a backfill writes: points that sources published, and marks that say which pieces of work are done. A mark is
// written after its points, so that a piece that was interrupted is done again; the key of the points makes that harmless.
// Of several processes over one database one fills it at a time: the one that has the lease.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Interval } from "../model/Interval.ts"
import type { NewPoint } from "./HistoryRows.ts"
import * as HistoryWriter from "./HistoryWriter.ts"

const PREFIX = "backfill/"

/** The row that holds until when a process has the lease. The time also tells whose lease it is: each process knows its own. */
const LEASE = "lease/backfill"

/** Makes the store over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { addPoints } = yield* HistoryWriter.make

  /** Commits the points of a piece of work, then its mark: when it was fetched, epoch milliseconds. */
  const recordPiece = Effect.fn("BackfillStore.recordPiece")(function* (
    piece: string,
    fetchedAt: number,
    points: ReadonlyArray<NewPoint>,
    interval: Interval = "day"
  ) {
    if (points.length > 0) yield* addPoints(interval, points)
    yield* sql`
      INSERT INTO history_progress ${sql.insert({ name: PREFIX + piece, until: fetchedAt })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until`
  })

  const pieces = Effect.fn("BackfillStore.pieces")(function* () {
    const rows = yield* sql<{ name: string; until: number | bigint }>`
      SELECT name, until FROM history_progress WHERE name LIKE ${`${PREFIX}%`}`
    return new Map(rows.map(({ name, until }) => [name.slice(PREFIX.length), Number(until)]))
  })

  const lease = Effect.fn("BackfillStore.lease")(function* (until: number, held: number) {
    const now = yield* Clock.currentTimeMillis
    const taken = yield* sql`
      INSERT INTO history_progress ${sql.insert({ name: LEASE, until })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until
        WHERE history_progress.until <= ${now} OR history_progress.until = ${held}
      RETURNING until`
    return taken.length > 0
  })

  return { recordPiece, pieces, lease }
})

export type BackfillStore = Effect.Success<typeof make>
