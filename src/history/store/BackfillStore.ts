// Stores backfilled points, and marks for the pieces of work that are done. A mark is written after its points, so an
// interrupted piece is done again. That is harmless, because points are unique by key. Processes with a common database
// divide the work by claims, which expire.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Interval } from "../model/Interval.ts"
import { OWN_RECORD, type Point } from "../model/Point.ts"
import * as HistoryWriter from "./HistoryWriter.ts"
import * as SeriesName from "./SeriesName.ts"

const PREFIX = "backfill/"

/** The prefix of rows that record when a coin was last fetched for a caller. */
const ASKED = "asked/"

/** How many such coins are kept, and how many are dropped at a time. */
export const CALLERS_COINS = 250
const DROPPED_AT_ONCE = 20

/** When a piece was last fetched, and since when its source has had no data for it; null if it has some. */
export interface Fetched {
  readonly fetchedAt: number
  readonly emptySince: number | null
}

/** Makes the store over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { addPoints, writing } = yield* HistoryWriter.make
  let backfilled = 0

  /** Drops the least recently fetched coins beyond the bound. Coins that the service observes itself keep their points. */
  const dropLeastRecent = Effect.gen(function* () {
    const rows = yield* sql<{ name: string }>`
      SELECT name FROM history_progress WHERE name LIKE ${`${ASKED}%`}
      ORDER BY until DESC, name LIMIT ${DROPPED_AT_ONCE} OFFSET ${CALLERS_COINS}`
    const ids = rows.map(({ name }) => name.slice(ASKED.length))
    if (ids.length === 0) return []
    yield* sql`
      DELETE FROM history_points WHERE series IN (
        SELECT id FROM history_series s WHERE ${sql.in("name", ids.map(SeriesName.coin))}
          AND NOT EXISTS (SELECT 1 FROM history_observations o WHERE o.series = s.id)
          AND NOT EXISTS (SELECT 1 FROM history_points o WHERE o.series = s.id AND o.origin = ${OWN_RECORD}))`
    const pieces = ["coin", "recent", "hours"].flatMap((kind) => ids.map((id) => `${kind}/${id}`))
    const marks = [...pieces.map((piece) => PREFIX + piece), ...ids.map((id) => ASKED + id)]
    yield* sql`DELETE FROM history_progress WHERE ${sql.in("name", marks)}`
    return pieces
  })

  /**
   * Commits the points of a piece of work, then its mark: when it was fetched (epoch milliseconds), and whether it had
   * points. `caller` is the coin of a caller. Returns the pieces of other coins that were dropped for it.
   * Without `isWhole` no mark is written, so the piece is fetched again.
   */
  const recordPiece = Effect.fn("BackfillStore.recordPiece")(function* (
    piece: string,
    fetchedAt: number,
    points: ReadonlyArray<Point>,
    interval: Interval = "day",
    caller?: string,
    isWhole = true
  ) {
    yield* addPoints(interval, points)
    if (!isWhole) return []
    const mark = { name: PREFIX + piece, until: fetchedAt, empty_since: points.length === 0 ? fetchedAt : null }
    yield* sql`
      INSERT INTO history_progress ${sql.insert(mark)} ON CONFLICT (name) DO UPDATE SET until = excluded.until, empty_since =
        CASE WHEN excluded.empty_since IS NOT NULL THEN COALESCE(history_progress.empty_since, excluded.empty_since) END`
    backfilled++
    if (caller === undefined) return []
    const noted = sql`INSERT INTO history_progress ${sql.insert({ name: ASKED + caller, until: fetchedAt })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until`
    return yield* writing(Effect.andThen(noted, dropLeastRecent))
  }, Effect.withTracerEnabled(false))

  /** The last fetch of all pieces, or of one, by name. */
  const pieces = Effect.fn("BackfillStore.pieces")(function* (one?: string) {
    const rows = yield* sql<Fetched & { readonly name: string }>`
      SELECT SUBSTR(name, ${PREFIX.length + 1}) AS name, CAST(until AS DOUBLE PRECISION) AS "fetchedAt",
        CAST(empty_since AS DOUBLE PRECISION) AS "emptySince"
      FROM history_progress WHERE ${one === undefined ? sql`name LIKE ${`${PREFIX}%`}` : sql`name = ${PREFIX + one}`}`
    return new Map(rows.map(({ name, ...fetched }): [string, Fetched] => [name, fetched]))
  })

  /**
   * Claims the row with this name until a time, or prolongs the claim that ends at `claimedUntil`. The end also
   * identifies the owner of a claim. Returns `false` while another process has it.
   */
  const claim = Effect.fn("BackfillStore.claim")(function* (name: string, until: number, claimedUntil = 0) {
    const now = yield* Clock.currentTimeMillis
    const taken = yield* sql`
      INSERT INTO history_progress ${sql.insert({ name, until })}
      ON CONFLICT (name) DO UPDATE SET until = excluded.until
        WHERE history_progress.until <= ${now} OR history_progress.until = ${claimedUntil}
      RETURNING until`
    return taken.length > 0
  })

  /** Releases the claim that ends at `until`. */
  const unclaim = (name: string, until: number) =>
    Effect.asVoid(sql`DELETE FROM history_progress WHERE name = ${name} AND until = ${until}`)

  return { recordPiece, backfilled: () => backfilled, pieces, claim, unclaim }
})

export type BackfillStore = Effect.Success<typeof make>
