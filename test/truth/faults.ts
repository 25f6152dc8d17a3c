// The faults of sources, each a small value. They change answers of every kind: `Scene` files choose those that fit their sources.
import { DAY, MINUTE } from "./Course.ts"
import type { Answer, Fault, Row } from "./Process.ts"

/** Figures that are no prices. */
const TURNOVER = "turnover"

const withRows = (answer: Answer | undefined, change: (row: Row) => Row): Answer | undefined =>
  answer && { ...answer, rows: answer.rows.map(change) }

const withFigures = (row: Row, change: (figure: number, name: string) => number | null): Row => ({
  ...row,
  figures: Object.fromEntries(
    Object.entries(row.figures).map(([name, figure]) => [name, figure === null ? null : change(figure, name)])
  )
})

/** The answer, dated later by `by` milliseconds. */
const dated = (answer: Answer | undefined, by: number): Answer | undefined =>
  answer && { at: answer.at + by, rows: answer.rows.map((row) => ({ ...row, at: row.at + by })) }

/** No answer. */
export const silent: Fault = () => () => undefined

/** The answer of the moment at which the fault began, again and again, with its own time or with new ones. */
export const frozen =
  (isNewlyDated: boolean): Fault =>
  (tells, from) =>
  (t) =>
    dated(tells(from), isNewlyDated ? t - from : 0)

/** The answer of some time ago, with its own time or with new ones. */
export const lagging =
  (by: number, isNewlyDated: boolean): Fault =>
  (tells) =>
  (t) =>
    dated(tells(t - by), isNewlyDated ? by : 0)

/** Every answer dated later, or earlier. */
export const misdated =
  (by: number): Fault =>
  (tells) =>
  (t) =>
    dated(tells(t), by)

/** Every price changed alike. */
export const repriced =
  (change: (price: number) => number): Fault =>
  (tells) =>
  (t) =>
    withRows(tells(t), (row) => withFigures(row, (figure, name) => (name === TURNOVER ? figure : change(figure))))

export const scaled = (factor: number): Fault => repriced((price) => price * factor)

export const upsideDown: Fault = repriced((price) => 1 / price)

/** Prices that drift away from the true ones, by a share a minute, at most to `most` of them. */
export const drifting =
  (aMinute: number, most: number): Fault =>
  (tells, from) =>
  (t) =>
    scaled((aMinute > 0 ? Math.min : Math.max)(most, (1 + aMinute) ** ((t - from) / MINUTE)))(tells, from, "")(t)

/** Turnovers that are made up. */
export const traded =
  (factor: number): Fault =>
  (tells) =>
  (t) =>
    withRows(tells(t), (row) => withFigures(row, (figure, name) => (name === TURNOVER ? figure * factor : figure)))

/** Two figures of each row in each other's place, such as bid and ask. */
export const swapped =
  (one: string, other: string): Fault =>
  (tells) =>
  (t) =>
    withRows(tells(t), (row) => ({
      ...row,
      figures: { ...row.figures, [one]: row.figures[other] ?? null, [other]: row.figures[one] ?? null }
    }))

/** The rows of two things under each other's name. */
export const mistaken =
  (one: string, other: string): Fault =>
  (tells) =>
  (t) => {
    const answer = tells(t)
    const figuresOf = (of: string) => answer?.rows.find((row) => row.of === of)?.figures
    const instead = new Map([
      [one, figuresOf(other)],
      [other, figuresOf(one)]
    ])
    return withRows(answer, (row) => ({ ...row, figures: instead.get(row.of) ?? row.figures }))
  }

/** Rows without figures. */
export const without: Fault = (tells) => (t) => withRows(tells(t), (row) => withFigures(row, () => null))

/** Some faults after one another, each for a period. */
export const alternating =
  (period: number, ...faults: ReadonlyArray<Fault>): Fault =>
  (tells, from, source) =>
  (t) =>
    (faults[Math.floor(Math.max(0, t - from) / period) % faults.length] ?? silent)(tells, from, source)(t)

/** Several faults in one. */
export const all =
  (...faults: ReadonlyArray<Fault>): Fault =>
  (tells, from, source) =>
    faults.reduce((told, fault) => fault(told, from, source), tells)

/**
 * A pair that no longer trades: without bid and ask, its last trade as it was. `datingPairs`: the exchanges that date their pairs; the
 * others date such a pair with the answer. Its turnover of 24 hours stays, or falls while old trades leave it.
 */
export const halted =
  (isFalling: boolean, datingPairs: ReadonlySet<string>): Fault =>
  (tells, from, source) => {
    const lastOf = new Map(tells(from)?.rows.map((row) => [row.name, row]))
    return (t) =>
      withRows(tells(t), (row) => {
        const { at, figures } = lastOf.get(row.name) ?? row
        const { last = null, [TURNOVER]: turnover = null } = figures
        const share = isFalling ? Math.max(0.2, 1 - (t - from) / DAY) : 1
        return {
          ...row,
          at: datingPairs.has(source) ? at : row.at,
          figures: { bid: null, ask: null, last, [TURNOVER]: turnover === null ? null : turnover * share }
        }
      })
  }
