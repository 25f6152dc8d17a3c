// Rules, each with the generator that tests it.
import { it, type Vitest } from "@effect/vitest"
import { Effect, Scope } from "effect"

/** Declares rules of something that is made anew for each of them. */
export const rulesOf =
  <R, A>(it: Pick<Vitest.MethodsNonLive<R>, "effect">, given: Effect.Effect<A, unknown, R | Scope.Scope>) =>
  (name: string, test: (given: A) => Effect.fn.Return<void, unknown, R | Scope.Scope>) =>
    it.effect(name, () => Effect.flatMap(given, (made) => Effect.gen(() => test(made))))

/** Declares a rule, in time that the test sets. */
export const rule = rulesOf(it, Effect.void)

/** Declares a rule, in real time. */
export const liveRule = rulesOf({ effect: it.live }, Effect.void)
