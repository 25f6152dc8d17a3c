// A judge with its state: what is believed of one question. It reports what is passed over, and its state is saved and shared.
import { Clock, Duration, Effect, Option } from "effect"
import { inTurns } from "../refresh/inTurns.ts"
import * as Judge from "./Judge.ts"
import { Judgements } from "./Judgements.ts"
import { passedOverReport } from "./passedOverReport.ts"
import { savedState } from "./SavedState.ts"
import type { Rules } from "./Verdict.ts"

export interface Judging<R> {
  /** What is believed after these sources were seen. */
  readonly see: (sources: ReadonlyArray<Judge.Source<R>>) => Effect.Effect<Judge.State<R>>
  /** The same in steps, with other work between them. It must not run twice at a time. */
  readonly seeInTurns: (sources: ReadonlyArray<Judge.Source<R>>) => Effect.Effect<Judge.State<R>>
}

/** `name` is unique, and a label of log lines and metrics. `adopted` runs when a saved state, or that of another replica, was taken over. */
export const make = Effect.fnUntraced(function* <R>(options: {
  readonly name: string
  readonly rules: Rules<R>
  readonly maxAge: Duration.Duration
  readonly adopted?: Effect.Effect<void>
}): Effect.fn.Return<Judging<R>> {
  const { adopted = Effect.void, name, rules } = options
  const maxAge = Duration.toMillis(options.maxAge)
  const report = passedOverReport(name)
  const saved = savedState(rules)
  const judgements = yield* Judgements
  let state: Judge.State<R> = Judge.initial
  let seen: ReadonlyArray<Judge.Source<R>> = []

  const changed = yield* judgements.join(name, {
    text: () => saved.text(state, seen),
    adopt: (text) =>
      Effect.suspend(() => {
        const found = saved.from(text)
        if (Option.isNone(found)) return Effect.void
        state = { ...state, ...found.value }
        return adopted
      })
  })

  const take = Effect.fnUntraced(function* (next: Judge.State<R>) {
    if (isChanged(state, next)) changed()
    state = next
    yield* report(next.passedOver)
    return next
  })

  return {
    see: (sources) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        seen = sources
        return take(Judge.step(rules, state, { sources, maxAge }, now))
      }),
    seeInTurns: Effect.fnUntraced(function* (sources) {
      const now = yield* Clock.currentTimeMillis
      const next = yield* inTurns(Judge.inSteps(rules, state, { sources, maxAge }, now))
      seen = sources
      return yield* take(next)
    })
  }
})

/** Whether there is something to save. */
const isChanged = (before: Judge.State<unknown>, next: Judge.State<unknown>): boolean =>
  before.claims.size > 0 ||
  next.claims.size > 0 ||
  [...next.former].some(([key, { row }]) => before.former.get(key)?.row !== row)
