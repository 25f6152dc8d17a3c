// Decides what is believed: a pure reducer over the rows of sources. For each key it serves the row of the first source that is young and
// believed, else the last served one while that is young. The same rows give the same state, whichever source came first. `Verdict.ts`
// judges one row, `Rules.ts` has the rules of each kind of row, `domain/Thresholds.ts` the numbers.
import { Duration, Equal } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { FAILING_INTERVALS } from "../../domain/Thresholds.ts"
import * as Age from "../../sources/dataset/Age.ts"
import { type Figures, filled, isEmpty, isJump } from "./Figures.ts"
import { type Candidate, type Claim, judge, type Row, type Rules, saidAt, type Verdict, type Why } from "./Verdict.ts"

export type { Figures } from "./Figures.ts"
export type { Claim, Row, Rules } from "./Verdict.ts"

export type RowsByKey<R> = ReadonlyMap<string, Row<R>>

export interface Source<R> {
  readonly rows: RowsByKey<R>
  /** After this time it comes after those that answer, epoch milliseconds. */
  readonly freshUntil: number
  /** Whether its last poll failed. */
  readonly isFailing?: boolean
}

export interface Seen<R> {
  /** In order of preference. */
  readonly sources: ReadonlyArray<Source<R>>
  /** Rows observed longer ago are not served, milliseconds. */
  readonly maxAge: number
  /** The newest figures of the own record, for first answers. */
  readonly recorded?: (key: string) => Figures | undefined
}

/** What was served last for a key, of any age. */
export interface Former<R> {
  /** Absent after a restart if a source has the row. */
  readonly row: Row<R> | undefined
  /** The last figures that a jump is measured against; `undefined` while only one source has any. */
  readonly figures: Figures | undefined
}

/** Claims by data set and row, as {@link claimOf} names them. */
export type Claims = ReadonlyMap<string, Claim>

/** A row that was passed over. */
export interface PassedOver {
  readonly key: string
  readonly dataSet: string
  /** The source's name. */
  readonly source: string
  readonly why: Why
}

/** What is believed. */
export interface State<R> {
  /** The rows to serve. */
  readonly rows: RowsByKey<R>
  readonly former: ReadonlyMap<string, Former<R>>
  readonly claims: Claims
  readonly passedOver: ReadonlyArray<PassedOver>
}

export const initial: State<never> = { rows: new Map(), former: new Map(), claims: new Map(), passedOver: [] }

/** The most former rows and claims. Those that were not seen for longest are dropped. */
const MOST = 10_000

/** Keys between pauses. */
const AT_ONCE = 32

export const claimOf = (row: Pick<Row<unknown>, "key">, key: string): string => `${row.key} ${key}`

/** Until when a source is preferred: a failing one until its data is five of its intervals old, milliseconds. */
export const freshUntil = (data: Pick<Snapshot<unknown>, "retrievedAt">, isFailing: boolean, every: number): number =>
  isFailing ? data.retrievedAt.epochMilliseconds + FAILING_INTERVALS * every : Infinity

/**
 * What is believed after `seen` at `now`, epoch milliseconds. Keys that no source has now keep their former row and claims. Yields where
 * other work may run.
 */
export function* inSteps<R>(rules: Rules<R>, state: State<R>, seen: Seen<R>, now: number): Generator<void, State<R>> {
  const rows = new Map<string, Row<R>>()
  const former = new Map(state.former)
  const claims = new Map(state.claims)
  const passedOver: Array<PassedOver> = []
  const sources = inOrder(seen.sources, now)
  const maxAge = Duration.millis(seen.maxAge)
  const isYoung = (row: Row<R>) => now <= Age.servableUntil(row, maxAge)
  let counted = 0
  for (const key of new Set(sources.flatMap(({ rows }) => [...rows.keys()]))) {
    if (++counted % AT_ONCE === 0) yield
    const last = former.get(key)
    const candidates = candidatesOf(rules, sources, key, now).filter(({ row }) => isYoung(row))
    const verdicts = candidates.map((one) => {
      const others = candidates.filter((other) => other !== one && !other.isEmpty)
      const claimed = state.claims.get(claimOf(one.row, key))
      const recorded = last?.figures === undefined ? seen.recorded?.(key) : undefined
      return judge(one, others, { rules, key, former: last?.figures, recorded, claimed })
    })
    for (const { claim, one, why } of verdicts) {
      const name = claimOf(one.row, key)
      claims.delete(name)
      if (claim !== undefined) claims.set(name, claim)
      if (why !== undefined) passedOver.push({ key, dataSet: one.row.key, source: one.row.source, why })
    }
    const served = preferred(rules, key, verdicts)
    const held = last?.row !== undefined && isYoung(last.row) ? last.row : undefined
    const isMissing = served === undefined || (served.one.isEmpty && rules.isEmptyServed !== true)
    if (isMissing && held !== undefined) rows.set(key, held)
    else if (served !== undefined) {
      const next = withoutOutliers(rules, served.one, verdicts)
      // A row without its outliers is another object at each step. Responses built from an equal one stay valid.
      const isRebuilt = next !== served.one.row
      const row = held !== undefined && isRebuilt && Equal.equals(held, next) ? held : next
      rows.set(key, row)
      if (served.one.isEmpty) continue
      const figures = served.isVouched ? filled(served.one.figures, last?.figures) : last?.figures
      former.delete(key)
      former.set(key, { row, figures })
    }
  }
  return { rows, former: newest(former), claims: newest(claims), passedOver }
}

/** The same without pauses. */
export const step = <R>(...inputs: Parameters<typeof inSteps<R>>): State<R> => {
  const steps = inSteps(...inputs)
  let one = steps.next()
  while (one.done !== true) one = steps.next()
  return one.value
}

const newest = <A>(entries: ReadonlyMap<string, A>): ReadonlyMap<string, A> =>
  entries.size <= MOST ? entries : new Map([...entries].slice(entries.size - MOST))

/**
 * The sources in order of preference. From the first one that is no longer fresh on, those that fail come after those that answer, the
 * newest observation first.
 */
export const inOrder = <S extends Source<unknown>>(sources: ReadonlyArray<S>, now: number): ReadonlyArray<S> => {
  const observedAt = ({ rows }: S) =>
    [...rows.values()].reduce((latest, row) => Math.max(latest, row.observedAt.epochMilliseconds), -Infinity)
  const firstLate = sources.findIndex((one) => now > one.freshUntil)
  if (firstLate < 0) return sources
  const late = sources.filter((one, n) => now > one.freshUntil || (n > firstLate && one.isFailing === true))
  const failing = ({ isFailing }: S) => Number(isFailing === true)
  return [
    ...sources.filter((one) => !late.includes(one)),
    ...late.toSorted((a, b) => observedAt(b) - observedAt(a) || failing(a) - failing(b))
  ]
}

const candidatesOf = <R>(
  { figures: figuresOf }: Rules<R>,
  sources: ReadonlyArray<Source<R>>,
  key: string,
  now: number
): ReadonlyArray<Candidate<R>> =>
  sources.flatMap(({ freshUntil, rows }) => {
    const row = rows.get(key)
    if (row === undefined) return []
    const figures = figuresOf(row.value)
    if (figures.some((figure) => figure !== null && !Number.isFinite(figure))) return []
    return [{ row, figures, isEmpty: isEmpty(figures), isFresh: now <= freshUntil }]
  })

/** The first row that may be served, if possible with a figure; of those that agree with it the one of the latest day, if that counts. */
const preferred = <R>(rules: Rules<R>, key: string, verdicts: ReadonlyArray<Verdict<R>>): Verdict<R> | undefined => {
  const believed = verdicts.filter(({ why }) => why === undefined)
  const figured = believed.filter(({ one }) => !one.isEmpty)
  const [first] = figured
  if (first === undefined || rules.isNewerFirst !== true) return first ?? believed[0]
  const { factor } = rules.jump(key)
  return figured
    .filter(({ one }) => !isJump(one.figures, first.one.figures, factor))
    .reduce((best, next) => (saidAt(rules, next.one.row) > saidAt(rules, best.one.row) ? next : best))
}

const withoutOutliers = <R>(rules: Rules<R>, { row }: Candidate<R>, verdicts: ReadonlyArray<Verdict<R>>): Row<R> => {
  const others = verdicts.flatMap(({ one, why }) => (one.row === row || why === "alone" ? [] : [one.row.value]))
  const value = rules.withoutOutliers?.(row.value, others) ?? row.value
  return value === row.value ? row : { ...row, value }
}
