// A judge with its state: what is believed of one question. It reports what is passed over, and its state is saved and shared.
import { Clock, DateTime, Duration, Effect, Option } from "effect"
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
  /** The same at `now`, for callers that run no effects; {@link report} reports it later. */
  readonly judge: (sources: ReadonlyArray<Judge.Source<R>>, now: number) => Judge.State<R>
  /** Reports what was passed over last. */
  readonly report: Effect.Effect<void>
}

/** `name` is unique, and a label of log lines and metrics. `adopted` runs when a saved state, or that of another replica, was taken over. */
export const make = Effect.fnUntraced(function* <R>(options: {
  readonly name: string
  readonly rules: Rules<R>
  readonly maxAge: Duration.Duration
  readonly adopted?: Effect.Effect<void>
  /** False: the state is neither saved nor shared. */
  readonly isSaved?: boolean
}): Effect.fn.Return<Judging<R>> {
  const { adopted = Effect.void, name, rules } = options
  const maxAge = Duration.toMillis(options.maxAge)
  const report = passedOverReport(name)
  const saved = savedState(rules)
  let state: Judge.State<R> = Judge.initial
  let seen: ReadonlyArray<Judge.Source<R>> = []

  const part = {
    text: () => saved.text(state, seen),
    adopt: (text: string) =>
      Effect.flatMap(DateTime.now, (now) => {
        const found = saved.from(text, now)
        if (Option.isNone(found)) return Effect.void
        state = { ...state, ...found.value }
        return adopted
      })
  }
  const judgements = yield* Judgements
  const changed = options.isSaved === false ? () => {} : yield* judgements.join(name, part)

  const take = (next: Judge.State<R>, sources: ReadonlyArray<Judge.Source<R>>) => {
    if (isChanged(state, next)) changed()
    state = next
    seen = sources
    judgements.note(name, next.passedOver)
    return next
  }
  const judge: Judging<R>["judge"] = (sources, now) => take(Judge.step(rules, state, { sources, maxAge }, now), sources)
  const reported = Effect.suspend(() => report(state.passedOver))

  return {
    judge,
    report: reported,
    see: (sources) => Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.as(reported, judge(sources, now))),
    seeInTurns: Effect.fnUntraced(function* (sources) {
      const now = yield* Clock.currentTimeMillis
      const next = take(yield* inTurns(Judge.inSteps(rules, state, { sources, maxAge }, now)), sources)
      yield* reported
      return next
    })
  }
})

/** Whether there is something to save. */
const isChanged = (before: Judge.State<unknown>, next: Judge.State<unknown>): boolean =>
  before.claims.size > 0 ||
  next.claims.size > 0 ||
  [...next.former].some(([key, { row }]) => before.former.get(key)?.row !== row)
