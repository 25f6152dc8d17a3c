// Drives the service's judge: the rows that sources hold go in, the rows that are served come out.
import { DateTime, Option } from "effect"
import { rememberOf } from "../../src/domain/rememberEach.ts"
import * as Judge from "../../src/services/judge/Judge.ts"
import { savedState } from "../../src/services/judge/SavedState.ts"
import type { Held, HeldAnswers } from "./Scene.ts"

/** What a judge believes, and the rows that it saw last, which are saved by their sources. */
export interface Judged<R> {
  readonly state: Judge.State<R>
  readonly sources: ReadonlyArray<Judge.Source<R>>
  /** What the own record had at the last start. */
  readonly recorded: ReadonlyMap<string, Judge.Figures>
}

export const timeOf = (t: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(t))

/** A row that is read from an answer. */
export interface Read<R> {
  readonly key: string
  readonly value: R
  readonly at: number
}

/** A source of rows: how often it is asked, and the rows of an answer, which are the same objects each time. */
export interface Reading<R> {
  readonly name: string
  readonly every: number
  /** Its newest observation is stale after so many milliseconds. */
  readonly staleAfter: number
  readonly rowsOf: (held: Held) => Judge.RowsByKey<R>
}

/** `read`: the rows of an answer; none if it is refused. */
export const reading = <R>(
  name: string,
  every: number,
  read: (held: Held) => ReadonlyArray<Read<R>>,
  staleAfter = Infinity
): Reading<R> => ({
  name,
  every,
  staleAfter,
  rowsOf: rememberOf((answer: Held) => {
    const retrievedAt = timeOf(answer.retrievedAt)
    return new Map(
      read(answer).map(({ at, key, value }) => {
        const observedAt = DateTime.min(timeOf(at), retrievedAt)
        return [key, { source: name, key: name, value, observedAt, retrievedAt }]
      })
    )
  })
})

const sourceOf = <R>(held: HeldAnswers, { every, name, rowsOf, staleAfter }: Reading<R>): Judge.Source<R> => {
  const answer = held.get(name)
  if (answer === undefined) return { rows: new Map(), freshUntil: Infinity }
  const retrievedAt = timeOf(answer.retrievedAt)
  const rows = rowsOf(answer)
  const newest = Math.max(...Array.from(rows.values(), ({ observedAt }) => observedAt.epochMilliseconds))
  const freshUntil = Math.min(newest + staleAfter, Judge.freshUntil({ retrievedAt }, answer.isFailing, every))
  return { rows, freshUntil }
}

/** Whether an answer has rows of one of these sources. */
export const isRead = (readings: ReadonlyArray<Reading<unknown>>, source: string, answer: Held): boolean =>
  readings.every(({ name, rowsOf }) => name !== source || rowsOf(answer).size > 0)

/** The end of time: in these worlds nothing is saved by a clock that is ahead. */
const END = DateTime.makeUnsafe(8.64e15)

/** A judge by its rules. `maxAge` in milliseconds. */
export const judged = <R>(rules: Judge.Rules<R>, maxAge: number) => {
  const saved = savedState(rules)
  const start: Judged<R> = { state: Judge.initial, sources: [], recorded: new Map() }
  return {
    start,
    sourcesOf: (held: HeldAnswers, readings: ReadonlyArray<Reading<R>>) => readings.map((one) => sourceOf(held, one)),
    step: ({ recorded, state }: Judged<R>, sources: Judged<R>["sources"], now: number): Judged<R> => ({
      state: Judge.step(rules, state, { sources, maxAge, recorded: (key) => recorded.get(key) }, now),
      sources,
      recorded
    }),
    /** Those of the served rows that are not too old at `now`. */
    rowsAt: ({ state: { rows } }: Judged<R>, now: number): ReadonlyArray<readonly [key: string, Judge.Row<R>]> =>
      [...rows].filter(([, { observedAt }]) => now <= observedAt.epochMilliseconds + maxAge),
    saved: ({ sources, state }: Judged<R>): string => saved.text(state, sources),
    recorded: ({ recorded, state }: Judged<R>): Judged<R> => ({
      ...start,
      recorded: new Map([
        ...recorded,
        ...[...state.former].flatMap(([key, { row }]) =>
          row === undefined ? [] : [[key, rules.figures(row.value)] as const]
        )
      ])
    }),
    restored: (text: string): Judged<R> => ({
      ...start,
      state: { ...Judge.initial, ...Option.getOrThrow(saved.from(text, END)) }
    })
  }
}
