import { assert, describe } from "@effect/vitest"
import { DateTime, Duration, Effect, Result } from "effect"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import { OverBudget, SourceError, Unusable } from "../../../src/sources/client/SourceError.ts"
import { backoff, nextStep, type Polling, restOf, type Seen } from "../../../src/sources/dataset/nextStep.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const failure = new SourceError({ source: "Test", reason: new Unusable({ detail: "nothing" }) })
const failed = Result.fail(failure)

/** A snapshot of this age in seconds. */
const aged = (seconds: number) => {
  const at = DateTime.makeUnsafe(NOW - seconds * 1000)
  return Snapshot.make({ value: seconds, source: "Test", observedAt: at, retrievedAt: at })
}

/** A data set with an interval of a minute that answered `age` seconds ago. */
const polling = (age: number | undefined, changes: Partial<Polling<number>> = {}): Polling<number> => ({
  every: Duration.minutes(1),
  startedAt: NOW - 3_600_000,
  snapshot: age === undefined ? undefined : aged(age),
  polled: age === undefined ? undefined : Result.succeed(age),
  standing: "follows",
  failures: 0,
  pausedUntil: -Infinity,
  ...changes
})

const seen = (turn: Seen["turn"], changes: Partial<Seen> = {}): Seen => ({
  turn,
  dueIn: Duration.zero,
  isNew: false,
  ...changes
})

const paused = { polled: failed, failures: 1, pausedUntil: NOW + 5000 }

const table: ReadonlyArray<readonly [what: string, polling: Polling<number>, seen: Seen, step: string]> = [
  ["nothing yet, and the lease", polling(undefined), seen("mine"), "Fetch"],
  ["due, and the lease", polling(60), seen("mine"), "Fetch"],
  ["not due", polling(59), seen("mine", { dueIn: Duration.infinity }), "Wait 1000"],
  ["in the pause after a failure", polling(70, paused), seen("mine", { dueIn: Duration.infinity }), "Wait 5000"],
  ["in a pause from before the clock was set back", polling(70, { pausedUntil: NOW + 90_000 }), seen("mine"), "Fetch"],
  ["a snapshot from before the clock was set back", polling(-90), seen("mine"), "Fetch"],
  ["due, and another has the lease", polling(60), seen("other"), "Wait 500"],
  ["Redis away, and this process fetched last", polling(60, { standing: "leads" }), seen("unknown"), "Fetch"],
  ["Redis away, and another fetched last", polling(60), seen("unknown"), "Wait 500"],
  ["Redis away for three intervals", polling(180), seen("unknown"), "Fetch"],
  ["an entry of another address", polling(180, { standing: "apart" }), seen("other"), "Fetch"],
  ["an entry that is due later than it can be", polling(180), seen("other", { dueIn: Duration.minutes(2) }), "Fetch"],
  ["a newer snapshot of another", polling(0), seen("other", { isNew: true }), "Adopt 0"],
  ["a saved snapshot that is not due", polling(30, { polled: undefined }), seen("mine"), "Adopt 30"],
  ["a saved snapshot that is due", polling(90, { polled: undefined }), seen("mine"), "Fetch"],
  ["others that are late", polling(101), seen("other"), "Late"],
  ["others that are late, known already", polling(101, { polled: failed }), seen("other"), "Wait 500"],
  ["others that are slow at the start", polling(undefined, { startedAt: NOW - 4000 }), seen("other"), "Wait 500"]
]

describe("the next step of a data set", () => {
  rule("is to fetch, to adopt, to count others as late, or to wait", function* () {
    yield* Effect.void
    for (const [what, state, shared, expected] of table) {
      const step = nextStep(state, shared, NOW)
      const detail = step._tag === "Wait" ? ` ${step.millis}` : step._tag === "Adopt" ? ` ${step.snapshot.value}` : ""
      assert.strictEqual(step._tag + detail, expected, what)
    }
  })

  rule("never fetches before the interval and the pause are over", function* () {
    yield* Effect.void
    for (let age = 0; age < 60; age += 7) assert.strictEqual(restOf(polling(age), NOW), 60_000 - age * 1000)
    assert.strictEqual(restOf(polling(58, paused), NOW), 5000)
    assert.strictEqual(restOf(polling(58), NOW), 2000)
  })

  rule("backs off with each failure, up to the interval and two hours; to 10 s while nothing is served", function* () {
    yield* Effect.void
    const seconds = (isServed: boolean, every: Duration.Input) =>
      Array.from({ length: 14 }, (_, n) =>
        Duration.toSeconds(backoff(failure, n + 1, Duration.fromInputUnsafe(every), isServed))
      )
    assert.deepStrictEqual(seconds(true, "1 minute").slice(0, 4), [15, 30, 60, 60])
    assert.strictEqual(seconds(true, "1 day").at(-1), 7200)
    assert.deepStrictEqual(seconds(false, "1 day").slice(0, 6), [1, 2, 4, 8, 10, 10])
    const spent = new SourceError({ source: "Test", reason: new OverBudget({ retryAfter: 3 }) })
    assert.strictEqual(Duration.toMillis(backoff(spent, 1, Duration.minutes(1), true)), 3050)
  })
})
