// Chooses which rows of several sources are served. For each key it is the row of the first source that is fresh and plausible. A figure
// that jumps from the served one, by default by more than a factor of 5, counts once another source confirms it or two newer observations
// of its own source repeat it. With cross-checks, a source that contradicts two which agree is passed over.
import { Equal } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { AGREEMENT, isWithinFactor, JUMP_FACTOR } from "../../domain/Plausibility.ts"

/** A row of an answer, with its source and times. */
export interface Row<out R> extends Snapshot<R> {
  /** The key of its data set. */
  readonly key: string
}

/** When a figure jumps: beyond `factor`, up or down, unless one within the share `agreement` confirms it. */
export interface Jump {
  readonly factor: number
  readonly agreement: number
}

const usualJump: Jump = { factor: JUMP_FACTOR, agreement: AGREEMENT }

export type RowsByKey<R> = ReadonlyMap<string, Row<R>>

/** Newer observations that must repeat a jump of their own source. */
const CONFIRMATIONS = 2

/** A missing price, compared as a fall to almost nothing. Such a row is served only if no source has a price. */
export const UNPRICED = Number.MIN_VALUE

/** Two sources agree on a row when their figures differ by at most this share. */
const SAME = 0.1

/** An unconfirmed jump: its figures, when they were last observed, and how often a newer observation repeated them. */
export interface Claim {
  readonly figures: Figures
  readonly observedAt: number
  readonly repeated: number
}

/** Claims by data set and row, as {@link claimOf} names them. */
export type Claims = ReadonlyMap<string, Claim>

export const claimOf = (row: Row<unknown>, key: string): string => `${row.key} ${key}`

/** The compared figures of a row. A `null` is not compared. */
export type Figures = ReadonlyArray<number | null>

/** A row that was passed over: it jumped, or its source contradicts two that agree. */
export interface PassedOver {
  readonly key: string
  readonly source: string
  readonly why: "jump" | "alone"
}

export interface Choice<R> {
  readonly rows: RowsByKey<R>
  readonly claims: Claims
  readonly passedOver: ReadonlyArray<PassedOver>
}

/** Chooses among the rows of `sources`, which are in order of preference. `former`: the rows served until now. */
export const choose = <R>(options: {
  readonly sources: ReadonlyArray<RowsByKey<R>>
  /** Rows that are compared with those of the sources, and never chosen. */
  readonly witness?: RowsByKey<R> | undefined
  readonly former: RowsByKey<R>
  readonly claims: Claims
  readonly isYoung: (row: Row<R>) => boolean
  readonly figures: (row: R) => Figures
  /** The figures that a first answer is compared with. */
  readonly expected?: ((key: string) => Figures | undefined) | undefined
  /** The time that decides which of two observations is newer; by default that of the row, which is never later than now. */
  readonly saidAt?: ((row: R) => number) | undefined
  readonly isCrossChecked?: boolean | undefined
  readonly jump?: Jump | undefined
  /** Leaves out the figures of a row that are far from those of all others. */
  readonly withoutOutliers?: ((row: R, others: ReadonlyArray<R>) => R) | undefined
}): Choice<R> => {
  const { former, isYoung, jump = usualJump } = options
  const rows = new Map<string, Row<R>>()
  // Only current claims are stored: a source that names other rows each time must not fill the memory.
  const claims = new Map<string, Claim>()
  const passedOver: Array<PassedOver> = []

  const youngFormer = (key: string) => {
    const before = former.get(key)
    return before !== undefined && isYoung(before) ? before : undefined
  }

  const withoutOutliers = (row: Row<R>, candidates: ReadonlyArray<Candidate<R>>): Row<R> => {
    const others = candidates.flatMap((one) => (one.row.key === row.key ? [] : [one.row.value]))
    const value = options.withoutOutliers?.(row.value, others) ?? row.value
    return value === row.value ? row : { ...row, value }
  }

  /** Whether the row is near the served one, confirmed by another source, or repeated often enough by its own. */
  const isBelieved = (key: string, { figures, row }: Candidate<R>, others: ReadonlyArray<Candidate<R>>) => {
    const before = youngFormer(key)
    const expected = before === undefined ? options.expected?.(key) : undefined
    // The expected figure is rough, so the usual factor applies.
    if (before === undefined && (expected === undefined || !isJump(figures, expected))) return true
    if (before !== undefined && !isJump(figures, options.figures(before.value), jump)) return true
    if (others.some((other) => isEvery(figures, other.figures, isNear(jump.agreement)))) return true
    const name = claimOf(row, key)
    const observedAt = options.saidAt?.(row.value) ?? row.observedAt.epochMilliseconds
    const claim = options.claims.get(name)
    const isSame = claim !== undefined && isEvery(figures, claim.figures, isNear(jump.agreement))
    const repeated = isSame ? claim.repeated + (observedAt > claim.observedAt ? 1 : 0) : 0
    // A source behind several caches may repeat the older of two observations.
    claims.set(name, { figures, observedAt: isSame ? Math.max(observedAt, claim.observedAt) : observedAt, repeated })
    return repeated >= CONFIRMATIONS
  }

  for (const key of new Set(options.sources.flatMap((rowsOfSource) => [...rowsOfSource.keys()]))) {
    const candidates = options.sources
      .flatMap((rowsOfSource): ReadonlyArray<Candidate<R>> => {
        const row = rowsOfSource.get(key)
        return row !== undefined && isYoung(row) ? [{ row, figures: options.figures(row.value) }] : []
      })
      .sort(pricedFirst)
    const seen = options.witness?.get(key)
    const witnesses = seen !== undefined && isYoung(seen) ? [{ row: seen, figures: options.figures(seen.value) }] : []
    const othersOf = (one: Candidate<R>) => [...candidates.filter((other) => other !== one), ...witnesses]
    const isAloneAgainst = (one: Candidate<R>) => options.isCrossChecked === true && isAgainstTwo(one, othersOf(one))
    const believed = candidates.find((one) => {
      const others = othersOf(one)
      const isAlone = isAloneAgainst(one)
      if (!isAlone && isBelieved(key, one, others)) return true
      passedOver.push({ key, source: one.row.source, why: isAlone ? "alone" : "jump" })
      return false
    })
    const before = youngFormer(key)
    const row =
      believed === undefined
        ? before
        : withoutOutliers(
            believed.row,
            candidates.filter((one) => !isAloneAgainst(one))
          )
    // Responses built from the same row stay valid.
    if (row !== undefined)
      rows.set(key, before !== undefined && row !== believed?.row && Equal.equals(before, row) ? before : row)
  }
  return { rows, claims, passedOver }
}

interface Candidate<R> {
  readonly row: Row<R>
  readonly figures: Figures
}

const isUnpriced = ({ figures }: Candidate<unknown>): boolean => figures.includes(UNPRICED)

const pricedFirst = (a: Candidate<unknown>, b: Candidate<unknown>): number =>
  Number(isUnpriced(a)) - Number(isUnpriced(b))

const isNear = (share: number) => (a: number, b: number) => a === b || Math.abs(a / b - 1) <= share

/** Whether `compare` holds for all figures that both have. */
const isEvery = (some: Figures, others: Figures, compare: (a: number, b: number) => boolean) =>
  some.every((figure, n) => {
    const other = others[n] ?? null
    return figure === null || other === null || compare(figure, other)
  })

/** Whether a figure differs from the former one by more than `factor`. A price where there was none is no jump. */
export const isJump = (next: Figures, former: Figures, { factor }: Jump = usualJump): boolean =>
  !isEvery(next, former, (a, b) => b === UNPRICED || isWithinFactor(a, b, factor))

/** Whether two of the others have prices that agree with each other and differ from this one. */
const isAgainstTwo = <R>(one: Candidate<R>, others: ReadonlyArray<Candidate<R>>): boolean => {
  const against = others.filter((other) => !isUnpriced(other) && !isEvery(one.figures, other.figures, isNear(SAME)))
  return against.some((a, n) => against.slice(n + 1).some((b) => isEvery(a.figures, b.figures, isNear(SAME))))
}
