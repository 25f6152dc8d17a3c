// What is noted of an answer of the past.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { atMoment } from "../../../src/http/handlers/atMoment.ts"
import { CurrentNotes, type Notes } from "../../../src/http/response/Notes.ts"
import { rule } from "../../rulesOf.ts"

describe("a moment", () => {
  rule("is noted as over an hour after its end, when late observations have come", function* () {
    yield* TestClock.setTime(Date.parse("2026-11-20T12:00:00Z"))
    const lastingAt = Effect.fnUntraced(function* (at: string) {
      const notes: Notes = {}
      yield* Effect.provideService(
        atMoment({ at }, Effect.void, () => Effect.void),
        CurrentNotes,
        notes
      )
      return notes.lasting
    })
    assert.strictEqual(yield* lastingAt("2026-11-19"), "past")
    assert.strictEqual(yield* lastingAt("2026-11-20T10:59:59Z"), "past")
    assert.isUndefined(yield* lastingAt("2026-11-20T11:00:00Z"))
    assert.isUndefined(yield* lastingAt("2026-11-20"))
  })
})
