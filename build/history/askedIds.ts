// `node build/history/askedIds.ts [IDS] [DAYS]` (17,000 ids over 7 days unless given): callers ask for the past of so many ids,
// while a list of 250 coins is recorded every minute and the naira every five, over a PostgreSQL server at a distance of 1 ms. Says how
// large the record gets, how many statements a minute takes, and how long what is observed waits until it is committed.
import * as PgClient from "@effect/sql-pg/PgClient"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { argv } from "node:process"
import { bucketOf } from "../../src/history/model/Interval.ts"
import { noSides, type Observation, type Point } from "../../src/history/model/Point.ts"
import * as History from "../../src/history/store/History.ts"
import * as SeriesName from "../../src/history/store/SeriesName.ts"
import { newDatabase } from "../../test/history/store/Databases.ts"
import * as DistantPostgres from "../../test/history/store/DistantPostgres.ts"
import * as SimulatedClock from "../../test/history/store/SimulatedClock.ts"

const [ids = 17_000, days = 7] = argv.slice(2).map(Number)
const MINUTE = 60_000
const DAY = 86_400_000
const START = Date.UTC(2026, 10, 1)
const LISTED = 250
let now = START

/** What is observed in a minute: the list, and every five minutes the naira with the text of four venues. */
const observed = (minute: number): ReadonlyArray<Observation> => {
  const times = { observedAt: now - 20_000, recordedAt: now }
  const one = (series: string, venues: string | null): Observation => {
    return { series, source: "A", value: 1 + (minute % 97), ...times, ...noSides, venues }
  }
  const list = Array.from({ length: LISTED }, (_, n) => one(SeriesName.coin(`listed-${n}`), null))
  return minute % 5 === 0 ? [...list, one(SeriesName.p2p("NGN"), "x".repeat(400))] : list
}

/** A year of days of a coin, so many years back. */
const year = (id: string, years: number): ReadonlyArray<Point> =>
  Array.from({ length: 365 }, (_, n): Point => {
    const bucket = bucketOf("day", now) - (n + 1 + years * 365) * DAY
    const [origin, times] = ["Binance", { observedAt: bucket + DAY, recordedAt: now }]
    const figures = { open: null, high: null, low: null, close: 1 + n, volume: 1000 + n, revision: 0 }
    return { series: SeriesName.coin(id), bucket, origin, source: origin, ...figures, ...noSides, ...times }
  })

/** How large the tables are. */
const sizes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; megabytes: number }>`
    SELECT relname AS name, CAST(pg_total_relation_size(oid) / 1e6 AS DOUBLE PRECISION) AS megabytes FROM pg_class
    WHERE relkind = 'r' AND relname LIKE 'history_%'`
  return Object.fromEntries(rows.map(({ megabytes, name }) => [name, Math.round(megabytes)]))
})

/** What PostgreSQL does by itself, of which a week that passes in minutes leaves it no time. */
const vacuumed = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`VACUUM ANALYZE`)

const spread = (all: ReadonlyArray<number>) => {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { median: at(0.5), p99: at(0.99), most: at(1) }
}

/** A caller's question, as histories and the backfill put it to the record. */
const asking = Effect.fnUntraced(function* (history: History.HistoryService, id: string) {
  const series = [SeriesName.coin(id)]
  yield* history.ask(({ spans }) => spans("day", series))
  const pieces = ["coin", "older"].map((kind, n) =>
    history.ask(({ recordPiece }) => recordPiece(`${kind}/${id}`, now, year(id, n), "day", id))
  )
  yield* Effect.all(pieces, { concurrency: "unbounded" })
  yield* history.ask(({ points }) => points({ interval: "day", first: now - 365 * DAY, last: now }, series))
})

const program = Effect.gen(function* () {
  const database = yield* newDatabase
  const distant = yield* DistantPostgres.make(database)
  const near = PgClient.layer({ url: Redacted.make(database), maxConnections: 1 })
  yield* Effect.gen(function* () {
    const history = yield* Effect.fromNullishOr(yield* History.History)
    yield* history.ask(({ names }) => names("coin/"))
    const waits: Array<number> = []
    const statements: Array<number> = []
    let asked = 0
    for (let minute = 0; minute < days * 1440; minute++) {
      now = START + minute * MINUTE
      const [version, before, begun] = [history.version(), distant.statements(), performance.now()]
      yield* history.offer(observed(minute))
      const until = Math.floor(((minute + 1) * ids) / (days * 1440))
      const callers = Array.from({ length: until - asked }, (_, n) => asking(history, `asked-${asked + n}`))
      asked = until
      const committed = Effect.repeat(Effect.sleep("1 millis"), {
        while: () => Effect.sync(() => history.pendingSince() !== undefined || history.version() === version)
      })
      const waited = Effect.map(committed, () => waits.push(performance.now() - begun))
      yield* Effect.all([waited, ...callers], { concurrency: "unbounded" })
      statements.push(distant.statements() - before)
      if (minute % 60 === 0) yield* Effect.provide(vacuumed, near)
      if ((minute + 1) % 360 !== 0 && minute + 1 < days * 1440) continue
      yield* Effect.logInfo({
        days: (minute + 1) / 1440,
        asked,
        statementsAMinute: spread(statements),
        millisUntilCommitted: spread(waits),
        megabytes: yield* Effect.provide(sizes, near)
      })
    }
  }).pipe(
    SimulatedClock.at(() => now),
    Effect.provide(History.layerPostgres(Redacted.make(distant.url)))
  )
})

NodeRuntime.runMain(Effect.scoped(program))
