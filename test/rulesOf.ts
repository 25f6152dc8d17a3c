// Rules, each with the generator that tests it.
import { it, layer, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"

/** Declares rules of something that is made anew for each of them. */
export const rulesOf =
  <R, A>(it: Pick<Vitest.MethodsNonLive<R>, "effect">, given: Effect.Effect<A, unknown, R | Scope.Scope>) =>
  (name: string, test: (given: A) => Effect.fn.Return<void, unknown, R | Scope.Scope>) =>
    it.effect(name, () => Effect.flatMap(given, (made) => Effect.gen(() => test(made))))

/** Declares a rule, in time that the test sets. */
export const rule = rulesOf(it, Effect.void)

/** Declares a rule, in real time. */
export const liveRule = rulesOf({ effect: it.live }, Effect.void)

/** Declares rules of what a layer makes, once for all of them. */
export const rulesIn =
  <R, E>(made: Layer.Layer<R, E>, options?: Parameters<typeof layer>[1]) =>
  (name: string, declare: (rule: ReturnType<typeof rulesOf<R, void>>, it: Vitest.MethodsNonLive<R>) => void): void =>
    layer(made, options)(name, (it) => declare(rulesOf(it, Effect.void), it))

/** Declares rules of what a layer makes, anew for each of them. */
export const rulesOver =
  <R, E>(made: Layer.Layer<R, E>) =>
  (name: string, test: () => Effect.fn.Return<void, unknown, R | Scope.Scope>) =>
    it.effect(name, () => Effect.provide(Effect.gen(test), made))

/** Declares rules of what is there while `within` runs them, in real time. */
export const rulesWithin =
  <A, R>(within: (test: (given: A) => Effect.Effect<void, unknown, R>) => Effect.Effect<void, unknown, Scope.Scope>) =>
  (name: string, test: (given: A) => Effect.fn.Return<void, unknown, R>) =>
    it.live(name, () => within((given) => Effect.gen(() => test(given))))
