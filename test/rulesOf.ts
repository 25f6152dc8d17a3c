// Tests that all begin with the same thing say so once.
import type { Vitest } from "@effect/vitest"
import { Effect, Scope } from "effect"

/** Declares rules of something that is made anew for each of them. */
export const rulesOf =
  <R, A>(it: Pick<Vitest.MethodsNonLive<R>, "effect">, given: Effect.Effect<A, unknown, R | Scope.Scope>) =>
  (name: string, test: (given: A) => Effect.fn.Return<void, unknown, R | Scope.Scope>) =>
    it.effect(name, () => Effect.flatMap(given, (made) => Effect.gen(() => test(made))))
