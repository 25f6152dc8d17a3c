// A judge with its state: what is believed of one question. It reports what is passed over, and its state is saved and shared.
import { Clock, DateTime, Duration, Effect, Option, Semaphore } from "effect"
import { inTurns } from "../refresh/inTurns.ts"
import * as Judge from "./Judge.ts"
import { Judgements } from "./Judgements.ts"
import { passedOverReport } from "./passedOverReport.ts"
import * as RecordedFigures from "./RecordedFigures.ts"
import { savedState } from "./SavedState.ts"
import type { Rules } from "./Verdict.ts"

export interface Judging<R> {
  /** What is believed after these sources were seen. */
  readonly see: (sources: ReadonlyArray<Judge.Source<R>>) => Effect.Effect<Judge.State<R>>
  /** The same in steps, with other work between them. */
  readonly seeInTurns: (sources: ReadonlyArray<Judge.Source<R>>) => Effect.Effect<Judge.State<R>>
}

/** `name` is unique, and a label of log lines and metrics. `adopted` runs when a saved state, or that of another replica, was taken over. */
export const make = Effect.fnUntraced(function* <R>(options: {
  readonly name: string
  readonly rules: Rules<R>
  readonly maxAge: Duration.Duration
  readonly adopted?: Effect.Effect<void>
  /** Set if replicas see different rows: what another one saved is then added to the own state instead of replacing it. */
  readonly isMerged?: true
}): Effect.fn.Return<Judging<R>> {
  const { adopted = Effect.void, isMerged, name, rules } = options
  const maxAge = Duration.toMillis(options.maxAge)
  const report = passedOverReport(name)
  const saved = savedState(rules)
  const record = yield* RecordedFigures.make(rules.seriesOf)
  let state: Judge.State<R> = Judge.initial
  let seen: ReadonlyArray<Judge.Source<R>> = []

  const part = {
    text: () => saved.text(state, seen),
    adopt: (text: string) =>
      Effect.flatMap(DateTime.now, (now) => {
        const found = Option.getOrUndefined(saved.from(text, now))
        if (found === undefined) return Effect.void
        const before = isMerged ? state : Judge.initial
        const former = new Map([...found.former, ...before.former])
        state = { ...state, former, claims: new Map([...found.claims, ...before.claims]) }
        return adopted
      })
  }
  const judgements = yield* Judgements
  const changed = yield* judgements.join(name, part)

  const take = (next: Judge.State<R>, sources: ReadonlyArray<Judge.Source<R>>) => {
    if (isChanged(state, next)) changed()
    state = next
    seen = sources
    judgements.note(name, next.passedOver)
    return next
  }

  // Reading the record takes time: sources are judged in the order of their answers.
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const seeing = (judged: (...inputs: Parameters<typeof Judge.inSteps<R>>) => Effect.Effect<Judge.State<R>>) =>
    Effect.fnUntraced(function* (sources: ReadonlyArray<Judge.Source<R>>) {
      const isNew = (key: string) => state.former.get(key)?.figures === undefined
      yield* record.recall(new Set(sources.flatMap(({ rows }) => [...rows.keys()].filter(isNew))))
      const now = yield* Clock.currentTimeMillis
      const next = take(yield* judged(rules, state, { sources, maxAge, recorded: record.of }, now), sources)
      yield* report(next.passedOver)
      return next
    }, inTurn)

  return {
    see: seeing((...inputs) => Effect.sync(() => Judge.step(...inputs))),
    seeInTurns: seeing((...inputs) => inTurns(Judge.inSteps(...inputs)))
  }
})

/** Whether there is something to save. */
const isChanged = (before: Judge.State<unknown>, next: Judge.State<unknown>): boolean =>
  before.claims.size > 0 ||
  next.claims.size > 0 ||
  next.former.entries().some(([key, { row }]) => before.former.get(key)?.row !== row)
