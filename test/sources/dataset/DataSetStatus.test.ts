import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Snapshot } from "../../../src/domain/Snapshot.ts"
import { BadStatus, OverBudget, SourceError } from "../../../src/sources/client/SourceError.ts"
import * as DataSetStatus from "../../../src/sources/dataset/DataSetStatus.ts"

const failing = (reason: SourceError["reason"]) => Effect.fail(new SourceError({ source: "A", reason }))

describe("the last failure of a data set", () => {
  it.effect(
    "is why the source fails, also while the budget withholds further calls; after a success it is the budget",
    () =>
      Effect.gen(function* () {
        let held: Snapshot<number> | undefined
        const { noting, status } = DataSetStatus.make(Effect.sync(() => Option.fromUndefinedOr(held)))
        const after = (reason: SourceError["reason"]) =>
          Effect.andThen(
            Effect.ignore(noting(failing(reason))),
            Effect.map(status, ({ failed }) => failed?.reason)
          )
        assert.strictEqual(yield* after(new BadStatus({ status: 500 })), "BadStatus")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* after(new OverBudget({ retryAfter: 9 })), "BadStatus")
        const now = yield* DateTime.now
        held = { value: 1, source: "A", observedAt: now, retrievedAt: now }
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* after(new OverBudget({ retryAfter: 9 })), "OverBudget")
      })
  )
})
