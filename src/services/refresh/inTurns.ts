// Splits work that would block the event loop for milliseconds.
import { Effect } from "effect"

/** Runs steps, with requests and other fibers between them. */
export const inTurns = Effect.fnUntraced(function* <A>(steps: Generator<void, A>) {
  let step = steps.next()
  while (step.done !== true) {
    yield* Effect.yieldNow
    step = steps.next()
  }
  return step.value
})
