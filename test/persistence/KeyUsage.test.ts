// The requests of each key by day, over both stores: what is counted in memory reaches the store in batches, from every process,
// once each.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schedule, Scope } from "effect"
import { TestClock } from "effect/testing"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ApiKeyStore, ApiKeyStoreError, type UseBatch } from "../../src/access/ApiKeyStore.ts"
import * as KeyUsage from "../../src/access/KeyUsage.ts"
import * as RedisProcess from "./RedisProcess.ts"
import { temporaryFolder } from "../resources.ts"
import { capturedLog } from "../resources.ts"
import { files, inFiles, inRedis, keyStores } from "./keyStores.ts"

const storeOf = (layer: Layer.Layer<ApiKeyStore>) =>
  Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, ApiKeyStore))

const noon = Date.UTC(2026, 10, 20, 12)

const [acme = "", other = ""] = ["a".repeat(64), "b".repeat(64)]

/** The requests of a key today and in 30 days, and the last one, as `keys list` adds them. */
const usageOf = Effect.fnUntraced(function* (store: ApiKeyStore["Service"], hash: string, now: number) {
  const days = KeyUsage.daysAt(now)
  const use = (yield* store.uses(days)).get(hash)
  const all = Object.values(use?.days ?? {})
  return [use?.days[days[0] ?? ""] ?? 0, all.reduce((sum, requests) => sum + requests, 0), use?.last]
})

/** Waits until the store has so many requests of the key on that day: a batch is written in real time. */
const untilWritten = (store: ApiKeyStore["Service"], now: number, requests: number) =>
  usageOf(store, acme, now).pipe(
    Effect.repeat({ until: ([today]) => today === requests, schedule: Schedule.spaced("5 millis") }),
    TestClock.withLive
  )

describe.each(keyStores)("requests by key in %s", (_name, isPossible, place) => {
  const rule = (name: string, test: () => Effect.fn.Return<void, ApiKeyStoreError, Scope.Scope>) =>
    it.effect.skipIf(!isPossible)(name, () => Effect.gen(test))

  rule("reach the store within 10 seconds and at the end of the process; a restart goes on from there", function* () {
    yield* TestClock.setTime(noon)
    const store = yield* storeOf(yield* place)
    const process = yield* Scope.make()
    const counterOf = yield* Scope.provide(KeyUsage.make(store), process)
    counterOf(acme).count(noon)
    counterOf(acme).count(noon + 1)
    counterOf(other).count(noon + 2)
    yield* TestClock.adjust("10 seconds")
    yield* untilWritten(store, noon, 2)
    assert.deepStrictEqual(yield* usageOf(store, acme, noon), [2, 2, noon + 1])
    counterOf(acme).count(noon + 10_001)
    yield* Scope.close(process, Exit.void)
    assert.deepStrictEqual(yield* usageOf(store, acme, noon), [3, 3, noon + 10_001])

    const next = yield* Scope.make()
    const again = yield* Scope.provide(KeyUsage.make(store), next)
    again(acme).count(noon + 20_000)
    yield* Scope.close(next, Exit.void)
    assert.deepStrictEqual(yield* usageOf(store, acme, noon), [4, 4, noon + 20_000])
    assert.deepStrictEqual(yield* usageOf(store, other, noon), [1, 1, noon + 2])
    assert.deepStrictEqual(yield* usageOf(store, "c".repeat(64), noon), [0, 0, undefined])
  })

  rule("belong to the UTC day in which they came", function* () {
    const midnight = Date.UTC(2026, 10, 21)
    yield* TestClock.setTime(midnight - 3000)
    const store = yield* storeOf(yield* place)
    const process = yield* Scope.make()
    const counterOf = yield* Scope.provide(KeyUsage.make(store), process)
    counterOf(acme).count(midnight - 1)
    yield* TestClock.adjust("3 seconds")
    yield* untilWritten(store, midnight - 1, 1)
    counterOf(acme).count(midnight)
    counterOf(acme).count(midnight + 1)
    yield* Scope.close(process, Exit.void)
    assert.deepStrictEqual(yield* usageOf(store, acme, midnight - 1), [1, 1, midnight + 1])
    assert.deepStrictEqual(yield* usageOf(store, acme, midnight), [2, 3, midnight + 1])
    // The 30th day is the last one.
    const later = midnight + 29 * 86_400_000
    assert.deepStrictEqual(yield* usageOf(store, acme, later), [0, 2, midnight + 1])
  })

  rule("are added, whichever process counted them, and the time of the last one never goes back", function* () {
    yield* TestClock.setTime(noon)
    const store = yield* storeOf(yield* place)
    const batch = (writer: string, requests: number, last: number): UseBatch => ({
      writer,
      number: 0,
      day: "2026-11-20",
      uses: [{ hash: acme, requests, last }]
    })
    yield* store.addUses(batch("one", 3, noon + 5))
    yield* store.addUses(batch("two", 4, noon + 2))
    assert.deepStrictEqual(yield* usageOf(store, acme, noon), [7, 7, noon + 5])
  })
})

describe("requests by key", () => {
  it.effect("of a store that cannot be written are kept by day, and added when it can", () =>
    Effect.gen(function* () {
      const midnight = Date.UTC(2026, 10, 21)
      yield* TestClock.setTime(midnight - 3_600_000)
      const working = yield* storeOf(yield* inFiles)
      const { layer: log, logged } = capturedLog()
      let down = true
      let writes = 0
      const store = ApiKeyStore.of({
        ...working,
        addUses: (batch) => {
          writes++
          return down ? Effect.fail(new ApiKeyStoreError({ detail: "no room" })) : working.addUses(batch)
        }
      })
      const process = yield* Scope.make()
      const counterOf = yield* Scope.provide(KeyUsage.make(store), process).pipe(Effect.provide(log))
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(writes, 0, "nothing is written without a request")
      yield* TestClock.setTime(midnight - 15_000)
      for (let n = 0; n < 6; n++) {
        counterOf(acme).count(midnight - 15_000 + n * 5000)
        yield* TestClock.adjust("5 seconds")
      }
      assert.lengthOf(logged, 1)
      down = false
      yield* Scope.close(process, Exit.void)
      assert.deepStrictEqual(yield* usageOf(working, acme, midnight - 1), [3, 3, midnight + 10_000])
      assert.deepStrictEqual(yield* usageOf(working, acme, midnight), [3, 6, midnight + 10_000])
    })
  )

  it.effect.skipIf(!RedisProcess.isInstalled)("of a batch whose reply was lost are added once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const working = yield* storeOf(yield* inRedis)
      let lost = 0
      const store = ApiKeyStore.of({
        ...working,
        addUses: (batch) =>
          Effect.andThen(
            working.addUses(batch),
            lost++ === 0 ? Effect.fail(new ApiKeyStoreError({ detail: "no answer" })) : Effect.void
          )
      })
      const process = yield* Scope.make()
      const counterOf = yield* Scope.provide(KeyUsage.make(store), process)
      counterOf(acme).count(noon)
      yield* TestClock.adjust("10 seconds")
      yield* untilWritten(working, noon, 1)
      counterOf(acme).count(noon + 10_000)
      yield* TestClock.adjust("10 seconds")
      yield* untilWritten(working, noon, 2)
      yield* Scope.close(process, Exit.void)
      assert.isAbove(lost, 2)
      assert.deepStrictEqual(yield* usageOf(working, acme, noon), [2, 2, noon + 10_000])
    })
  )

  it.effect("stand in one file, by hash, for 30 days; a damaged file is begun again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const data = yield* temporaryFolder
      const file = join(data, "key-usage.json")
      const store = yield* storeOf(files(data))
      const batch = (day: string): UseBatch => ({
        writer: "one",
        number: 0,
        day,
        uses: [{ hash: acme, requests: 1, last: noon }]
      })
      for (const day of ["2026-10-20", "2026-10-22", "2026-11-20"]) yield* store.addUses(batch(day))
      const { [acme]: use } = JSON.parse(readFileSync(file, "utf8"))
      assert.deepStrictEqual(use, { days: { "2026-10-22": 1, "2026-11-20": 1 }, last: noon })
      // Making the folder of keys would look like a store that lost its records.
      assert.isFalse(existsSync(join(data, "keys")))

      writeFileSync(file, '{"half')
      yield* store.addUses(batch("2026-11-20"))
      assert.deepStrictEqual(yield* usageOf(store, acme, noon), [1, 1, noon])
    })
  )
})
