import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import * as DataSet from "../../../src/sources/dataset/DataSet.ts"
import { SourceError, Suspended, TimedOut } from "../../../src/sources/client/SourceError.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const timedOut = new SourceError({ source: "Test", reason: new TimedOut({ seconds: 5 }) })
const suspended = new SourceError({ source: "Test", reason: new Suspended({ retryAfter: 5 }) })

const millis = (time: DateTime.Utc | undefined): number | undefined => time?.epochMilliseconds

/** A data set that fails with the error that is set. */
const setup = Effect.gen(function* () {
  yield* TestClock.setTime(NOW)
  let failure: SourceError | null = null
  const fetch = Effect.gen(function* () {
    if (failure !== null) return yield* failure
    const now = yield* DateTime.now
    return Snapshot.make({
      value: 1,
      source: "Test",
      observedAt: DateTime.subtract(now, { hours: 1 }),
      retrievedAt: now
    })
  })
  const feed = yield* DataSet.make({ key: "test", source: "Test", every: "1 minute", fetch })
  return { feed, fail: (error: SourceError | null) => void (failure = error) }
})

describe("a data set's status", () => {
  it.effect("is empty before the first call", () =>
    Effect.gen(function* () {
      const { feed } = yield* setup
      assert.deepStrictEqual(yield* feed.status, { held: null, failed: null })
    })
  )

  it.effect("has the times of what is held, and the last failure beside it", () =>
    Effect.gen(function* () {
      const { fail, feed } = yield* setup
      yield* feed.get
      yield* TestClock.adjust("1 minute")
      fail(timedOut)
      yield* Effect.ignore(feed.get)
      const failing = yield* feed.status
      assert.deepStrictEqual(
        [millis(failing.held?.retrievedAt), millis(failing.held?.observedAt), millis(failing.failed?.at)],
        [NOW, NOW - 3_600_000, NOW + 60_000]
      )
      assert.strictEqual(failing.failed?.message, "Test did not answer within 5 s")

      fail(null)
      yield* TestClock.adjust("1 second")
      yield* feed.get
      const recovered = yield* feed.status
      assert.strictEqual(millis(recovered.held?.retrievedAt), NOW + 61_000)
      assert.strictEqual(recovered.failed?.reason, "TimedOut")
    })
  )

  it.effect("says of a source that rests what it rests from", () =>
    Effect.gen(function* () {
      const { fail, feed } = yield* setup
      fail(timedOut)
      yield* Effect.ignore(feed.get)
      fail(suspended)
      yield* Effect.ignore(feed.get)
      const { failed } = yield* feed.status
      assert.deepStrictEqual([failed?.reason, failed?.message], ["Suspended", "Test did not answer within 5 s"])
    })
  )
})
