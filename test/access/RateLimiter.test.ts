import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { usual } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { rule } from "../rulesOf.ts"

const free = usual("free")

describe("Limits: the rate limiter", () => {
  it.effect("allows 60 requests in a window and no more until it ends", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      yield* TestClock.setTime(1_795_000_000_400)
      for (let n = 59; n >= -40; n--) {
        const quota = yield* consume("ip:a", free)
        assert.deepStrictEqual(quota, { limit: 60, remaining: n, reset: 1_795_000_061, retryAfter: 60 })
      }
      yield* TestClock.adjust("59999 millis")
      assert.deepStrictEqual(yield* consume("ip:a", free), {
        limit: 60,
        remaining: -41,
        reset: 1_795_000_061,
        retryAfter: 1
      })
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* consume("ip:a", free), {
        limit: 60,
        remaining: 59,
        reset: 1_795_000_121,
        retryAfter: 60
      })
    }).pipe(Effect.provide(RateLimiter.layerMemory()))
  )

  it.effect("reports the same reset throughout a window", () =>
    Effect.gen(function* () {
      const { consume, peek } = yield* RateLimiter
      // The window ends exactly on a second, so rounding up a millisecond too much would report the next one.
      yield* TestClock.setTime(1_795_000_000_000)
      for (let n = 0; n < 200; n++) {
        assert.strictEqual((yield* consume("ip:a", free)).reset, 1_795_000_060)
        yield* TestClock.adjust("7 millis")
        assert.strictEqual((yield* peek("ip:a", free)).reset, 1_795_000_060)
      }
    }).pipe(Effect.provide(RateLimiter.layerMemory()))
  )

  rule("says to wait a second at least, where a shared window has ended by another process's clock", function* () {
    yield* TestClock.setTime(1_795_000_000_000)
    const { consume } = RateLimiter.over((_key, _tokens, now, done) => done({ count: 61, ends: now - 1500 }))
    assert.strictEqual((yield* consume("ip:a", free)).retryAfter, 1)
  })
})
