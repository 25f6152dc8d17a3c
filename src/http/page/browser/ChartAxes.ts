// The axes of a chart: round values, and the times that are labelled. Times are UTC.
import { HOUR, utc } from "./Figures.ts"

/** About as many lines as this. */
const LINES = 4

/** 1, 2 or 5 times a power of ten. */
const roundStep = (size: number): number => {
  const power = 10 ** Math.floor(Math.log10(size / LINES))
  return power * ([1, 2, 5].find((factor) => factor * power * LINES >= size) ?? 10)
}

const SCALES = [
  [1e9, "B"],
  [1e6, "M"]
] as const

/** Of the highest value: closer lines would show noise as movement. */
const LEAST = 0.001

/**
 * The values at which a chart has lines, ascending, and how they are written. Covers all values from `low` to `high`, both
 * above 0. It need not begin at 0: what is looked at is the change.
 */
export const valueAxis = (low: number, high: number) => {
  const step = roundStep(Math.max(high - low, high * LEAST))
  const first = Math.floor(low / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  const values = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
  const [scale, suffix] = SCALES.find(([size]) => high >= size) ?? [1, ""]
  const digits = Math.max(0, Math.ceil(Math.log10(scale / step) - 1e-9))
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return { values, labels: values.map((value) => format.format(value / scale) + suffix) }
}

const day = utc({ day: "numeric", month: "short" })
const month = utc({ month: "short" })
const year = utc({ year: "numeric" })
const hour = utc({ hour: "2-digit", minute: "2-digit" })

/** The label at a time, where there is one: every six hours, Mondays, or the first of a month. */
const labelAt = (time: number, step: number, slots: number): string | null => {
  const date = new Date(time)
  if (step === HOUR) {
    if (date.getUTCHours() % 6 > 0) return null
    return date.getUTCHours() === 0 ? day(time) : hour(time)
  }
  if (slots <= 60) return date.getUTCDay() === 1 ? day(time) : null
  if (date.getUTCDate() !== 1) return null
  return date.getUTCMonth() === 0 ? year(time) : month(time)
}

export const timeLabels = (
  first: number,
  step: number,
  slots: number,
  most: number
): ReadonlyArray<readonly [slot: number, label: string]> => {
  const all = Array.from({ length: slots }, (_, slot) => [slot, labelAt(first + slot * step, step, slots)] as const)
  const labelled = all.flatMap(([slot, label]) => (label === null ? [] : [[slot, label] as const]))
  const every = Math.ceil(labelled.length / Math.max(1, most))
  return labelled.filter((_, n) => n % every === 0)
}
