// For effects that may be slow to interrupt, such as a connection that must first notify its server.
import { Effect, Fiber } from "effect"

/** Runs the effect in its own fiber. Interrupting the caller returns at once; the fiber ends when it can. */
export const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Effect.ensuring(
      Fiber.join(fiber),
      Effect.sync(() => fiber.interruptUnsafe())
    )
  )
