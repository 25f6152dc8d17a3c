// `history status|export|backup` look at the record, also while a server writes to it; `history backfill` and `history restore` fill
// it. Standard output carries the result alone.
import { Clock, Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql/SqlClient"
import { HistoryDay } from "../api/HistoryParameters.ts"
import { choosePoints } from "../history/model/choosePoints.ts"
import { reachOfAny } from "../history/model/Coverage.ts"
import { foldFx, fxHistory } from "../history/model/fxHistory.ts"
import type { HistoryRange } from "../history/model/HistoryRange.ts"
import { bucketOf, dayOf, type Interval, isFinal, lengthOf, startOfDay } from "../history/model/Interval.ts"
import { foldMarket, marketHistory } from "../history/model/marketHistory.ts"
import { type Fold, inPeriods, lastDayOf, type Period, startOfPeriod } from "../history/model/Period.ts"
import { foldPrices, type PricePoint } from "../history/model/priceHistory.ts"
import * as HistoryReader from "../history/store/HistoryReader.ts"
import * as Migrations from "../history/store/Migrations.ts"
import { restore } from "../history/store/Restore.ts"
import * as SeriesName from "../history/store/SeriesName.ts"
import * as SqliteClient from "../history/store/SqliteClient.ts"
import { fxTable, type HistoryTable, historyCsv, marketTable, priceTable } from "../http/handlers/HistoryTables.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import { connectionFailure } from "../domain/connectionFailure.ts"
import * as Settings from "../node/Settings.ts"
import { imported, json, readBy, withResultAlone } from "./CommandOutput.ts"
import { exists, layerDatabase, sqliteFile } from "./HistoryDatabase.ts"
import { userError } from "../node/StartError.ts"

const readable = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, (failure) =>
    failure instanceof CliError.UserError
      ? failure
      : userError(
          `The history cannot be used: ${connectionFailure(failure)}. Try again; if that fails too, run \`doctor\`.`
        )
  )

const SPOTS = "fiats of exchanges"

/** The line of a series in the status: all coins share one, and so do all fiats, and those of exchanges. */
const lineOf = (series: string): string => {
  const kind = series === SeriesName.OFFICIAL ? undefined : SeriesName.parse(series)?.kind
  return kind === "coin" ? "coins" : kind === "fiat" ? "fx" : kind === "spot" ? SPOTS : series
}

/** The series of each line of the status. Markets and fiats of exchanges are there once they are recorded, the other lines always. */
const linesOf = (names: ReadonlyArray<string>) => {
  const byLine = Map.groupBy(names, lineOf)
  const [naira, official, ...others] = [SeriesName.p2p(usualMarket.fiat), SeriesName.OFFICIAL, ...byLine.keys()]
  const markets = others.filter((line) => line !== naira && SeriesName.parse(line)?.kind === "market")
  const spots = byLine.has(SPOTS) ? [SPOTS] : []
  return ["coins", naira, ...markets.toSorted(), official, "fx", ...spots].map(
    (line) => [line, byLine.get(line) ?? []] as const
  )
}

/** The bytes that the tables of the history and their indexes take. */
const size = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ bytes: number | bigint }>`${sql.literal(
    sql.onDialectOrElse({
      pg: () =>
        "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0)::BIGINT AS bytes FROM pg_class " +
        "WHERE relkind = 'r' AND relname LIKE 'history\\_%' AND relnamespace = current_schema()::regnamespace",
      orElse: () => "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
    })
  )}`
  return Number(rows[0]?.bytes ?? 0)
})

const status = Command.make(
  "status",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const reader = yield* HistoryReader.make
    const rows = yield* readable(
      Effect.forEach(linesOf(yield* readable(reader.names(""))), ([kind, names]) =>
        Effect.gen(function* () {
          if (names.length === 0) return { kind, series: 0, first: null, last: null, days: 0, missing: 0 }
          const reach = reachOfAny((yield* reader.spans("day", names)).values())
          // On weekends and holidays no rates are published.
          const isPublished = kind === "fx" || kind === SeriesName.OFFICIAL
          const { buckets, missing } = yield* reader.count("day", names, isPublished)
          const [first, last] = reach === undefined ? [null, null] : [dayOf(reach.first), dayOf(reach.last)]
          return { kind, series: names.length, first, last, days: buckets, missing }
        })
      )
    )
    const bytes = yield* readable(size)
    const setAside = Option.isSome(yield* Settings.history.databaseUrl)
      ? []
      : yield* SqliteClient.setAside(yield* sqliteFile)
    if (json) return yield* Console.log(JSON.stringify({ kinds: rows, bytes, set_aside: setAside }))
    for (const { days, first, kind, last, missing, series } of rows) {
      const span = first === null ? "nothing yet" : `${first} to ${last}  ${days} days, ${missing} missing`
      yield* Console.log(`${kind.padEnd(9)} ${String(series).padStart(4)} series  ${span}`)
    }
    yield* Console.log(`${(bytes / 1e6).toFixed(1)} MB`)
    for (const file of setAside) yield* Console.log(`damaged file: ${file}  (recover with: history restore ${file})`)
  })
).pipe(Command.withDescription("Show the number of series, the days they cover, the missing days, and the size"))

type Foldable = Pick<PricePoint, "bucket" | "source" | "observedAt" | "revisedAt">

/** The points to export: the first and the last bucket of days or hours. Without `first` from the first that is recorded, without `last` to the running one. */
interface ExportRange {
  readonly interval: Interval
  /** Set where the points are weeks or months of these days. */
  readonly period: Period | undefined
  readonly first: number | undefined
  readonly last: number | undefined
}

/** A series in a range, as the endpoint of its history has it in CSV; none where nothing of it is recorded. */
const exported = Effect.fnUntraced(function* ({ key, kind }: SeriesName.Parsed, asked: ExportRange) {
  const { interval, period } = asked
  const reader = yield* HistoryReader.make
  const now = yield* Clock.currentTimeMillis
  // A week or month is made from all of its days.
  const whole = (bucket: number) => (period === undefined ? bucket : startOfPeriod(period, bucket))
  const lastBucket = (bucket: number) => (period === undefined ? bucket : lastDayOf(period, bucket))
  const first = asked.first === undefined ? undefined : whole(asked.first)
  const last = Math.min(lastBucket(asked.last ?? now), bucketOf(interval, now))
  const range = { interval, first: first ?? 0, last }
  const pointsOf = Effect.fnUntraced(function* (name: string, within: HistoryRange = range) {
    const found = yield* reader.points(within, [name])
    return choosePoints(within.interval, found.get(name) ?? [], SeriesName.preferenceOf(name))
  })
  const csvOf = <P extends Foldable, Row>(
    table: HistoryTable<P, Row>,
    all: ReadonlyArray<P>,
    fold: Fold<P>
  ): string | undefined => {
    const points = period === undefined ? all : inPeriods(period, last, all, fold)
    const rows = points.map((point) =>
      table.row({ ...point, isFinal: isFinal(interval, lastBucket(point.bucket), now) })
    )
    return rows.length === 0 ? undefined : historyCsv(table, rows)
  }
  if (kind === "coin") return csvOf(priceTable(key, "USD", period), yield* pointsOf(SeriesName.coin(key)), foldPrices)
  const official = SeriesName.fiat(key)
  if (kind === "fiat" || kind === "spot") {
    const points = yield* pointsOf(kind === "fiat" ? official : SeriesName.spot(key))
    return csvOf(fxTable(period), fxHistory(new Map([[key, points]])), foldFx)
  }
  const points = yield* pointsOf(SeriesName.p2p(key))
  const from = first ?? whole(points[0]?.bucket ?? now)
  const day = bucketOf("day", from)
  const before = yield* reader.lastBucket("day", official, day)
  const rates = yield* pointsOf(official, { interval: "day", first: before ?? day, last })
  const isDaily = interval === "day" && period === undefined
  const fixings = isDaily ? yield* reader.fixings(SeriesName.p2p(key), from, last) : []
  return csvOf(marketTable(key, period), marketHistory(interval, points, rates, from, fixings), foldMarket)
})

/** The most coins and fiats in the text of an error, each. */
const MOST_NAMED = 5

/** The recorded series in words. */
const recordedNames = Effect.gen(function* () {
  const names = yield* (yield* HistoryReader.make).names("")
  const lines = linesOf(names).flatMap(([, series]) =>
    series.length > MOST_NAMED + 1
      ? [...series.slice(0, MOST_NAMED), `${series.length - MOST_NAMED} more like ${series[0]}`]
      : series
  )
  return lines.length === 0 ? "It has no series yet." : `Its series: ${lines.join(", ")}.`
})

/** A day of the calendar, or none. */
const day = (name: string, description: string) =>
  Flag.String(name).pipe(
    readBy(name, HistoryDay, "a day of the calendar, such as 2026-11-20"),
    Flag.withDescription(description),
    Flag.optional
  )

const exporting = Command.make(
  "export",
  {
    series: Argument.String("series").pipe(
      Argument.withDescription(`The name of a series, such as ${SeriesName.examples.join(", ")}`)
    ),
    interval: Flag.Literals("interval", ["day", "hour", "week", "month"]).pipe(
      Flag.withDescription("One row for each day, hour, week or month; default: day"),
      Flag.withDefault("day" as const)
    ),
    from: day("from", "First day, YYYY-MM-DD; default: the first recorded day"),
    to: day("to", "Last day, YYYY-MM-DD; default: today")
  },
  Effect.fnUntraced(function* ({ from, interval, series, to }) {
    const parsed = SeriesName.parse(series)
    const period = interval === "week" || interval === "month" ? interval : undefined
    const step: Interval = interval === "hour" ? "hour" : "day"
    const range = {
      interval: step,
      period,
      first: Option.getOrUndefined(Option.map(from, startOfDay)),
      last: Option.getOrUndefined(Option.map(to, (day) => startOfDay(day) + lengthOf("day") - lengthOf(step)))
    }
    const text = parsed && (yield* readable(exported(parsed, range)))
    if (text === undefined) {
      return yield* userError(`The history has no ${interval}s of ${series}. ${yield* readable(recordedNames)}`)
    }
    // `Console.log` adds the last line feed.
    yield* Console.log(text.slice(0, -1))
  })
).pipe(Command.withDescription("Print a series as CSV, with the columns of the API"))

const backup = Command.make(
  "backup",
  { file: Argument.String("file").pipe(Argument.withDescription("Where to write the copy. The file must not exist")) },
  Effect.fnUntraced(function* ({ file }) {
    const sql = yield* SqlClient
    const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    if (isShared) return yield* userError("The history is in PostgreSQL: use pg_dump.")
    if (yield* exists(file)) return yield* userError(`${file} already exists. Choose another name.`)
    yield* Effect.mapError(sql`VACUUM INTO ${file}`, (failure) => {
      const advice = "Check that its folder exists, is writable and has room."
      return userError(`The copy ${file} cannot be written: ${connectionFailure(failure)}. ${advice}`)
    })
  })
).pipe(Command.withDescription("Write a consistent copy of the SQLite file. The server may be running"))

const restoring = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A damaged SQLite file that the service renamed, or a backup")
    )
  },
  Effect.fnUntraced(function* ({ file }) {
    if (!(yield* exists(file))) return yield* userError(`${file} does not exist.`)
    yield* readable(Migrations.run())
    const restored = Effect.catchTag(restore(file), "NoHistory", ({ reason }) =>
      userError(`${file} is no history: ${reason}. Name a backup, or a damaged file that \`history status\` lists.`)
    )
    const { observations, points, unreadable } = yield* readable(restored)
    yield* Console.log(`Added ${observations} observations and ${points} points.`)
    if (unreadable > 0)
      return yield* userError(`Parts of ${unreadable} series cannot be read. Everything readable was added.`)
  })
).pipe(Command.withDescription("Add the readable data of a damaged file or a backup to the current history"))

const backfill = Command.make("backfill", {}, () => imported(() => import("./HistoryBackfill.ts"))).pipe(
  Command.withDescription("Fetch past data from the sources that offer it. Continues where the last run stopped")
)

export const history = Command.make("history").pipe(
  Command.withDescription("Show, export, fill, back up and restore the recorded history"),
  Command.withSubcommands([
    Command.provide(status, layerDatabase()),
    Command.provide(exporting, layerDatabase()),
    Command.provide(backup, layerDatabase()),
    Command.provide(restoring, layerDatabase(false)),
    backfill
  ]),
  withResultAlone
)
