import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import { execPath } from "node:process"
import { free } from "../../src/access/Plan.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { DEFAULT_MAX_KEYS, makeMemoryWindows } from "../../src/access/WindowStore.ts"

const MINUTE = 60_000

describe("a window", () => {
  it("begins with a key's first request and ends 60 s later, whatever is refused meanwhile", () => {
    const windows = makeMemoryWindows()
    for (let n = 1; n <= 1000; n++) {
      assert.deepStrictEqual(windows.count("a", 1, 5000 + n * 59), { count: n, ends: 5059 + MINUTE })
    }
    assert.deepStrictEqual(windows.count("a", 1, 5059 + MINUTE - 1), { count: 1001, ends: 5059 + MINUTE })
    assert.deepStrictEqual(windows.count("a", 1, 5059 + MINUTE), { count: 1, ends: 5059 + 2 * MINUTE })
  })

  it("is not begun, spent or kept by looking", () => {
    const windows = makeMemoryWindows()
    assert.deepStrictEqual(windows.count("a", 0, 1000), { count: 0, ends: 1000 + MINUTE })
    assert.strictEqual(windows.size(), 0)
    windows.count("a", 1, 2000)
    assert.deepStrictEqual(windows.count("a", 0, 3000), { count: 1, ends: 2000 + MINUTE })
    assert.deepStrictEqual(windows.count("a", 0, 2000 + MINUTE), { count: 0, ends: 2000 + 2 * MINUTE })
  })

  it("does not outlast a clock that is put back", () => {
    const windows = makeMemoryWindows()
    for (let n = 0; n < 100; n++) windows.count("a", 1, 3_600_000)
    assert.deepStrictEqual(windows.count("a", 1, 0), { count: 1, ends: MINUTE })
    assert.deepStrictEqual(windows.count("a", 1, 1), { count: 2, ends: MINUTE })
  })

  it("goes on from what another counted", () => {
    const windows = makeMemoryWindows()
    windows.replace("a", { count: 41, ends: 50_000 }, 1000)
    assert.deepStrictEqual(windows.count("a", 1, 2000), { count: 42, ends: 50_000 })
    windows.replace("a", { count: 7, ends: 90_000 }, 55_000)
    assert.deepStrictEqual(windows.count("a", 1, 56_000), { count: 8, ends: 90_000 })
  })
})

/** Requests as they come: by whom, and how many milliseconds after the one before. */
const traffic = (keys: number) =>
  Schema.Array(
    Schema.Struct({
      key: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: keys })),
      after: Schema.Literals([0, 1, 7, 40, 300, 2500, 20_000])
    })
  ).check(Schema.isMinLength(50), Schema.isMaxLength(300))

const bounds = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 20 }))

describe("memory", () => {
  it.effect.prop(
    "is never that of more keys than the bound, and who asked lately is never forgotten before who did not",
    { bound: bounds, requests: traffic(60) },
    ({ bound, requests }) =>
      Effect.sync(() => {
        const windows = makeMemoryWindows(bound, MINUTE)
        const touched = new Map<string, number>()
        const truth = new Map<string, { readonly count: number; readonly ends: number }>()
        let now = 0
        let turn = 0
        for (const { after, key: n } of requests) {
          now += after
          const key = String(n)
          const held = truth.get(key)
          const open = held !== undefined && held.ends > now ? held : undefined
          const { count, ends } = windows.count(key, 1, now)
          assert.isAtMost(windows.size(), bound)
          if (open !== undefined && count === 1) {
            // Forgotten within its window: only because at least half the bound of other keys have asked since it did.
            const since = touched.get(key) ?? 0
            const later = [...touched].filter(([other, at]) => other !== key && at > since)
            assert.isAtLeast(later.length, Math.max(1, Math.floor(bound / 2)))
          } else {
            assert.deepStrictEqual([count, ends], open === undefined ? [1, now + MINUTE] : [open.count + 1, open.ends])
          }
          truth.set(key, { count, ends })
          touched.set(key, ++turn)
        }
      }),
    { arbitrary: { runs: 200, size: 300 } }
  )

  it.effect.prop(
    "forgets nobody within a window while there are no more keys than half the bound",
    { requests: traffic(10) },
    ({ requests }) =>
      Effect.sync(() => {
        const windows = makeMemoryWindows(20, MINUTE)
        const truth = new Map<number, { readonly count: number; readonly ends: number }>()
        let now = 0
        for (const { after, key } of requests) {
          now += after
          const held = truth.get(key)
          const next =
            held !== undefined && held.ends > now
              ? { count: held.count + 1, ends: held.ends }
              : { count: 1, ends: now + MINUTE }
          truth.set(key, next)
          assert.deepStrictEqual(windows.count(String(key), 1, now), { count: next.count, ends: next.ends })
        }
      }),
    { arbitrary: { runs: 200, size: 300 } }
  )

  it("of a million addresses stays under the bound, and a caller who goes on asking is not forgotten among them", () => {
    const windows = makeMemoryWindows()
    let most = 0
    for (let n = 0; n < 1_000_000; n++) {
      windows.count(`ip:${n >> 16}.${(n >> 8) & 255}.${n & 255}.1`, 1, n / 100)
      // Somebody slow: once in a while, and between two of their requests come 40,000 others.
      if (n % 40_000 === 0)
        assert.deepStrictEqual(windows.count("ip:192.0.2.1", 1, n / 100), { count: n / 40_000 + 1, ends: MINUTE })
      most = Math.max(most, windows.size())
    }
    assert.isAtMost(most, DEFAULT_MAX_KEYS)
    // The window of each is over, and so is the next one: nothing of them is left.
    windows.count("ip:192.0.2.2", 1, 200_000)
    assert.strictEqual(windows.size(), 1)
  })

  it("of a million addresses is below 25 MB, and of three million no more", () => {
    const script = `
      const { makeMemoryWindows } = await import(${JSON.stringify(new URL("../../src/access/WindowStore.ts", import.meta.url).href)})
      const windows = makeMemoryWindows()
      globalThis.gc()
      const before = process.memoryUsage().heapUsed
      const after = [1, 2, 3].map((million) => {
        for (let n = (million - 1) * 1e6; n < million * 1e6; n++) windows.count("ip:" + (n >>> 16) + "." + (n >>> 8 & 255) + "." + (n & 255) + ".1", 1, 1000)
        globalThis.gc()
        return process.memoryUsage().heapUsed - before
      })
      console.log(JSON.stringify({ after, size: windows.size() }))`
    const { stderr, stdout } = spawnSync(execPath, ["--expose-gc", "--input-type=module", "-e", script], {
      encoding: "utf8"
    })
    const Report = Schema.fromJsonString(Schema.Struct({ after: Schema.Array(Schema.Number), size: Schema.Number }))
    const { after, size } = Schema.decodeUnknownSync(Report)(stdout || stderr)
    assert.isAtMost(size, DEFAULT_MAX_KEYS)
    for (const bytes of after) assert.isBelow(bytes, 25_000_000)
  })
})

describe("quotas", () => {
  it.effect("allow 60 in a window and no more, until it is over", () =>
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
    }).pipe(Effect.provide(RateLimiter.layer))
  )

  it.effect("say the same reset throughout a window, however many milliseconds pass meanwhile", () =>
    Effect.gen(function* () {
      const { consume, peek } = yield* RateLimiter
      // It ends on a whole second: a millisecond more, and it would be the next.
      yield* TestClock.setTime(1_795_000_000_000)
      for (let n = 0; n < 200; n++) {
        assert.strictEqual((yield* consume("ip:a", free)).reset, 1_795_000_060)
        yield* TestClock.adjust("7 millis")
        assert.strictEqual((yield* peek("ip:a", free)).reset, 1_795_000_060)
      }
    }).pipe(Effect.provide(RateLimiter.layer))
  )

  it.effect("are each key's own", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimiter
      for (let n = 0; n < 70; n++) yield* consume("ip:a", free)
      assert.strictEqual((yield* consume("ip:b", free)).remaining, 59)
      assert.strictEqual((yield* consume("key:a", free)).remaining, 59)
    }).pipe(Effect.provide(RateLimiter.layer))
  )
})
