// The served answer of a refresher, built from the rows that are chosen among its sources. The choice is made after
// every poll, and again when a served row becomes too old.
import { DateTime, type Duration, Effect } from "effect"
import { joinSources, type Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "../../sources/dataset/Age.ts"
import { choose, isJump, type Claims, type RowsByKey } from "./choose.ts"
import { VersionedRef } from "./Dependencies.ts"
import { passedOverReport } from "../judge/passedOverReport.ts"
import type { Rows } from "./Rows.ts"

/** An answer of rows that may come from several sources. */
export interface Served<out A, out R> extends Snapshot<A> {
  /** Each row with its source and time, including those that only a less preferred source has. */
  readonly rows: RowsByKey<R>
  /** The key of the data set that the answer is based on; single rows may come from others. */
  readonly first: string
}

/** The data of the data set with this key, and whether its last poll failed. */
export interface SourceState<A, R> {
  readonly key: string
  readonly snapshot: Snapshot<A>
  readonly rows: RowsByKey<R>
  readonly isFailing: boolean
}

/**
 * Makes the choice. Rows observed longer than `maxAge` ago are not served. A source comes after the others if its newest observation is
 * older than `staleAfter`, or if its last poll failed and its data was retrieved longer than `grace` ago.
 */
export const make = <A, R>(options: {
  readonly name: string
  readonly rows: Rows<A, R>
  readonly maxAge: Duration.Duration
  readonly staleAfter: Duration.Duration
  readonly grace: Duration.Duration
  readonly witness?: (() => RowsByKey<R>) | undefined
}) => {
  const { grace, maxAge, name, rows, staleAfter, witness } = options
  const origin = new VersionedRef<Served<A, R> | undefined>(undefined)
  let claims: Claims = new Map()
  const report = passedOverReport(name)

  const freshUntil = ({ isFailing, snapshot }: SourceState<A, R>) =>
    Math.min(Age.servableUntil(snapshot, staleAfter), isFailing ? Age.recentUntil(snapshot, grace) : Infinity)

  /** Chooses among the sources, in order of preference; true if the source that serves is fresh. */
  const decide = Effect.fnUntraced(function* (states: ReadonlyArray<SourceState<A, R>>) {
    const now = yield* DateTime.now
    const millis = now.epochMilliseconds
    const fresh = states.filter((one) => millis <= freshUntil(one))
    const others = states
      .filter((one) => !fresh.includes(one))
      .sort((a, b) => DateTime.Order(b.snapshot.observedAt, a.snapshot.observedAt))
    const ordered = [...fresh, ...others]
    const former = origin.value
    const choice = choose({
      ...rows,
      sources: ordered.map((one) => one.rows),
      witness: witness?.(),
      former: former?.rows ?? new Map(),
      claims,
      isYoung: (row) => Age.isServable(row, maxAge, now)
    })
    claims = choice.claims
    yield* report(choice.passedOver)
    const base = ordered.find((one) => [...one.rows.keys()].some((key) => choice.rows.has(key)))
    if (base === undefined) return false
    const kept = rows.isListOfFirst === true ? only(choice.rows, base.rows) : choice.rows
    const parts = [...kept.values()]
    const { retrievedAt } = base.snapshot
    const isSame = former !== undefined && former.retrievedAt === retrievedAt && areSame(former.rows, choice.rows)
    const next: Served<A, R> = {
      value: rows.put(base.snapshot.value, kept),
      source: joinSources(parts.map((row) => row.source)),
      observedAt: parts.map(({ observedAt }) => observedAt).reduce(DateTime.max),
      retrievedAt,
      rows: choice.rows,
      first: base.key
    }
    const ends = [...parts.map((row) => Age.servableUntil(row, maxAge)), ...fresh.map(freshUntil)]
    origin.replace(isSame ? former : next, Math.min(...ends))
    return fresh.includes(base)
  })

  return {
    origin,
    decide,
    /**
     * The snapshot to save for a restart. A row that jumps is replaced by the served one from the same source. If the
     * served one is from another source, the row is left out.
     */
    believed: ({ key: dataSet, rows: received, snapshot }: SourceState<A, R>): Snapshot<A> => {
      const kept = new Map(received)
      for (const [key, row] of origin.value?.rows ?? []) {
        const own = received.get(key)
        if (own === undefined || !isJump(rows.figures(own.value), rows.figures(row.value), rows.jump)) continue
        if (row.key === dataSet) kept.set(key, row)
        else kept.delete(key)
      }
      if (areSame(kept, received)) return snapshot
      // A snapshot without rows must not be served.
      const observedAt = [...kept.values()].map((row) => row.observedAt).reduce(DateTime.max, NEVER)
      return { ...snapshot, observedAt, value: rows.put(snapshot.value, kept) }
    }
  }
}

/** Too old for anything to be served. */
const NEVER = DateTime.makeUnsafe(0)

const only = <R>(rows: RowsByKey<R>, keys: RowsByKey<R>): RowsByKey<R> =>
  new Map([...rows].filter(([key]) => keys.has(key)))

const areSame = (some: RowsByKey<unknown>, others: RowsByKey<unknown>): boolean =>
  some.size === others.size && [...some].every(([key, row]) => others.get(key) === row)
