// Publishes and reads the fixings of P2P markets. A published row is never changed. A day gets its row once its fixing is due, from the
// observations that were recorded by then, so it is the same whichever replica writes it, and however late. Times are epoch milliseconds.
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  dayIn,
  fixedRate,
  type Fixing,
  type FixingPart,
  type FixedRate,
  fixingTimes,
  zoneOf
} from "../../domain/Fixing.ts"
import { methods } from "../../domain/Methods.ts"
import { CONFIDENCES } from "../../domain/P2pRate.ts"
import { bucketsBetween, dayOf, lengthOf, startOfDay } from "../model/Interval.ts"
import type * as HistoryWriter from "./HistoryWriter.ts"
import * as SeriesName from "./SeriesName.ts"

const DAY = lengthOf("day")

/** A market counts as followed if it was observed in so many ms before the end of a window. Other days have no fixing. */
const FOLLOWED = 7 * DAY

/** How long after a fixing is due late observations may correct it, ms: until the hours of its window are closed in every zone. */
const CORRECTED = 2 * lengthOf("hour")

/** How many days of a market are published at once. */
const AT_ONCE = 30

/** How often fixings are looked for, ms. */
const EVERY = 60_000

const Kind = Schema.NullOr(Schema.Literals(["p2p", "order_book"]))
const Parts = Schema.fromJsonString(
  Schema.Array(
    Schema.Tuple([
      Schema.Finite,
      Schema.Finite,
      Schema.NullOr(Schema.Literals(CONFIDENCES)),
      Kind,
      Schema.String,
      Schema.NullOr(Schema.String)
    ])
  )
)
const encodeParts = Schema.encodeSync(Parts)
const decodeParts = Schema.decodeUnknownEffect(Parts)

const toTuple = ({ confidence, kind, method, mid, observedAt, source }: FixingPart) =>
  [observedAt, mid, confidence, kind, source, method] as const

const fromTuple = ([observedAt, mid, confidence, kind, source, method]: ReturnType<typeof toTuple>): FixingPart => {
  return { observedAt, mid, confidence, kind, source, method }
}

type Row = Omit<FixedRate, "parts" | "reason"> & {
  readonly series: string
  readonly day: number
  readonly revision: number
  readonly reason: string | null
  readonly parts: string
  readonly method: string
  readonly publishedAt: number
}

export const makeReader = Effect.gen(function* () {
  const sql = yield* SqlClient
  /** All rows of some days, corrections after what they correct. */
  const rows = (series: string, first: number, last: number) => sql<Row>`
    SELECT s.name AS series, CAST(day AS DOUBLE PRECISION) AS day, revision, rate, confidence, kind, reason, parts, method,
      CAST(published_at AS DOUBLE PRECISION) AS "publishedAt"
    FROM history_series s CROSS JOIN history_fixings f
    WHERE s.name = ${series} AND f.series = s.id AND f.day >= ${first} AND f.day <= ${last} ORDER BY day, revision`

  /** The fixings of a market by day, oldest first, each with its newest correction. */
  const fixings = Effect.fn("Fixings.fixings")(function* (series: string, first: number, last: number) {
    const byDay = Map.groupBy(yield* rows(series, first, last), ({ day }) => day)
    return yield* Effect.forEach(byDay.values(), ([first, ...corrections]) =>
      Effect.gen(function* () {
        const newest = corrections.at(-1) ?? first
        if (first === undefined || newest === undefined) return []
        const { confidence, day, kind, method, publishedAt, rate, reason } = newest
        const parts = (yield* decodeParts(newest.parts)).map(fromTuple)
        const revisedAt = newest === first ? null : publishedAt
        const fixing: Fixing = {
          day,
          rate,
          confidence,
          kind,
          reason,
          method,
          parts,
          publishedAt: first.publishedAt,
          revisedAt
        }
        return [fixing]
      })
    ).pipe(Effect.map((found) => found.flat()))
  })

  /** The first and the last day of a market that has a fixing. */
  const fixingSpan = Effect.fn("Fixings.fixingSpan")(function* (series: string) {
    const [span] = yield* sql<{ first: number | null; last: number | null }>`
      SELECT CAST(MIN(day) AS DOUBLE PRECISION) AS first, CAST(MAX(day) AS DOUBLE PRECISION) AS last
      FROM history_series s CROSS JOIN history_fixings f WHERE s.name = ${series} AND f.series = s.id`
    return { first: span?.first ?? null, last: span?.last ?? null }
  })

  return { fixings, fixingSpan }
})

/** Makes the publisher over the `SqlClient` in the context. The tables must exist (`Migrations.run`). */
export const make = Effect.fnUntraced(function* ({
  insert,
  observedUntil,
  writing
}: Pick<Effect.Success<typeof HistoryWriter.make>, "insert" | "observedUntil" | "writing">) {
  const sql = yield* SqlClient

  /** What was observed in a window, and recorded before its fixing is due. */
  const observed = (series: number, { due, from, to }: ReturnType<typeof fixingTimes>) => sql<FixingPart>`
    SELECT CAST(observed_at AS DOUBLE PRECISION) AS "observedAt", value AS mid, confidence, kind, source, method
    FROM history_observations WHERE series = ${series} AND slot >= ${from} AND slot < ${to} AND recorded_at < ${due} ORDER BY slot`

  const isFollowed = (series: number, { to }: ReturnType<typeof fixingTimes>) =>
    Effect.map(
      sql<{ slot: number }>`SELECT 1 AS slot FROM history_observations
        WHERE series = ${series} AND slot >= ${to - FOLLOWED} AND slot < ${to} LIMIT 1`,
      (rows) => rows.length > 0
    )

  /** The first day from `begin` on for which a market can have a fixing: it was observed in the 7 days before. */
  const firstFollowed = Effect.fnUntraced(function* (series: number, zone: string, begin: number) {
    const since = fixingTimes(zone, dayOf(begin)).to - FOLLOWED
    const [found] = yield* sql<{ slot: number | bigint | null }>`
      SELECT MIN(slot) AS slot FROM history_observations WHERE series = ${series} AND slot >= ${since}`
    if (found === undefined || found.slot === null) return undefined
    return Math.max(begin, startOfDay(dayIn(zone, Number(found.slot))))
  })

  /** Publishes the days of a market that are due, and corrects the newest ones. Returns whether there may be more. */
  const publishMarket = Effect.fnUntraced(function* (series: number, zone: string, now: number) {
    const [newest] = yield* sql<{ last: number | bigint | null }>`
      SELECT MAX(day) AS last FROM history_fixings WHERE series = ${series}`
    const last = Number(newest?.last ?? -Infinity)
    // What comes after the newest observation is not known yet, whatever the clock says.
    const known = yield* observedUntil
    const today = startOfDay(dayIn(zone, Math.min(now, known)))
    const first = yield* firstFollowed(series, zone, Math.max(0, last + DAY))
    const until = first === undefined ? -Infinity : Math.min(today, first + (AT_ONCE - 1) * DAY)
    const days = new Set(first === undefined ? [] : bucketsBetween("day", first, until))
    // Late observations correct them.
    for (const day of [today - DAY, today]) days.add(day)
    for (const day of [...days].toSorted((a, b) => a - b)) {
      const times = fixingTimes(zone, dayOf(day))
      const isOpen = now < times.due + CORRECTED
      if (now < times.due || known < times.to || (day <= last && !isOpen) || !(yield* isFollowed(series, times)))
        continue
      const { parts, ...rate } = fixedRate(yield* observed(series, times))
      const row = { ...rate, parts: encodeParts(parts.map(toTuple)) }
      const [former] = yield* sql<{ revision: number; parts: string }>`
        SELECT revision, parts FROM history_fixings WHERE series = ${series} AND day = ${day} ORDER BY revision DESC LIMIT 1`
      if (former?.parts === row.parts) continue
      const revision = former === undefined ? 0 : former.revision + 1
      yield* insert("history_fixings", [{ series, day, revision, ...row, method: methods.fixing, published_at: now }])
    }
    return until > -Infinity && until < today
  })

  let passedAt = -Infinity
  /** Publishes what is due, market by market. Returns whether there is more to do. */
  const publish = Effect.fn("Fixings.publish")(function* () {
    const now = yield* Clock.currentTimeMillis
    if (Math.floor(now / EVERY) === Math.floor(passedAt / EVERY)) return false
    const all = yield* sql<{ id: number; name: string }>`SELECT id, name FROM history_series ORDER BY id`
    let isMore = false
    for (const { id, name } of all) {
      const market = SeriesName.isP2p(name) ? SeriesName.parse(name) : undefined
      if (market === undefined) continue
      isMore = (yield* writing(publishMarket(id, zoneOf(market.key), now))) || isMore
    }
    if (!isMore) passedAt = now
    return isMore
  })

  return publish
})
