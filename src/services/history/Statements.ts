// Reads what a statement of a day is made of. Every part is what its own endpoint answers for that day, so that each can be asked again.
// A day ends at midnight of the statement's zone; coins and official rates have the UTC day of the same date, because only that is kept for ever.
import { Clock, DateTime, Effect } from "effect"
import { type Asset, nameOf } from "../../domain/Asset.ts"
import { USDT } from "../../domain/CoinId.ts"
import { derived, mean } from "../../domain/Decimal.ts"
import { leastConfidence } from "../../domain/P2pRate.ts"
import { isEnough, type PartName, type StatementPart } from "../../domain/Statement.ts"
import { bucketOf, finalAt, lengthOf, startOfDay } from "../../history/model/Interval.ts"
import type { Histories } from "./Histories.ts"
import type { Past } from "./Past.ts"

const DAY = lengthOf("day")
const HOUR = lengthOf("hour")

/** An official rate is carried forward for so many days, ms. */
const REACH = 7 * DAY

export interface StatementRequest {
  readonly from: Asset
  readonly to: Asset
  /** The fiat of the market. */
  readonly fiat: string
  /** `YYYY-MM-DD`, in the zone. */
  readonly on: string
  /** IANA. */
  readonly zone: string
}

/** Midnight at the start of a day in a zone, epoch milliseconds. */
const midnight = (zone: string, day: number): number => {
  const { day: date, month, year } = DateTime.toPartsUtc(DateTime.makeUnsafe(day))
  const parts = { year, month, day: date }
  return DateTime.makeZonedUnsafe(parts, { timeZone: zone, adjustForTimeZone: true }).epochMilliseconds
}

const split = (source: string): ReadonlyArray<string> => source.split(" + ")

const nothing = { rate: null, sources: [], observedAt: null, revisedAt: null, method: null, confidence: null } as const

/** Makes the function that reads the parts of a statement. */
export const make = (histories: Histories["Service"], past: Past["Service"]) => {
  /** The official rate of a fiat: that of the day, or the last one of the 7 days before. */
  const official = Effect.fnUntraced(function* (code: string, day: number, now: number) {
    const last = Math.min(day + REACH, bucketOf("day", now))
    const range = { interval: "day", first: day - REACH, last } as const
    const { points } = yield* histories.fx([code], { range, isFilled: false })
    const published = points.filter(({ rates }) => typeof rates[code] === "number")
    const found = published.findLast(({ bucket }) => bucket <= day)
    const isOvertaken = published.some(({ bucket }) => bucket > day) || now >= day + REACH + DAY
    return {
      ...nothing,
      name: "official",
      base: "USD",
      quote: code,
      rate: found?.rates[code] ?? null,
      reason: found === undefined ? "not_published" : null,
      sources: found === undefined ? [] : split(found.source),
      observedAt: found?.observedAt ?? null,
      revisedAt: found?.revisedAt ?? null,
      kind: null,
      first: found?.bucket ?? day - REACH,
      last: found?.bucket ?? day,
      isFinal: found?.bucket === day ? found.isFinal : isOvertaken
    } satisfies StatementPart
  })

  /** The close of a coin in USD. */
  const price = Effect.fnUntraced(function* (id: string, day: number, now: number) {
    const range = { interval: "day", first: day, last: day } as const
    const { points } = yield* histories.prices(id, "USD", { range, isFilled: false })
    const [found] = points
    return {
      ...nothing,
      name: "price",
      base: id,
      quote: "USD",
      rate: found?.close ?? null,
      reason: found !== undefined ? null : now < day + DAY ? "not_over" : "not_observed",
      sources: found === undefined ? [] : split(found.source),
      observedAt: found?.observedAt ?? null,
      revisedAt: found?.revisedAt ?? null,
      kind: null,
      first: day,
      last: day,
      isFinal: found?.isFinal ?? false
    } satisfies StatementPart
  })

  const street = (name: PartName, fiat: string) => ({ ...nothing, name, base: USDT, quote: fiat, kind: null })

  const fixing = Effect.fnUntraced(function* (fiat: string, day: number, now: number) {
    const { fixing, missing } = yield* histories.fixing(fiat, day)
    const span = { first: day, last: day, isFinal: missing !== "not_published" && now >= finalAt("day", day) }
    if (fixing === undefined) {
      return { ...street("fixing", fiat), reason: missing ?? null, ...span } satisfies StatementPart
    }
    const { confidence, kind, method, parts, rate, reason, revisedAt } = fixing
    return {
      ...street("fixing", fiat),
      rate,
      reason,
      confidence,
      kind,
      method,
      revisedAt,
      sources: [...new Set(parts.flatMap(({ source }) => split(source)))],
      observedAt: parts.at(-1)?.observedAt ?? null,
      ...span
    } satisfies StatementPart
  })

  /** The last mid of the day. */
  const close = Effect.fnUntraced(function* (fiat: string, start: number, end: number, now: number) {
    const span = { first: end - 1, last: end - 1, isFinal: now >= end + HOUR }
    const without = (reason: string): StatementPart => ({ ...street("close", fiat), reason, ...span })
    if (now < end) return without("not_over")
    const found = yield* past
      .p2p({ _tag: "Time", time: end - 1 }, fiat)
      .pipe(Effect.catchTag("NoData", () => Effect.undefined))
    const observedAt = found?.observedAt.epochMilliseconds ?? -Infinity
    if (found === undefined || found.value.mid === null || observedAt < start) return without("not_observed")
    const { confidence, kind = null, method, mid, used } = found.value
    return {
      ...street("close", fiat),
      rate: mid,
      reason: null,
      sources: used,
      observedAt,
      method,
      confidence,
      kind,
      ...span
    } satisfies StatementPart
  })

  /** The mean of the last mids of the hours that begin in the day. Where there is a P2P rate, an order book's do not count. */
  const average = Effect.fnUntraced(function* (fiat: string, start: number, end: number, now: number) {
    const first = Math.ceil(start / HOUR) * HOUR
    const last = Math.ceil(end / HOUR) * HOUR - HOUR
    const without = (reason: string): StatementPart => ({
      ...street("average", fiat),
      reason,
      first,
      last,
      isFinal: now >= finalAt("hour", last)
    })
    if (now < end) return without("not_over")
    const { points } = yield* histories.p2p(fiat, { range: { interval: "hour", first, last }, isFilled: false })
    const all = points.flatMap(({ isFinal, market }) => (market === undefined ? [] : [{ ...market, isFinal }]))
    const kind = all.some((point) => point.kind === "p2p") ? "p2p" : (all[0]?.kind ?? null)
    const hours = all.filter((point) => point.kind === kind)
    if (!isEnough(hours.length, (last - first) / HOUR + 1)) return without("too_few_hours")
    return {
      ...without("too_few_hours"),
      rate: mean(hours.map(({ close }) => derived(close))),
      reason: null,
      sources: [...new Set(hours.flatMap(({ source }) => split(source)))],
      observedAt: hours.at(-1)?.observedAt ?? null,
      revisedAt: hours.reduce<number | null>((latest, { revisedAt }) => revisedAt ?? latest, null),
      method: hours.at(-1)?.method ?? null,
      confidence: leastConfidence(hours.map(({ confidence }) => confidence)) ?? null,
      kind
    } satisfies StatementPart
  })

  /** The parts of a statement: official rates and prices, then the market's figures. */
  return Effect.fn("Statements.parts")(function* ({ fiat, from, on, to, zone }: StatementRequest) {
    const now = yield* Clock.currentTimeMillis
    const day = startOfDay(on)
    const [start, end] = [midnight(zone, day), midnight(zone, day + DAY)]
    const assets = [from, to]
    const fiats = new Set([fiat, ...assets.flatMap((one) => (one._tag === "Fiat" ? one.code : []))])
    fiats.delete("USD")
    const coins = new Set([USDT, ...assets.flatMap((one) => (one._tag === "Coin" ? nameOf(one) : []))])
    const parts: ReadonlyArray<StatementPart> = [
      ...(yield* Effect.forEach(fiats, (code) => official(code, day, now))),
      ...(yield* Effect.forEach(coins, (id) => price(id, day, now))),
      yield* fixing(fiat, day, now),
      yield* close(fiat, start, end, now),
      yield* average(fiat, start, end, now)
    ]
    return parts
  })
}
