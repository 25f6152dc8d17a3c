// A question to two sources that a test dictates.
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Refresher from "../../../src/services/refresh/Refresher.ts"
import type { Rules } from "../../../src/services/judge/Judge.ts"
import { jump } from "../../../src/domain/Thresholds.ts"
import { whole } from "../../../src/services/refresh/Rows.ts"
import { NOW, scripted } from "../scripted.ts"

/** Answers that are one figure. */
export const rows = whole<number>()
export const rules: Rules<number> = { saved: Schema.Finite, figures: (figure) => [figure], jump: () => jump }

/** A question to `A`, then to `B`, both fetched every minute. */
export const setup = Effect.fnUntraced(function* (begin: (a: Told, b: Told) => void = (a) => a.says(1)) {
  yield* TestClock.setTime(NOW)
  const a = yield* scripted<number>("A")
  const b = yield* scripted<number>("B")
  begin(a, b)
  const question = yield* Refresher.make({
    name: "test",
    sources: [a.feed, b.feed],
    maxAge: "1 hour",
    staleAfter: "20 minutes",
    rows,
    rules
  })
  yield* TestClock.adjust(1)
  const figure = Effect.map(question.answer, ({ value }) => value)
  return { a, b, question, figure }
})

export type Told = Effect.Success<ReturnType<typeof scripted<number>>>

/** Surely one more refresh, and surely not two: a minute and the most that jitter adds. */
export const nextRefresh = TestClock.adjust("72 seconds")
