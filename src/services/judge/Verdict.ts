// The judgement of one row among the rows of other sources and the figures before it.
import type { DateTime, Schema } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { ALONE, CONFIRMATIONS, type Jump } from "../../domain/Thresholds.ts"
import { distance, type Figures, isJump, isNear } from "./Figures.ts"

/** A row of an answer, with its source and times. */
export interface Row<out R> extends Snapshot<R> {
  /** The key of its data set. */
  readonly key: string
}

/** What differs between the kinds of rows. The table of all of them is in `Rules.ts`. */
export interface Rules<R> {
  /** How a row is saved; without it only its figures are. */
  readonly saved?: Schema.Codec<R, unknown>
  /** What a fetch would accept of a row that was saved; `null` for nothing. `now`: when the row was retrieved. */
  readonly plausible?: (row: R, key: string, now: DateTime.Utc) => R | null
  readonly figures: (row: R) => Figures
  readonly jump: (key: string) => Jump
  /** The series of the history that records the only figure of a row. */
  readonly seriesOf?: (key: string) => string
  /** The approximate figures of a series, for a first answer without a record. */
  readonly expected?: (key: string) => Figures | undefined
  /**
   * Sources that differ by more than the share `agreement` contradict each other: the one nearest to the former figures is served. At
   * first it is the one nearest to the recorded or expected figures, if it is within `factor` of them. So is a single source, until
   * others or newer observations confirm it.
   */
  readonly first?: { readonly agreement: number; readonly factor: number }
  /** The time that the source gives a row, epoch milliseconds; a rate may be for tomorrow. Default: its `observedAt`. */
  readonly saidAt?: (row: R) => number
  /** The kind of a row's source, if a jump needs a source of another kind. */
  readonly kindOf?: (row: Row<R>) => string
  /** Of two rows that agree within the jump, the one of the later day is served. */
  readonly isNewerFirst?: true
  /** A source that contradicts two which agree is passed over. */
  readonly isCrossChecked?: true
  /** A row without a figure is an answer. By default the last served row is served instead while it is young. */
  readonly isEmptyServed?: true
  /** Leaves out the figures of a row that are far from those of all others. */
  readonly withoutOutliers?: (row: R, others: ReadonlyArray<R>) => R
}

/** An unconfirmed figure: when it was last observed, and how many newer observations went on in its direction. */
export interface Claim {
  readonly figures: Figures
  readonly observedAt: number
  readonly repeated: number
}

/** A young row of a source. */
export interface Candidate<R> {
  readonly row: Row<R>
  readonly figures: Figures
  readonly isEmpty: boolean
  /** False for a source that has been failing or unchanged for too long. */
  readonly isFresh: boolean
}

/** Why a row is passed over: it jumped; it contradicts two that agree; of sources that differ, another one is nearer to the figures before. */
export type Why = "jump" | "alone" | "differs"

export interface Verdict<R> {
  readonly one: Candidate<R>
  /** Why it must not be served; absent if it may. */
  readonly why?: Why | undefined
  /** Whether later figures are measured against it. */
  readonly isVouched: boolean
  readonly claim?: Claim | undefined
}

/** What the judgement of a row depends on. */
export interface Circumstances<R> {
  readonly rules: Rules<R>
  readonly key: string
  /** The figures that were served last; `undefined` before the first. */
  readonly former: Figures | undefined
  /** The newest figures of the own record, for a first answer. */
  readonly recorded: Figures | undefined
  /** The source's claim so far. */
  readonly claimed: Claim | undefined
}

/** Judges a row; `all` are the other rows for its key. Two data sets of one source are no witnesses of each other. */
export const judge = <R>(
  one: Candidate<R>,
  all: ReadonlyArray<Candidate<R>>,
  { claimed, former, key, recorded, rules }: Circumstances<R>
): Verdict<R> => {
  const { figures } = one
  const others = all.filter(({ row }) => row.source !== one.row.source)
  const { first, isCrossChecked } = rules
  const jump = rules.jump(key)
  if (one.isEmpty) return { one, isVouched: false, claim: claimed }
  if (isCrossChecked === true && isAlone(one, others)) return { one, why: "alone", isVouched: false }
  const reference = former ?? recorded ?? rules.expected?.(key)
  if (reference === undefined) return { one, isVouched: true }
  const isFirst = former === undefined && first !== undefined
  const witnesses = first === undefined ? [] : others.filter((other) => isFirst || other.isFresh)
  const against = witnesses.filter((other) => first !== undefined && !isNear(figures, other.figures, first.agreement))
  const own = distance(figures, reference)
  const isNearer = (other: Candidate<R>) => distance(other.figures, reference) < own
  // Two that agree are not overruled by one that still has the former figure, such as a copy that lags behind its original.
  const isOverruled =
    against.length === witnesses.length && (against.some(isNearer) || isAlone(one, against, first?.agreement))
  if (isOverruled) return { one, why: "differs", isVouched: false }
  if (isFirst && against.length > 0) return { one, isVouched: false, why: own <= first.factor ? undefined : "differs" }
  const isConfirmed = others.some(
    (other) =>
      isNear(figures, other.figures, jump.agreement) &&
      (jump.isOfOtherKind !== true || rules.kindOf?.(other.row) !== rules.kindOf?.(one.row))
  )
  if (isConfirmed) return { one, isVouched: true }
  const isExpected = isFirst && recorded === undefined
  const factor = isExpected ? first.factor : jump.factor
  const isSteady = !isJump(figures, reference, factor)
  if (isSteady && !isExpected) return { one, isVouched: true }
  const claim = next(one, { claimed, rules, factor })
  const isOpposed = others.some((other) => other.isFresh && !isJump(other.figures, reference, factor))
  const isVouched = claim.repeated >= CONFIRMATIONS && jump.isOfOtherKind !== true && !isOpposed
  return { one, isVouched, claim, why: isSteady || isVouched ? undefined : "jump" }
}

/** The claim of a source's figures, which counts newer observations that go on in the direction of the last. */
const next = <R>(
  { figures, row }: Candidate<R>,
  by: Pick<Circumstances<R>, "claimed" | "rules"> & { readonly factor: number }
): Claim => {
  const { claimed, factor } = by
  const observedAt = saidAt(by.rules, row)
  // A claim that jumped is further than the factor from the former figure. So what is within the factor of the claim is on its side.
  if (claimed === undefined || isJump(figures, claimed.figures, factor)) return { figures, observedAt, repeated: 0 }
  // A source behind several caches may repeat the older of two observations.
  return observedAt <= claimed.observedAt ? claimed : { figures, observedAt, repeated: claimed.repeated + 1 }
}

export const saidAt = <R>({ saidAt }: Rules<R>, row: Row<R>): number =>
  saidAt?.(row.value) ?? row.observedAt.epochMilliseconds

/** Whether two others, of two sources, have figures that agree with each other and differ from this one. */
const isAlone = <R>(one: Candidate<R>, others: ReadonlyArray<Candidate<R>>, share = ALONE): boolean => {
  const against = others.filter((other) => !isNear(one.figures, other.figures, share))
  return against.some((a, n) =>
    against.slice(n + 1).some((b) => a.row.source !== b.row.source && isNear(a.figures, b.figures, share))
  )
}
