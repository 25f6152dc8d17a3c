// A process is one thing that happens in a world for a while: a true jump, a fault of a source, a restart, a wrong clock. Processes are
// composed, and each can be left out without changing the others.
import type { Course } from "./Course.ts"

/** What a source says of one thing: a pair of an exchange, a coin of an aggregator, a currency, an ad of a venue. */
export interface Row {
  /** The source's own name of it. */
  readonly name: string
  /** The figure of the world that it is about. */
  readonly of: string
  readonly figures: Readonly<Record<string, number | null>>
  /** The source's time of it, epoch milliseconds. */
  readonly at: number
  /** How an ad is paid; absent if it is not known. */
  readonly payment?: "bank_transfer" | "cash"
}

export interface Answer {
  readonly rows: ReadonlyArray<Row>
  readonly at: number
}

/** What a source answers at a time; `undefined` if it does not. */
export type Tells = (t: number) => Answer | undefined

export interface Source {
  readonly name: string
  /** How often it is asked, in milliseconds. */
  readonly every: number
  /** How long after its end a fault may still be held, in milliseconds. */
  readonly memory: number
  readonly tells: Tells
}

/** How the answers of a source change. `from`: when the fault began. */
export type Fault = (tells: Tells, from: number, source: string) => Tells

export interface Process {
  /** Says it in a report. */
  readonly name: string
  readonly from: number
  readonly until: number
  /** A true change of figures: factors of their courses. */
  readonly bends?: { readonly of: ReadonlyArray<string>; readonly by: Course }
  /** A fault of sources, in what they say of these figures of the world (`undefined`: of all). */
  readonly faults?: {
    readonly sources: ReadonlyArray<string>
    readonly of?: ReadonlySet<string>
    readonly fault: Fault
  }
  /** Whether it may be there from the first answer on. */
  readonly mayBeFirst?: boolean
  /** The service restarts at `from`, with what it saved, or with its own record alone. */
  readonly isRestart?: true
  readonly isStateLost?: boolean
  /**
   * It is borne only by what the service remembers of earlier answers, which every restart forgets, or by its state, which some lose.
   * Such a restart is not bearable meanwhile.
   */
  readonly borneBy?: "answers" | "state" | undefined
  /** How far our clock is wrong, in milliseconds. */
  readonly clock?: number
  /** No other fault is bearable until then. */
  readonly aloneUntil?: number
}

export const isActive = ({ from, until }: Process, t: number): boolean => from <= t && t < until

/** Whether no process spoils what a source says of a figure of the world, or did less than `memory` milliseconds ago. */
export const isClean = (
  processes: ReadonlyArray<Process>,
  {
    memory,
    of,
    source,
    t
  }: { readonly source: string; readonly of: string; readonly t: number; readonly memory: number }
): boolean =>
  !processes.some(
    ({ faults, from, until }) =>
      faults?.sources.includes(source) === true && faults.of?.has(of) !== false && from <= t && t < until + memory
  )

/** What a source answers under the processes of a world. */
export const told = (source: Source, processes: ReadonlyArray<Process>): Tells =>
  processes.reduce<Tells>((tells, process) => {
    const { faults } = process
    if (faults === undefined || !faults.sources.includes(source.name)) return tells
    const changed = onlyOf(faults.of, tells, faults.fault(tells, process.from, source.name))
    return (t) => (isActive(process, t) ? changed(t) : tells(t))
  }, lastOf(source.tells))

/** The same, which keeps its last answer: several faults at once ask for the true one of the same time. */
const lastOf = (tells: Tells): Tells => {
  let [at, answer]: [number, Answer | undefined] = [Number.NaN, undefined]
  return (t) => {
    if (t !== at) [at, answer] = [t, tells(t)]
    return answer
  }
}

/** The changed rows of these figures, and the others as they were. */
const onlyOf = (of: ReadonlySet<string> | undefined, tells: Tells, changed: Tells): Tells => {
  if (of === undefined) return changed
  return (t) => {
    const before = tells(t)
    if (before === undefined) return undefined
    const after = changed(t)?.rows.filter((row) => of.has(row.of)) ?? []
    const rows = [...before.rows.filter((row) => !of.has(row.of)), ...after]
    return { at: rows.reduce((newest, { at }) => Math.max(newest, at), 0), rows }
  }
}

/** How many of some sources may be faulty at once in what they say of some figures. */
export interface Bearable {
  readonly of: ReadonlyArray<string>
  readonly sources: ReadonlySet<string>
  readonly most: number
}

/** Those that are alone in their time are bearable as they are. */
const concerns = ({ aloneUntil, faults }: Process, { of, sources }: Bearable): ReadonlyArray<string> =>
  aloneUntil === undefined && faults !== undefined && of.some((key) => faults.of?.has(key) !== false)
    ? faults.sources.filter((name) => sources.has(name))
    : []

const isFault = ({ aloneUntil, clock, faults }: Process): boolean =>
  faults !== undefined || aloneUntil !== undefined || clock !== undefined

/** Those of `drawn`, in order, that are bearable together. `memory`: how long after its end a fault counts, in milliseconds. */
export const bearable = (
  drawn: ReadonlyArray<Process>,
  limits: ReadonlyArray<Bearable>,
  memory: number
): ReadonlyArray<Process> => {
  const taken: Array<Process> = []
  const isMeanwhile = (one: Process, other: Process) =>
    one.from < other.until + memory && other.from < one.until + memory
  const disturbs = ({ aloneUntil, from }: Process, other: Process) =>
    aloneUntil !== undefined && isFault(other) && other.from < aloneUntil + memory && from < other.until + memory
  const isForgotten = (one: Process, other: Process) =>
    one.isRestart === true &&
    (other.borneBy === "answers" || (other.borneBy === "state" && one.isStateLost === true)) &&
    isMeanwhile(one, other)
  for (const next of drawn) {
    const meanwhile = taken.filter((one) => isMeanwhile(one, next))
    const isDisturbed = taken.some((one) => disturbs(one, next) || disturbs(next, one))
    const isUnseen = taken.some((one) => isForgotten(one, next) || isForgotten(next, one))
    const isBentTwice = meanwhile.some((one) => one.bends?.of.some((key) => next.bends?.of.includes(key)))
    const isTooMuch = limits.some((limit) => {
      const own = concerns(next, limit)
      const all = new Set([...own, ...meanwhile.flatMap((one) => concerns(one, limit))])
      return own.length > 0 && all.size > limit.most
    })
    if (!isDisturbed && !isUnseen && !isBentTwice && !isTooMuch) taken.push(next)
  }
  return taken
}
