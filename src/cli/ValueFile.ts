// Values the rows of a CSV file in batches: the same rows in the same order, each with its values, where they are from, or a reason.
import { Clock, Console, Effect, FileSystem, Stream } from "effect"
import { USDT } from "../domain/CoinId.ts"
import { multiplierOf } from "../domain/Conversion.ts"
import { derived, plain, plainDecimal } from "../domain/Decimal.ts"
import { endOf } from "../history/model/Moment.ts"
import { joinSources } from "../domain/Snapshot.ts"
import { timeOf } from "../history/model/Interval.ts"
import { inert } from "../http/response/Csv.ts"
import { ONLY_MIDDLE } from "../services/history/PastRates.ts"
import { inNaira, type Question, type RecordedPrice, type Sides } from "../services/history/RecordedPrices.ts"
import type { MinuteCandles, MinutePrice } from "../services/MinuteCandles.ts"
import { type CsvRecord, reader, written } from "./CsvRecords.ts"
import { barOf, type Screen } from "./Progress.ts"
import { type Asked, askedIn, type Columns, columnsOf, type Reading } from "./ValueRows.ts"
import type { Answer, ValueSource } from "./ValueSource.ts"

/** The columns that are added. */
export const ADDED = ["ngn", "usd", "rate", "kind", "source", "observed", "confidence", "method", "reason", "age"]

/** Rows that are valued together. */
export const BATCH = 250

const CHUNK = 65_536

/** The file cannot be valued at all. */
export class UnusableFile extends Error {}

const fiatOf = ({ asset }: Asked): string | undefined =>
  asset._tag === "Fiat" && asset.code !== "NGN" && asset.code !== "USD" ? asset.code : undefined

/** The coin whose price values a row: of a fiat it is USDT, which has a price in each. */
const questionOf = (asked: Asked): Question => {
  const { asset, moment } = asked
  return { id: asset._tag === "Coin" ? asset.id : USDT, moment, fiat: fiatOf(asked) }
}

const usdtAt = ({ moment }: Asked): Question => ({ id: USDT, moment })

const keyOf = ({ fiat = "", id, moment }: Question): string => `${moment._tag} ${endOf(moment)} ${fiat} ${id}`

type Failed = { readonly reason: string }
const isFailed = (answer: object): answer is Failed => "reason" in answer

/** Naira and dollars for 1 unit of the asset; `null` where they are not known. */
interface UnitValues {
  readonly ngn: number | null
  readonly usd: number | null
}

const over = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : derived(one / other)

/** `street`: naira for 1 USDT, of the row's side. */
const ofFiat = (code: string, { USD = null, ...price }: RecordedPrice["price"], street: number | null): UnitValues => {
  if (code === "NGN") return { ngn: 1, usd: over(USD, street) }
  const units = code === "USD" ? USD : (price[code] ?? null)
  return { ngn: over(street, units), usd: code === "USD" ? 1 : over(USD, units) }
}

const valuesOf = (
  asked: Asked,
  { price }: RecordedPrice,
  usdt: Answer | undefined,
  sides: Sides | undefined
): UnitValues => {
  const { asset, side } = asked
  const { NGN = null, USD = null } = price
  const own = side === undefined ? undefined : (sides?.[side] ?? null)
  if (asset._tag === "Fiat") return ofFiat(asset.code, price, own === undefined ? NGN : own && derived(own))
  if (own === undefined || NGN === null) return { ngn: NGN, usd: USD }
  const dollars = usdt === undefined || isFailed(usdt) ? null : (usdt.price["USD"] ?? null)
  if (own === null || USD === null || dollars === null) return { ngn: null, usd: USD }
  return { ngn: asset.id === USDT ? derived(own) : inNaira(USD, dollars, derived(own)), usd: USD }
}

const NUMBER = /^[+-]?\d+([.,]\d+)*$/

/** A cell that spreadsheets do not run. */
const safe = (cell: string): string => (NUMBER.test(cell) ? cell : inert(cell))

interface Options extends Reading {
  readonly screen: Screen
  /** Prices at the minute, if they are wanted. */
  readonly minutes?: MinuteCandles["Service"]["at"] | undefined
}

/** A coin's answer with its price at the minute, and the naira of the record. */
const atMinute = (
  answer: RecordedPrice,
  usdt: RecordedPrice,
  { observedAt, price, source }: MinutePrice
): RecordedPrice => {
  const { NGN = null, USD = null } = usdt.price
  return {
    ...answer,
    price: { ...answer.price, USD: price, NGN: NGN === null || USD === null ? null : inNaira(price, USD, NGN) },
    source: joinSources([source, usdt.source]),
    observedAt: Math.min(observedAt, usdt.observedAt)
  }
}

/** Writes the rows of a file to the console with the added columns. Returns how many rows there were, and how many have all values. */
export const valueFile = Effect.fn("valueFile")(function* (file: string, source: ValueSource, options: Options) {
  const files = yield* FileSystem.FileSystem
  const unusable = () => new UnusableFile(`${file} cannot be read. Name a file that this user may read.`)
  const size = Number((yield* Effect.mapError(files.stat(file), unusable)).size)
  const { isTerminal, write } = options.screen
  const csv = reader()
  let columns: Columns | undefined
  let [bytes, rows, valued] = [0, 0, 0]

  const line = (cells: ReadonlyArray<string>, added: ReadonlyArray<string>, { count }: Columns): string => {
    const own = Array.from({ length: count }, (_, n) => safe(cells[n] ?? ""))
    return written([...own, ...added], csv.separator())
  }

  const valuedBatch = Effect.fnUntraced(function* (records: ReadonlyArray<CsvRecord>, columns: Columns) {
    const now = yield* Clock.currentTimeMillis
    const all = records.map((record) => askedIn(record, columns, options, now))
    const asked = all.filter((one) => typeof one !== "string")
    const sided = asked.filter(({ side }) => side !== undefined)
    const others = options.minutes === undefined ? sided : asked
    const questions = new Map([...asked.map(questionOf), ...others.map(usdtAt)].map((one) => [keyOf(one), one]))
    const moments = new Map(sided.map(({ moment }) => [endOf(moment) + moment._tag, moment]))
    const [answers, sides] = [yield* source.prices([...questions.values()]), yield* source.sides([...moments.values()])]
    const answerOf = new Map([...questions.keys()].map((key, n) => [key, answers[n]]))
    const sidesOf = new Map([...moments.keys()].map((key, n) => [key, sides[n]]))
    /** The answer to a row: from its minute, if that is wanted and an exchange has it. */
    const answerTo = Effect.fnUntraced(function* (one: Asked) {
      const { asset, moment } = one
      const answer = answerOf.get(keyOf(questionOf(one)))
      const usdt = answerOf.get(keyOf(usdtAt(one)))
      const isCoin = asset._tag === "Coin" && asset.id !== USDT
      if (options.minutes === undefined || !isCoin || moment._tag === "Day") return answer
      if (answer === undefined || isFailed(answer) || usdt === undefined || isFailed(usdt)) return answer
      const known = { coin: answer.price["USD"] ?? null, usdt: usdt.price["USD"] ?? null }
      if (known.coin === null) return answer
      const minute = yield* options.minutes(asset.id, moment.time, { coin: known.coin, usdt: known.usdt })
      return minute === undefined ? answer : atMinute(answer, usdt, minute)
    })
    const final = yield* Effect.forEach(all, (one) => (typeof one === "string" ? Effect.undefined : answerTo(one)), {
      concurrency: 8
    })
    const lines = yield* Effect.forEach(records, ({ cells }, n) => {
      const one = all[n] ?? ""
      const none = (reason: string) => Effect.succeed(line(cells, addedNone(reason), columns))
      if (typeof one === "string") return none(one)
      const answer = final[n]
      const own = sidesOf.get(endOf(one.moment) + one.moment._tag)
      if (answer === undefined || isFailed(answer)) return none(answer?.reason ?? "There is no answer.")
      if (own !== undefined && isFailed(own)) return none(own.reason)
      const values = valuesOf(one, answer, answerOf.get(keyOf(usdtAt(one))), own)
      return Effect.map(reasonOf(one, answer, values, own, source.noNaira), (reason) => {
        if (reason === "") valued++
        return line(cells, addedOf(one, answer, values, reason), columns)
      })
    })
    rows += records.length
    // The console ends the last line.
    yield* Console.log(lines.join("").slice(0, -1))
    const percent = size === 0 ? 100 : Math.min(100, Math.floor((100 * bytes) / size))
    if (isTerminal) yield* write(barOf(percent, `${rows} rows, ${percent} %`))
  })

  const batch = Effect.fnUntraced(function* (records: ReadonlyArray<CsvRecord>) {
    let some = records
    if (columns === undefined) {
      const [header = { cells: [] }] = records
      const found = header.fault === undefined ? columnsOf(header.cells, ADDED) : "Its first line is not CSV."
      if (typeof found === "string") return yield* Effect.fail(new UnusableFile(`${file}: ${found}`))
      columns = found
      some = records.slice(1)
      yield* Console.log(line(header.cells, ADDED, columns).slice(0, -1))
    }
    if (some.length > 0) yield* valuedBatch(some, columns)
  })

  yield* files.stream(file, { chunkSize: CHUNK }).pipe(
    Stream.tap((chunk) =>
      bytes === 0 && (chunk[0] ?? 0) >= 0xfe && (chunk[1] ?? 0) >= 0xfe
        ? Effect.fail(new UnusableFile(`${file} is UTF-16. Save it as CSV in UTF-8.`))
        : Effect.sync(() => void (bytes += chunk.length))
    ),
    Stream.decodeText,
    Stream.map(csv.push),
    Stream.concat(Stream.suspend(() => Stream.succeed(csv.end()))),
    Stream.flattenIterable,
    Stream.grouped(BATCH),
    Stream.runForEach(batch),
    Effect.mapError((failure) => (failure instanceof UnusableFile ? failure : unusable())),
    Effect.ensuring(isTerminal ? write("\n") : Effect.void)
  )
  if (columns === undefined) return yield* Effect.fail(new UnusableFile(`${file} is empty.`))
  return { rows, valued }
})

const addedNone = (reason: string): ReadonlyArray<string> =>
  ADDED.map((name) => (name === "reason" ? safe(reason) : ""))

const NO_FIAT = "No rate of this fiat was recorded in the 7 days before that time."

/** Why a row lacks a value; empty if it has both. */
const reasonOf = (
  { side }: Asked,
  { price }: RecordedPrice,
  { ngn, usd }: UnitValues,
  sides: Sides | undefined,
  noNaira: Effect.Effect<string>
): Effect.Effect<string> => {
  if (ngn !== null && usd !== null) return Effect.succeed("")
  if ((price["NGN"] ?? null) === null) return noNaira
  return Effect.succeed(side !== undefined && (sides?.[side] ?? null) === null ? ONLY_MIDDLE : NO_FIAT)
}

const addedOf = (
  { amount, moment }: Asked,
  { confidence, kind, method, observedAt, source }: RecordedPrice,
  { ngn, usd }: UnitValues,
  reason: string
): ReadonlyArray<string> => {
  const of = (unit: number | null) => (unit === null ? "" : plainDecimal(multiplierOf(unit)(amount)))
  const cells: Readonly<Record<string, string>> = {
    ngn: of(ngn),
    usd: of(usd),
    rate: ngn === null ? "" : plain(ngn),
    kind: ngn === null ? "" : (kind ?? ""),
    source,
    observed: timeOf(observedAt),
    confidence: ngn === null ? "" : (confidence ?? ""),
    method: ngn === null ? "" : (method ?? ""),
    reason,
    // A day's close may be observed some seconds into the next day.
    age: String(Math.max(0, Math.round((endOf(moment) - observedAt) / 1000)))
  }
  return ADDED.map((name) => safe(cells[name] ?? ""))
}
