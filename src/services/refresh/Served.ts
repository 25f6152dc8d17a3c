// The served answer of a refresher, built from the rows that are believed. It is made after every poll, and again when a served row
// becomes too old.
import { DateTime, type Duration, Effect } from "effect"
import { joinSources, type Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "../../sources/dataset/Age.ts"
import * as Judge from "../judge/Judge.ts"
import * as Judging from "../judge/Judging.ts"
import type { Rules, RowsByKey } from "../judge/Judge.ts"
import { VersionedRef } from "./Dependencies.ts"
import type { Rows } from "./Rows.ts"

/** An answer of rows that may come from several sources. */
export interface Served<out A, out R> extends Snapshot<A> {
  /** Each row with its source and time, including those that only a less preferred source has. */
  readonly rows: RowsByKey<R>
  /** The key of the data set that the answer is based on; single rows may come from others. */
  readonly first: string
}

/** What the data set with this key has. */
export interface SourceState<A, R> extends Judge.Source<R> {
  readonly key: string
  readonly snapshot: Snapshot<A>
}

/** Rows observed longer than `maxAge` ago are not served. */
export const make = Effect.fnUntraced(function* <A, R>(options: {
  readonly name: string
  readonly rows: Rows<A, R>
  readonly rules: Rules<R>
  readonly maxAge: Duration.Duration
}) {
  const { maxAge, name, rows, rules } = options
  const origin = new VersionedRef<Served<A, R> | undefined>(undefined)
  let last: ReadonlyArray<SourceState<A, R>> = []
  const judging = yield* Judging.make({
    name,
    rules,
    maxAge,
    adopted: Effect.suspend(() => (last.length === 0 ? Effect.void : Effect.asVoid(decide(last))))
  })

  /** Judges the sources, in order of preference; true if the source that serves is fresh. */
  const decide = Effect.fnUntraced(function* (states: ReadonlyArray<SourceState<A, R>>): Effect.fn.Return<boolean> {
    last = states
    const now = yield* DateTime.now
    const millis = now.epochMilliseconds
    const believed = (yield* judging.see(states)).rows
    const former = origin.value
    const base = Judge.inOrder(states, millis).find((one) => [...one.rows.keys()].some((key) => believed.has(key)))
    if (base === undefined) {
      if (former !== undefined && Age.isAhead(former, now)) origin.replace(undefined)
      return false
    }
    const kept = rows.isListOfFirst === true ? only(believed, base.rows) : believed
    const parts = [...kept.values()]
    const { retrievedAt } = base.snapshot
    const isSame = former !== undefined && former.retrievedAt === retrievedAt && areSame(former.rows, believed)
    const next: Served<A, R> = {
      value: rows.put(base.snapshot.value, kept),
      source: joinSources(parts.map((row) => row.source)),
      observedAt: parts.map(({ observedAt }) => observedAt).reduce(DateTime.max),
      retrievedAt,
      rows: believed,
      first: base.key
    }
    const fresh = states.map(({ freshUntil }) => freshUntil).filter((until) => millis <= until)
    origin.replace(isSame ? former : next, Math.min(...parts.map((row) => Age.servableUntil(row, maxAge)), ...fresh))
    return millis <= base.freshUntil
  })

  return { origin, decide }
})

const only = <R>(rows: RowsByKey<R>, keys: RowsByKey<R>): RowsByKey<R> =>
  new Map([...rows].filter(([key]) => keys.has(key)))

const areSame = (some: RowsByKey<unknown>, others: RowsByKey<unknown>): boolean =>
  some.size === others.size && [...some].every(([key, row]) => others.get(key) === row)
