// What the limiter keeps of 3,000,000 callers once two windows have passed: run with --expose-gc, prints JSON, in MiB. Time is
// not waited for: the clock that the quotas read is moved on.
import { Clock, Console, Effect, Layer } from "effect"
import Process from "node:process"
import { free } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"

const CALLERS = 3_000_000
const WINDOW = 60_000

let now = 1_800_000_000_000

const injected = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (clock) =>
    Object.assign(Object.create(clock), {
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.sync(() => now)
    })
  )
)

const MIB = 1024 * 1024

const memory = Effect.promise(async () => {
  // What promises hold is let go of in a turn of the loop.
  for (let n = 0; n < 3; n++) {
    globalThis.gc?.()
    await new Promise((done) => setImmediate(done))
  }
  const { heapUsed, rss } = Process.memoryUsage()
  return { heap: heapUsed / MIB, rss: rss / MIB }
})

const addressOf = (n: number): string => `ip:${10 + (n >> 24)}.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

const limiter = Effect.gen(function* () {
  const { consume } = yield* RateLimiter
  yield* Effect.forEach([1, 2, 3], (n) => consume(addressOf(n), free))
  const before = yield* memory
  for (let n = 0; n < CALLERS; n++) yield* consume(addressOf(n), free)
  const after = yield* memory
  now += 2 * WINDOW
  // Nothing is swept: what has expired goes when the next caller comes.
  yield* consume(addressOf(1), free)
  const twoWindowsLater = yield* memory
  yield* Console.log(JSON.stringify({ callers: CALLERS, before, after, twoWindowsLater }))
})

Effect.runPromise(limiter.pipe(Effect.provide(RateLimiter.layer), Effect.provide(injected))).catch((failure) => {
  Process.exitCode = 1
  throw failure
})
