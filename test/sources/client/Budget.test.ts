import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Budget from "../../../src/sources/client/Budget.ts"
import * as SnapshotStore from "../../../src/sources/dataset/SnapshotStore.ts"
import { rulesOf } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const stamp = { source: "", observedAt: DateTime.makeUnsafe(NOW), retrievedAt: DateTime.makeUnsafe(NOW) }

/** Moments at which a call was allowed, and for whom. */
interface Grant {
  readonly at: number
  readonly urgency: Budget.Urgency
}

const Step = Schema.Struct({
  urgency: Schema.Literals(["scheduled", "on_demand", "backfill"]),
  /** Milliseconds that pass afterwards. */
  gap: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9000 }))
})

const Steps = Schema.Array(Step).check(Schema.isMaxLength(60))

/** The milliseconds until a call is allowed, and 0 where it is taken. */
const waitOf = (budget: Budget.Budget, urgency: Budget.Urgency) => Effect.map(budget.take(urgency), ({ wait }) => wait)

/** Callers who come one after the other, without waiting for each other. */
const run = Effect.fnUntraced(function* (budget: Budget.Budget, steps: typeof Steps.Type) {
  yield* TestClock.setTime(NOW)
  const grants: Array<Grant> = []
  const fibers: Array<Fiber.Fiber<void>> = []
  for (const { gap, urgency } of steps) {
    const call = Effect.gen(function* () {
      const wait = yield* waitOf(budget, urgency)
      if (wait === 0) grants.push({ at: yield* Clock.currentTimeMillis, urgency })
    })
    fibers.push(yield* Effect.forkChild(call, { startImmediately: true }))
    yield* TestClock.adjust(gap)
  }
  yield* TestClock.adjust("10 minutes")
  yield* Effect.forEach(fibers, Fiber.join, { discard: true })
  return grants
})

/** The most calls in any span of `millis`. */
const densest = (grants: ReadonlyArray<Grant>, millis: number): number =>
  Math.max(0, ...grants.map(({ at }) => grants.filter((other) => other.at >= at && other.at < at + millis).length))

const rule = rulesOf(it, TestClock.setTime(NOW))

describe("Budget", () => {
  it.effect.prop(
    "in any span of a window there are at most its calls, for every urgency",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const budget = yield* Budget.make([
          { calls: 3, per: "10 seconds", onDemand: 3 },
          { calls: 8, per: "1 minute", onDemand: 4 }
        ])
        const grants = yield* run(budget, steps)
        const onDemand = grants.filter(({ urgency }) => urgency !== "scheduled")
        assert.isAtMost(densest(grants, 10_000), 3)
        assert.isAtMost(densest(grants, 60_000), 8)
        assert.isAtMost(densest(onDemand, 60_000), 4)
      }),
    { arbitrary: { runs: 50, size: 200 } }
  )

  it.effect.prop(
    "the wait it names is exact: not allowed a millisecond earlier, allowed then",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const budget = yield* Budget.make([{ calls: 2, per: "10 seconds", onDemand: 2 }])
        yield* run(budget, steps)
        yield* waitOf(budget, "on_demand")
        yield* waitOf(budget, "on_demand")
        const wait = yield* waitOf(budget, "on_demand")
        assert.isAbove(wait, 0)
        yield* TestClock.adjust(wait - 1)
        assert.strictEqual(yield* waitOf(budget, "on_demand"), 1)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* waitOf(budget, "on_demand"), 0)
      }),
    { arbitrary: { runs: 20 } }
  )

  rule("look-ups leave room for refreshes", function* () {
    const budget = yield* Budget.make([{ calls: 3, per: "1 minute", onDemand: 2 }])
    const looks = yield* Effect.all([
      waitOf(budget, "on_demand"),
      waitOf(budget, "on_demand"),
      waitOf(budget, "on_demand")
    ])
    assert.deepStrictEqual(looks, [0, 0, 60_000])
    assert.strictEqual(yield* waitOf(budget, "scheduled"), 0)
    assert.strictEqual(yield* waitOf(budget, "scheduled"), 60_000)
  })

  rule("a look-up gives up at once; a refresh waits up to 5 s for its turn and no longer", function* () {
    const budget = yield* Budget.make([{ calls: 1, per: "10 seconds", onDemand: 1 }])
    assert.strictEqual(yield* waitOf(budget, "scheduled"), 0)
    assert.strictEqual(yield* waitOf(budget, "scheduled"), 10_000)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 5000)
    const waiting = yield* Effect.forkChild(waitOf(budget, "scheduled"), { startImmediately: true })
    yield* TestClock.adjust(4999)
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* Fiber.join(waiting), 0)
  })

  rule("a refresh that stops waiting takes nothing", function* () {
    const budget = yield* Budget.make([{ calls: 1, per: "4 seconds", onDemand: 1 }])
    yield* waitOf(budget, "scheduled")
    const waiting = yield* Effect.forkChild(waitOf(budget, "scheduled"), { startImmediately: true })
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.interrupt(waiting)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 0)
  })

  rule("a pause holds for everybody until it ends, and a shorter one does not end it", function* () {
    const budget = yield* Budget.make([{ calls: 100, per: "1 minute", onDemand: 100 }])
    yield* budget.pause(60_000)
    yield* budget.pause(1000)
    assert.strictEqual(yield* waitOf(budget, "scheduled"), 60_000)
    yield* TestClock.adjust(59_999)
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 1)
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 0)
  })

  rule("no calls allowed is no calls, and no allowances is no limit", function* () {
    assert.isAbove(yield* waitOf(yield* Budget.make([{ calls: 0, per: "1 minute", onDemand: 0 }]), "scheduled"), 0)
    const free = yield* Budget.make([])
    const waits = yield* Effect.all(Array.from({ length: 200 }, () => waitOf(free, "on_demand")))
    assert.isTrue(waits.every((wait) => wait === 0))
  })

  rule("a call given back is the one that never went out, not another caller's", function* () {
    const budget = yield* Budget.make([{ calls: 2, per: "10 seconds", onDemand: 2 }])
    const { giveBack } = yield* budget.take("on_demand")
    yield* TestClock.adjust("5 seconds")
    yield* waitOf(budget, "on_demand")
    yield* giveBack
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 0)
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* waitOf(budget, "on_demand"), 5000)
  })

  rule("a backfill leaves a call free for refreshes, and half of the callers' share for callers", function* () {
    const keyless = yield* Budget.make([{ calls: 3, per: "1 minute", onDemand: 2 }])
    assert.strictEqual(yield* waitOf(keyless, "backfill"), 0)
    assert.strictEqual(yield* waitOf(keyless, "backfill"), 60_000)
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* waitOf(keyless, "on_demand"), 0)
    assert.strictEqual(yield* waitOf(keyless, "scheduled"), 0)
    yield* TestClock.adjust("50 seconds")
    // The caller and the refresh are in the window still.
    assert.strictEqual(yield* waitOf(keyless, "backfill"), 10_000)
    assert.strictEqual(yield* waitOf(keyless, "on_demand"), 0)
    const busy = yield* Budget.make([{ calls: 3, per: "1 minute", onDemand: 2 }])
    const urgencies = ["scheduled", "scheduled", "backfill", "scheduled"] as const
    const waits = yield* Effect.forEach(urgencies, (urgency) => waitOf(busy, urgency))
    assert.deepStrictEqual(waits, [0, 0, 60_000, 0])
  })
})

rule("calls of a day outlive a restart, and those of a minute count with them", function* () {
  let saved: SnapshotStore.Found<typeof Budget.Calls.Type> = "nothing"
  const kept: Budget.Kept = {
    restore: Effect.sync(() => saved),
    save: (calls) => Effect.sync(() => void (saved = calls))
  }
  const started = () =>
    Budget.make(
      [
        { calls: 2, per: "1 minute", onDemand: 2 },
        { calls: 3, per: "1 day", onDemand: 1 }
      ],
      undefined,
      kept
    )
  const first = yield* started()
  assert.strictEqual(yield* waitOf(first, "on_demand"), 0)
  assert.strictEqual(yield* waitOf(first, "scheduled"), 0)
  const second = yield* started()
  assert.strictEqual(yield* waitOf(second, "backfill"), 86_400_000)
  yield* TestClock.adjust("2 minutes")
  assert.strictEqual(yield* waitOf(second, "scheduled"), 0)
  yield* TestClock.adjust("2 minutes")
  const third = yield* started()
  assert.isAbove(yield* waitOf(third, "scheduled"), 5_000)
  yield* TestClock.adjust("1 day")
  // One that never reached the source is not remembered.
  yield* (yield* third.take("on_demand")).giveBack
  assert.strictEqual(yield* waitOf(yield* started(), "on_demand"), 0)
})

rule("calls that come while saved ones are read wait for them, and are not forgotten", function* () {
  const kept = {
    ...SnapshotStore.none,
    restore: Effect.delay(Effect.succeed({ ...stamp, value: { all: [NOW], onDemand: [NOW] } }), "1 second")
  }
  const budget = yield* Budget.make([{ calls: 2, per: "1 day", onDemand: 2 }], undefined, kept)
  const early = yield* Effect.forkChild(
    Effect.forEach([1, 2], () => waitOf(budget, "on_demand"), { concurrency: "unbounded" })
  )
  yield* TestClock.adjust("1 second")
  assert.deepStrictEqual(yield* Fiber.join(early), [0, 86_399_000])
  assert.strictEqual(yield* waitOf(budget, "on_demand"), 86_399_000)
})

rule("a clock that is set back neither forgets calls nor holds them back for longer than their window", function* () {
  const budget = yield* Budget.make([{ calls: 1, per: "1 minute", onDemand: 1 }])
  yield* waitOf(budget, "on_demand")
  yield* budget.pause(60_000)
  yield* TestClock.setTime(NOW - 3_600_000)
  assert.strictEqual(yield* waitOf(budget, "on_demand"), 60_000)
  yield* TestClock.adjust("1 minute")
  assert.strictEqual(yield* waitOf(budget, "on_demand"), 0)
})

rule("a saved call of the future, by a clock that was wrong, holds nothing back", function* () {
  const kept = {
    ...SnapshotStore.none,
    restore: Effect.succeed({ ...stamp, value: { all: [NOW + 9e9], onDemand: [NOW + 9e9] } })
  }
  assert.strictEqual(
    yield* waitOf(yield* Budget.make([{ calls: 1, per: "1 day", onDemand: 1 }], undefined, kept), "on_demand"),
    0
  )
})
