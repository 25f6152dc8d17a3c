// Decides from figures which conditions of `watch` are crossed. A level is crossed once, and again only after the figure went back by
// 0.5 % of the level (a percentage by 0.5 points). A move is counted from the lowest and the highest figure that were seen in its window
// and since its last crossing: after one, a further one needs the whole move again.
import { Schema } from "effect"
import { derived, plain, roundTo } from "../domain/Decimal.ts"
import { JsonNumber } from "../domain/JsonNumber.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { type Condition, isPercent, type Test } from "./WatchConditions.ts"

/** A figure of the server. `updated`: when it was observed, RFC 3339. */
export interface Observation {
  readonly value: number
  readonly updated: string
  readonly source: string
  readonly confidence?: (typeof CONFIDENCES)[number] | null
}

/** The parts of a window: the figures of each are kept as their lowest and highest. */
export const PARTS = 60

/** How far a figure goes back before its level can be crossed again, in percent. */
const BACK = 0.5

/** What is remembered of a condition: whether its level is crossed, the figures of its window, oldest first. */
export const Seen = Schema.Struct({
  isBeyond: Schema.Boolean,
  window: Schema.Array(Schema.Struct({ at: Schema.Finite, low: Schema.Finite, high: Schema.Finite }))
})
export type Seen = typeof Seen.Type

/** What is delivered. */
export const Crossing = Schema.Struct({
  /** Differs for each crossing. */
  id: Schema.String,
  /** A sentence. */
  text: Schema.String,
  condition: Schema.String,
  figure: Schema.String,
  value: JsonNumber,
  /** Of a move: the figure it is counted from, and the signed percentage. */
  from: Schema.optionalKey(JsonNumber),
  change: Schema.optionalKey(JsonNumber),
  updated: Schema.String,
  source: Schema.String,
  /** Of a market's figure. */
  confidence: Schema.optionalKey(Schema.NullOr(Schema.Literals(CONFIDENCES)))
})
export type Crossing = typeof Crossing.Type

const NOTHING: Seen = { isBeyond: false, window: [] }

type Judged = { readonly seen: Seen; readonly moved?: { readonly from: number; readonly change: number } }

const level = (test: Test & { _tag: "Level" }, margin: number, { isBeyond }: Seen, value: number): Judged => {
  const past = test.isAbove ? value - test.level : test.level - value
  return { seen: { ...NOTHING, isBeyond: past > 0 || (isBeyond && past > -margin) } }
}

const move = ({ millis, percent, verb }: Test & { _tag: "Move" }, before: Seen, value: number, now: number): Judged => {
  // A part with a time to come is from before the clock was set back.
  const window = before.window.filter(({ at }) => at >= now - millis && at <= now)
  const froms = [
    ...(verb === "fell" ? [] : [Math.min(value, ...window.map(({ low }) => low))]),
    ...(verb === "rose" ? [] : [Math.max(value, ...window.map(({ high }) => high))])
  ]
  const changes = froms.map((from) => ({ from, change: derived((value / from - 1) * 100) }))
  const moved = changes.find(({ change }) => Math.abs(change) >= percent)
  const alone = { at: now, low: value, high: value }
  if (moved !== undefined) return { seen: { isBeyond: true, window: [alone] }, moved }
  const last = window.at(-1)
  const isSamePart = last !== undefined && now - last.at < millis / PARTS
  const part = isSamePart ? { at: last.at, low: Math.min(last.low, value), high: Math.max(last.high, value) } : alone
  return { seen: { isBeyond: false, window: [...(isSamePart ? window.slice(0, -1) : window), part] } }
}

/** The most characters of the names of sources. */
const MOST_SOURCE = 300

/** What is remembered after a figure that was read at `now` (epoch milliseconds), and the crossing if it is one. */
export const judge = (
  { figure, name, test, text }: Condition,
  before: Seen | undefined,
  { confidence, source, updated, value }: Observation,
  now: number
): { readonly seen: Seen; readonly crossing?: Crossing } => {
  const margin = isPercent(figure) ? BACK : test._tag === "Level" ? (test.level * BACK) / 100 : 0
  const { moved, seen } =
    test._tag === "Level" ? level(test, margin, before ?? NOTHING, value) : move(test, before ?? NOTHING, value, now)
  const wasBeyond = test._tag === "Level" && before?.isBeyond === true
  if (!seen.isBeyond || wasBeyond) return { seen }
  const how = moved === undefined ? "" : ` after ${plain(moved.from)}, a change of ${plain(roundTo(moved.change, 2))} %`
  const crossing = {
    id: `${new Date(now).toISOString()} ${text}`,
    text: `${text}: ${name} is ${plain(value)}${how}, observed at ${updated}`,
    condition: text,
    figure: name,
    value,
    ...moved,
    updated,
    source: source.slice(0, MOST_SOURCE),
    ...(confidence !== undefined && { confidence })
  }
  return { seen, crossing }
}
