// The Central Bank of Nigeria's website API: daily averages of the NFEM window, and the history of all currencies. The rates are
// entered by hand on weekday afternoons, with blanks, contradicting duplicates, one currency's rate under another's label, days
// out of order and rows from years ago. A rate that jumps from the days before is withheld until the next day confirms it.
import { DateTime, Effect, Option, Order, Predicate, Schema } from "effect"
import { type DayRate, startOfDay } from "../../domain/FxRates.ts"
import { OFFICIAL_FIAT, OfficialRate } from "../../domain/OfficialRate.ts"
import { isPossibleRate, officialRate } from "../../domain/PlausibleRates.ts"
import { CBN_DAYS } from "../../domain/Thresholds.ts"
import { dayRates } from "../../history/model/PlausiblePast.ts"
import type { Urgency } from "../client/Budget.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** Older rows are ignored for the current rate. */
const OLDEST_DAYS = 365

const NfemRow = Schema.Struct({ ratedate: WireFormat.Text, weightedAvgRate: WireFormat.BlankableDecimal })

const ExchangeRow = Schema.Struct({ ratedate: WireFormat.Text, centralrate: WireFormat.BlankableDecimal })

/** The official naira rate, from its publisher. */
export class Cbn extends SourceService<
  Cbn,
  {
    /** The weighted daily average of the NFEM window, CBN's headline rate. */
    readonly nfem: DataSet.DataSet<OfficialRate>
    /**
     * The dollar's central rate in the table of all currencies. It is 0.50 NGN below the NFEM average, which that table calls
     * the selling rate. Frankfurter relays the central rate.
     */
    readonly all_rates: DataSet.DataSet<OfficialRate>
    /** The dollar's plausible central rates of all days since 2001, oldest first. Takes a separate call of 8 MB. */
    readonly days: (urgency: Urgency) => Fetched<ReadonlyArray<DayRate>>
  }
>()("crypto-data-api/sources/fx/Cbn", catalog.CBN, function* (connect) {
  const window = yield* connect({ timeoutSeconds: 15, maxBytes: 2 * 1024 * 1024 })
  // The history always has 62,000 rows and 8 MB, so it is fetched twice a day, and at most four times with failures.
  const archive = yield* connect({
    allowances: [{ calls: 4, per: "1 day", onDemand: 2 }],
    budget: "archive",
    retries: 0,
    timeoutSeconds: 60,
    maxBytes: 32 * 1024 * 1024,
    maxValues: 3_000_000
  })

  const believe = Effect.fn("Cbn.believe")(function* ({ published, retrievedAt }: Published) {
    const days = publishedDays(published)
    const value = days.findLast((day) => day.believed)
    if (value === undefined) return yield* window.error(new Unusable({ detail: "no credible rate of the past year" }))
    for (const day of days.filter((day) => day.date > value.date)) {
      yield* Effect.logWarning(`${window.name}: the rate of ${day.date} is implausible, and is ignored`)
    }
    const observedAt = DateTime.min(startOfDay(value.date), retrievedAt)
    return { value: { rate: value.rate, date: value.date }, observedAt, retrievedAt }
  })

  const fetchNfem = Effect.gen(function* () {
    const { body, retrievedAt } = yield* window.get("/api/GetAllNFEM_Rates", WireFormat.Rows(3_000))
    const good = yield* window.usable("rates", WireFormat.rows(NfemRow, body))
    const when = lately(retrievedAt, OLDEST_DAYS)
    const published = good.flatMap((row) => toRate(row.ratedate, row.weightedAvgRate, when))
    return yield* believe({ published, retrievedAt })
  })

  const fetchDollars = Effect.fnUntraced(function* (oldestDays: number, urgency: Urgency) {
    const { body, ...times } = yield* archive.get("/api/GetAllExchangeRates", WireFormat.Rows(200_000), { urgency })
    const when = lately(times.retrievedAt, oldestDays)
    const dollars = body.filter((row) => isDollar(row) && Option.exists(dayOf(row.ratedate), when))
    const good = yield* archive.usable("rates", WireFormat.rows(ExchangeRow, dollars))
    return { published: good.flatMap((row) => toRate(row.ratedate, row.centralrate, when)), ...times }
  })

  const fetchAll = Effect.map(
    Effect.flatMap(fetchDollars(OLDEST_DAYS, "scheduled"), believe),
    ({ value, ...stamp }) => ({
      value: { ...value, isCentral: true },
      ...stamp
    })
  )

  const fetchDays = Effect.fn("Cbn.days")(function* (urgency: Urgency) {
    const { published, ...times } = yield* fetchDollars(Infinity, urgency)
    const value = publishedDays(published).flatMap(({ believed, date, rate }) =>
      believed ? [{ code: OFFICIAL_FIAT, date, rate }] : []
    )
    return { value, ...times }
  })

  return {
    days: (urgency) => archive.lookUp("past", dayRates, fetchDays(urgency)),
    nfem: yield* window.dataSet("nfem", {
      every: "30 minutes",
      fetch: fetchNfem,
      check: officialRate,
      schema: OfficialRate
    }),
    all_rates: yield* archive.dataSet("all", {
      every: "12 hours",
      fetch: fetchAll,
      check: officialRate,
      schema: OfficialRate
    })
  }
}) {}

const isDollar = (row: unknown): row is { readonly ratedate: string } =>
  Predicate.isObject(row) &&
  Predicate.hasProperty(row, "currency") &&
  Predicate.hasProperty(row, "ratedate") &&
  typeof row.currency === "string" &&
  typeof row.ratedate === "string" &&
  row.currency.trim().toUpperCase() === "US DOLLAR"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** `2026-02-18` and `February-18-2026` as `YYYY-MM-DD`; none for a day that does not exist. */
const dayOf = (text: string): Option.Option<string> => {
  const [, month = "", date = "", year] = /^([a-z]{3})[a-z]*-(\d{1,2})-(\d{4})$/i.exec(text.trim()) ?? []
  const monthNumber = months.indexOf(month.toLowerCase()) + 1
  const day =
    year === undefined ? text.trim() : `${year}-${String(monthNumber).padStart(2, "0")}-${date.padStart(2, "0")}`
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return Option.none()
  return DateTime.make(`${day}T00:00:00Z`).pipe(
    Option.map(DateTime.formatIsoDateUtc),
    Option.filter((same) => same === day)
  )
}

/** Tests whether a day is among the last `days` or tomorrow, in Lagos time (UTC + 1 h all year). */
const lately = (now: DateTime.Utc, days: number) => {
  const today = DateTime.add(now, { hours: 1 })
  const oldest = days === Infinity ? "" : DateTime.formatIsoDateUtc(DateTime.subtract(today, { days }))
  const tomorrow = DateTime.formatIsoDateUtc(DateTime.add(today, { days: 1 }))
  return (day: string): boolean => oldest <= day && day <= tomorrow
}

const toRate = (ratedate: string, rate: number | null, when: (day: string) => boolean): ReadonlyArray<OfficialRate> =>
  rate === null || !isPossibleRate(rate)
    ? []
    : dayOf(ratedate).pipe(
        Option.filter(when),
        Option.map((date) => ({ rate, date })),
        Option.toArray
      )

interface Published {
  readonly published: ReadonlyArray<OfficialRate>
  readonly retrievedAt: DateTime.Utc
}

interface PublishedDay extends OfficialRate {
  readonly believed: boolean
}

/**
 * One rate per day, oldest first: of several, the one nearest to the two days before. A day is `believed` if it is within
 * `CBN_DAYS` of one of these two, believed or not. So one wrong day does not discredit the next, and the second day after
 * a devaluation confirms the new level. A first day with contradicting rates is dropped.
 */
const publishedDays = (rows: ReadonlyArray<OfficialRate>): ReadonlyArray<PublishedDay> => {
  const byDay = Map.groupBy([...rows].sort(Order.mapInput(Order.String, (row) => row.date)), (row) => row.date)
  const days: Array<PublishedDay> = []
  for (const published of byDay.values()) {
    const before = days.slice(-2)
    const distance = ({ rate }: OfficialRate) => Math.min(...before.map((day) => Math.abs(rate / day.rate - 1)))
    const [nearest] = [...published].sort(Order.mapInput(Order.Number, distance))
    if (nearest === undefined) continue
    if (before.length > 0) days.push({ ...nearest, believed: distance(nearest) <= CBN_DAYS })
    else if (published.every((row) => row.rate === nearest.rate)) days.push({ ...nearest, believed: true })
  }
  return days
}
