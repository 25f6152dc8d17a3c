// For what may take long to end when it is interrupted, such as a connection that has to tell its server so.
import { Effect, Fiber } from "effect"

/** The effect in a fiber of its own: whoever waits for it is interrupted at once, and the fiber ends when it can. */
export const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Effect.ensuring(
      Fiber.join(fiber),
      Effect.sync(() => fiber.interruptUnsafe())
    )
  )
