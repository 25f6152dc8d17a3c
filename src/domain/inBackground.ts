// For what may take long to end when it is interrupted, such as a connection that has to tell its server so.
import { Effect, Fiber } from "effect"

/** Runs the effect in its own fiber. Interrupting the caller returns at once; the fiber ends when it can. */
export const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Effect.ensuring(
      Fiber.join(fiber),
      Effect.sync(() => fiber.interruptUnsafe())
    )
  )
