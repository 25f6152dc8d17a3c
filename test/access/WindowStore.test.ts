import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { memoryUsage } from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { makeMemoryWindows } from "../../src/access/WindowStore.ts"

const MINUTE = 60_000

describe("a window in memory", () => {
  it("starts with a key's first request and ends 60 s later, however many requests come meanwhile", () => {
    const windows = makeMemoryWindows()
    for (let n = 1; n <= 1000; n++) {
      assert.deepStrictEqual(windows.count("a", 1, 5000 + n * 59), { count: n, ends: 5059 + MINUTE })
    }
    assert.deepStrictEqual(windows.count("a", 1, 5059 + MINUTE - 1), { count: 1001, ends: 5059 + MINUTE })
    assert.deepStrictEqual(windows.count("a", 1, 5059 + MINUTE), { count: 1, ends: 5059 + 2 * MINUTE })
  })

  it("a peek neither opens a window nor counts a request", () => {
    const windows = makeMemoryWindows()
    assert.deepStrictEqual(windows.count("a", 0, 1000), { count: 0, ends: 1000 + MINUTE })
    assert.strictEqual(windows.size(), 0)
    windows.count("a", 1, 2000)
    assert.deepStrictEqual(windows.count("a", 0, 3000), { count: 1, ends: 2000 + MINUTE })
    assert.deepStrictEqual(windows.count("a", 0, 2000 + MINUTE), { count: 0, ends: 2000 + 2 * MINUTE })
  })

  it("is replaced when the clock was set back", () => {
    const windows = makeMemoryWindows()
    for (let n = 0; n < 100; n++) windows.count("a", 1, 3_600_000)
    assert.deepStrictEqual(windows.count("a", 1, 0), { count: 1, ends: MINUTE })
    assert.deepStrictEqual(windows.count("a", 1, 1), { count: 2, ends: MINUTE })
  })

  it("continues from the count of another store", () => {
    const windows = makeMemoryWindows()
    windows.replace("a", { count: 41, ends: 50_000 }, 1000)
    assert.deepStrictEqual(windows.count("a", 1, 2000), { count: 42, ends: 50_000 })
    windows.replace("a", { count: 7, ends: 90_000 }, 55_000)
    assert.deepStrictEqual(windows.count("a", 1, 56_000), { count: 8, ends: 90_000 })
  })
})

/** Requests: the key, and the milliseconds since the request before. */
const traffic = (keys: number) =>
  Schema.Array(
    Schema.Struct({
      key: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: keys })),
      after: Schema.Literals([0, 1, 7, 40, 300, 2500, 20_000])
    })
  ).check(Schema.isMinLength(50), Schema.isMaxLength(300))

const bounds = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 20 }))

describe("the memory of windows", () => {
  it.effect.prop(
    "never holds more keys than the bound, and drops the least recently used ones first",
    { bound: bounds, requests: traffic(60) },
    ({ bound, requests }) =>
      Effect.sync(() => {
        const windows = makeMemoryWindows(bound)
        const touched = new Map<string, number>()
        const truth = new Map<string, { readonly count: number; readonly ends: number }>()
        let now = 0
        let use = 0
        for (const { after, key: n } of requests) {
          now += after
          const key = String(n)
          const held = truth.get(key)
          const open = held !== undefined && held.ends > now ? held : undefined
          const { count, ends } = windows.count(key, 1, now)
          assert.isAtMost(windows.size(), bound)
          if (open !== undefined && count === 1) {
            // Forgotten within its window: at least half the bound of other keys must have been used since.
            const since = touched.get(key) ?? 0
            const later = [...touched].filter(([other, at]) => other !== key && at > since)
            assert.isAtLeast(later.length, Math.max(1, Math.floor(bound / 2)))
          } else {
            assert.deepStrictEqual([count, ends], open === undefined ? [1, now + MINUTE] : [open.count + 1, open.ends])
          }
          truth.set(key, { count, ends })
          touched.set(key, ++use)
        }
      }),
    { arbitrary: { runs: 60, size: 300 } }
  )

  it.effect.prop(
    "forgets no open window while there are at most half as many keys as the bound",
    { requests: traffic(10) },
    ({ requests }) =>
      Effect.sync(() => {
        const windows = makeMemoryWindows(20)
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
    { arbitrary: { runs: 60, size: 300 } }
  )

  it("stays bounded under requests from ever new addresses, and a caller who keeps asking is not forgotten", () => {
    setFlagsFromString("--expose-gc")
    const collect: () => void = runInNewContext("gc")
    const used = (): number => {
      collect()
      return memoryUsage().heapUsed
    }
    const bound = 20_000
    const windows = makeMemoryWindows(bound)
    const before = used()
    // Three and six times the bound, all within one window.
    for (const last of [60_000, 120_000]) {
      for (let n = last - 60_000; n < last; n++) {
        windows.count(`ip:${n >> 16}.${(n >> 8) & 255}.${n & 255}.1`, 1, n / 4)
        // 8,000 other callers come between two requests of this one: fewer than half the bound.
        if (n % 8000 === 0) {
          assert.deepStrictEqual(windows.count("ip:192.0.2.1", 1, n / 4), { count: n / 8000 + 1, ends: MINUTE })
        }
      }
      assert.isAtMost(windows.size(), bound)
      assert.isBelow(used() - before, 5_000_000, `bytes after ${last} addresses`)
    }
    // Two windows later nothing of them is left.
    windows.count("ip:192.0.2.2", 1, 200_000)
    assert.strictEqual(windows.size(), 1)
  })
})
