// Measures the memory of the rate limiter with 3,000,000 callers, and after two windows have passed. Run with --expose-gc; prints
// JSON, in MiB. The clock that the limiter reads is set forward, so nothing is waited for.
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
  // Promises release what they hold in a later event-loop turn.
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
  // Expired windows are dropped by the next request.
  yield* consume(addressOf(1), free)
  const twoWindowsLater = yield* memory
  yield* Console.log(JSON.stringify({ callers: CALLERS, before, after, twoWindowsLater }))
})

Effect.runPromise(limiter.pipe(Effect.provide(RateLimiter.layer), Effect.provide(injected))).catch((failure) => {
  Process.exitCode = 1
  throw failure
})
