// A clock whose time a program sets, while sleeps take real time: for programs that record years in minutes.
import { Clock, Effect } from "effect"

/** Runs an effect with the time that `now` gives, epoch milliseconds. */
export const at =
  (now: () => number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Clock.clockWith((clock) =>
      Effect.provideService(effect, Clock.Clock, {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now),
        currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
        currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    )
