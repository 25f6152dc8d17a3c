// A value that is computed from others, such as the prices of coins. When an input changes it is computed again, once for all changes that
// come together, in one fiber, and replaced as a whole. A bug in a computation is logged and ends no later one.
import { Clock, Duration, Effect, Queue, type Scope, Semaphore } from "effect"
import { loop } from "../../domain/loop.ts"
import { CurrentDependencies, Dependencies, read, VersionedRef } from "./Dependencies.ts"

/** Runs an effect at once and after each change. */
export type Listen = (react: Effect.Effect<void>) => Effect.Effect<void>

export interface Derived<out A> {
  /** The last value. Never waits. */
  readonly current: Effect.Effect<A>
  /** The same, computed first if it is too old to be used. */
  readonly fresh: Effect.Effect<A>
  readonly listen: Listen
}

/** A computed value. `undefined` for a value leaves the last one in place. */
export interface Computed<A> {
  readonly value: A
  /** The last moment at which it may be used, epoch milliseconds; without it, that of what was read. */
  readonly goodUntil?: number
  /** When the next value is expected, epoch milliseconds. */
  readonly due?: number
}

export const make = <A>(options: {
  /** For log lines and spans. */
  readonly name: string
  readonly initial: A
  readonly inputs: ReadonlyArray<Listen>
  /** How long further changes are awaited after the first one; by default not at all. */
  readonly gather?: (current: A) => Duration.Input
  /** Computes the value; it may yield to other work. `undefined`: nothing changes. */
  readonly compute: (current: A) => Effect.Effect<Computed<A> | undefined>
}): Effect.Effect<Derived<A>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { gather, inputs, name } = options
    const origin = new VersionedRef<A>(options.initial)
    const changed = yield* Queue.sliding<void>(1)
    const listeners: Array<Effect.Effect<void>> = []

    let begun = 0
    let done = 0
    const compute = Effect.gen(function* () {
      const reads = new Dependencies()
      const computed = yield* Effect.provideService(options.compute(origin.value), CurrentDependencies, reads)
      if (computed === undefined) return
      origin.replace(computed.value, Math.min(computed.goodUntil ?? Infinity, reads.goodUntil))
      origin.due = computed.due ?? Infinity
      yield* Effect.all(listeners, { discard: true })
    }).pipe(
      Effect.catchDefect((defect) => Effect.logError(`bug while computing ${name}`, defect)),
      Effect.withSpan("Derived.compute", { attributes: { name } })
    )
    const replace = Effect.suspend(() => {
      const own = ++begun
      return Effect.andThen(
        compute,
        Effect.sync(() => void (done = own))
      )
    })
    const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
    const gathered = gather === undefined ? Effect.void : Effect.suspend(() => Effect.sleep(gather(origin.value)))
    const next = Queue.take(changed).pipe(Effect.andThen(gathered), Effect.andThen(inTurn(replace)))
    yield* Effect.forkScoped(loop(name, 0, next), { startImmediately: true })
    for (const listen of inputs) yield* listen(Effect.asVoid(Queue.offer(changed, undefined)))

    const isGood = Effect.map(Clock.currentTimeMillis, (now) => origin.version > 0 && now <= origin.goodUntil)
    /** Callers that wait together share one computation: with one each, the last would wait for all. */
    const renew = Effect.suspend(() => {
      const before = begun
      const isNeeded = Effect.map(isGood, (good) => !good && done <= before)
      return inTurn(Effect.flatMap(isNeeded, (needed) => (needed ? replace : Effect.void)))
    })
    return {
      current: read(origin),
      fresh: Effect.gen(function* () {
        if (!(yield* isGood)) yield* renew
        return yield* read(origin)
      }),
      listen: (react) =>
        Effect.andThen(
          Effect.sync(() => void listeners.push(react)),
          react
        )
    }
  })
