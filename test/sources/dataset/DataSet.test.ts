import { assert, describe } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import * as DataSet from "../../../src/sources/dataset/DataSet.ts"
import { BadStatus, OverBudget, SourceError, Unusable } from "../../../src/sources/client/SourceError.ts"
import { alone, Replicas, type ReplicasService } from "../../../src/sources/dataset/Replicas.ts"
import { sharedEntries } from "./sharedEntries.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const failure = new SourceError({ source: "Test", reason: new Unusable({ detail: "nothing" }) })

/** Snapshots that count the fetches: 1, 2, 3…, observed when they are fetched unless told. */
const counting = (observedAt: (n: number) => number | undefined = () => undefined) => {
  let fetches = 0
  let failing = false
  const fetch = Effect.gen(function* () {
    const n = ++fetches
    if (failing) return yield* failure
    const retrievedAt = yield* DateTime.now
    const observed = observedAt(n)
    return Snapshot.make({
      value: n,
      source: "Test",
      observedAt: observed === undefined ? retrievedAt : DateTime.makeUnsafe(observed),
      retrievedAt
    })
  })
  return { fetch, fetches: () => fetches, fail: (on: boolean) => void (failing = on) }
}

const setup = Effect.fnUntraced(function* (observedAt?: (n: number) => number | undefined) {
  yield* TestClock.setTime(NOW)
  const upstream = counting(observedAt)
  const feed = yield* DataSet.make({ key: "test", source: "Test", every: "1 minute", fetch: upstream.fetch })
  return { feed, ...upstream }
})

describe("a data set", () => {
  rule("fetches nothing before the first call", function* () {
    const { feed, fetches } = yield* setup()
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(fetches(), 0)
    assert.isTrue(Option.isNone(yield* feed.last))
    assert.strictEqual(Duration.toSeconds(feed.every), 60)
  })

  rule("concurrent callers share one fetch", function* () {
    yield* TestClock.setTime(NOW)
    const { fetch, fetches } = counting()
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 minute",
      fetch: Effect.delay(fetch, "1 second")
    })
    const five = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 5 }, () => feed.get),
        { concurrency: "unbounded" }
      )
    )
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(
      (yield* Fiber.join(five)).map(({ value }) => value),
      [1, 1, 1, 1, 1]
    )
    assert.strictEqual(fetches(), 1)
  })

  rule("the first caller leaving does not take the fetch away from the others", function* () {
    yield* TestClock.setTime(NOW)
    const { fetch, fetches } = counting()
    const gate = yield* Deferred.make<void>()
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 minute",
      fetch: Effect.andThen(Deferred.await(gate), fetch)
    })
    const first = yield* Effect.forkChild(feed.get, { startImmediately: true })
    const second = yield* Effect.forkChild(feed.get, { startImmediately: true })
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual((yield* Fiber.join(second)).value, 1)
    assert.strictEqual(fetches(), 1)
  })

  rule("is not asked again before `every` has passed since it was, and then once", function* () {
    const { feed, fetches } = yield* setup()
    yield* feed.get
    yield* TestClock.adjust(59_999)
    assert.strictEqual((yield* feed.get).value, 1)
    assert.strictEqual(fetches(), 1)
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* feed.get).value, 2)
    assert.strictEqual((yield* feed.get).value, 2)
    assert.strictEqual(fetches(), 2)
  })

  rule("a failed refresh fails its callers and keeps the last good answer with its own times", function* () {
    const { fail, feed, fetches } = yield* setup()
    const good = yield* feed.get
    yield* TestClock.adjust("1 minute")
    fail(true)
    assert.strictEqual(yield* Effect.flip(feed.get), failure)
    assert.deepStrictEqual(yield* feed.last, Option.some(good))
    assert.strictEqual(fetches(), 2)
    fail(false)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* feed.get).value, 3)
  })

  rule("callers of a failing source do not ask it again before its pause is over", function* () {
    const { fail, feed, fetches } = yield* setup()
    fail(true)
    for (let caller = 0; caller < 25; caller++) assert.strictEqual(yield* Effect.flip(feed.get), failure)
    assert.strictEqual(fetches(), 1)
    fail(false)
    yield* TestClock.adjust("18 seconds")
    assert.strictEqual((yield* feed.get).value, 2)
  })

  rule("a defect in a fetch is a failure", function* () {
    yield* TestClock.setTime(NOW)
    const { fetch } = counting()
    let broken = true
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 minute",
      fetch: Effect.suspend(() => (broken ? Effect.die("bug") : fetch))
    })
    assert.strictEqual((yield* Effect.flip(feed.get)).reason._tag, "Unusable")
    broken = false
    yield* TestClock.adjust("18 seconds")
    assert.strictEqual((yield* feed.get).value, 1)
  })

  rule("an older observation never replaces a newer one, and counts as having asked", function* () {
    const { feed, fetches } = yield* setup((n) => (n === 2 ? NOW - 3_600_000 : undefined))
    const first = yield* feed.get
    yield* TestClock.adjust("1 minute")
    const second = yield* feed.get
    assert.strictEqual(second.value, 1)
    assert.strictEqual(second.observedAt.epochMilliseconds, first.observedAt.epochMilliseconds)
    assert.strictEqual(second.retrievedAt.epochMilliseconds, NOW + 60_000)
    yield* feed.get
    assert.strictEqual(fetches(), 2)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* feed.get).value, 3)
  })

  rule("an equally old observation does replace: the source may have corrected itself", function* () {
    const { feed } = yield* setup(() => NOW - 1000)
    yield* feed.get
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* feed.get).value, 2)
  })

  rule("has failed as its source does, also while the budget withholds calls; then by the budget", function* () {
    yield* TestClock.setTime(NOW)
    let answer: Effect.Effect<Snapshot.Snapshot<number>, SourceError> = failure
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 minute",
      fetch: Effect.suspend(() => answer)
    })
    const after = Effect.fnUntraced(function* (reason: SourceError["reason"]) {
      yield* TestClock.adjust("1 minute")
      answer = Effect.fail(new SourceError({ source: "Test", reason }))
      yield* Effect.flip(feed.get)
      return (yield* feed.status).failed?.reason
    })
    assert.strictEqual(yield* after(new BadStatus({ status: 500 })), "BadStatus")
    assert.strictEqual(yield* after(new OverBudget({ retryAfter: 9 })), "BadStatus")
    yield* TestClock.adjust("1 minute")
    answer = counting().fetch
    yield* feed.get
    assert.strictEqual(yield* after(new OverBudget({ retryAfter: 9 })), "OverBudget")
  })

  /** A poller whose steps, and a shared entry whose reads, may have a bug. */
  const breakable = Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    let bug: string | undefined
    const die = (step: string) => Effect.suspend(() => (bug === step ? Effect.die(new Error("a bug")) : Effect.void))
    const { fetch, fetches } = counting()
    const replicas: ReplicasService = {
      ...alone,
      look: (asked) => Effect.andThen(die("look"), alone.look(asked)),
      settle: (settled) => Effect.andThen(die("settle"), alone.settle(settled))
    }
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 minute",
      fetch: Effect.andThen(die("fetch"), fetch),
      keeping: { origin: "https://upstream.example", schema: Schema.Finite, most: 1000 }
    }).pipe(Effect.provideService(Replicas, { ...replicas, budget: alone.budget }))
    const judge = Effect.as(die("judge"), { isServed: true })
    const plan = () => {
      if (bug === "plan") throw new Error("a bug")
    }
    const { layer, lines } = capturedLog()
    yield* feed
      .poll({ question: "test", judge: () => judge, plan })
      .pipe(Effect.provide(layer), Effect.forkScoped({ startImmediately: true }))
    return { fetches, lines, breaks: (step: string | undefined) => void (bug = step) }
  })

  rule("goes on after a bug in any step of a poll, and logs it", function* () {
    for (const step of ["look", "settle", "fetch", "judge", "plan"]) {
      const { breaks, fetches, lines } = yield* breakable
      yield* TestClock.adjust("1 second")
      breaks(step)
      yield* TestClock.adjust("10 minutes")
      assert.isTrue(lines.length > 0 && lines.every((line) => line.startsWith("Error ")), `${step}: ${lines.join()}`)
      breaks(undefined)
      const before = fetches()
      yield* TestClock.adjust("5 minutes")
      assert.isAtLeast(fetches() - before, 3, step)
    }
  })

  rule("the replica that fetched last fetches as soon as it is due, though writing its entry takes time", function* () {
    yield* TestClock.setTime(NOW)
    const { fetch, fetches } = counting()
    const replica = sharedEntries().replica()
    const feed = yield* DataSet.make({
      key: "test",
      source: "Test",
      every: "1 second",
      fetch,
      keeping: { origin: "https://upstream.example", schema: Schema.Finite, most: 1000 }
    }).pipe(
      Effect.provideService(Replicas, {
        ...replica,
        settle: (settled) => Effect.delay(replica.settle(settled), "5 millis")
      })
    )
    yield* feed
      .poll({ question: "test", judge: () => Effect.succeed({ isServed: true }), plan: () => {} })
      .pipe(Effect.forkScoped({ startImmediately: true }))
    yield* TestClock.adjust("1 minute")
    // A pause is at most 1.1 s. Without its head start each fetch would be a second later.
    assert.isAtLeast(fetches(), 45)
  })
})
