import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { History, HistoryUnavailable } from "../../../src/history/store/History.ts"
import * as HistoryAccess from "../../../src/services/history/HistoryAccess.ts"
import { CurrentDependencies, Dependencies, read, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"
import { rule } from "../../rulesOf.ts"

/** The reads of an answer over a record to which its own fetch adds something, or nothing. */
const readsOf = (isAdding: boolean) =>
  Effect.gen(function* () {
    const record = new VersionedRef(0)
    const reads = new Dependencies()
    const fetch = Effect.sync(() => {
      if (isAdding) record.replace(record.value + 1)
      return isAdding
    })
    const { found } = yield* Effect.provideService(
      HistoryAccess.fetching(read(record), () => [fetch]),
      CurrentDependencies,
      reads
    )
    return { found, record, reads }
  })

rule("a store that does not answer is busy: nothing says that its data is not fresh", function* () {
  const history = {
    offer: () => Effect.succeed(true),
    ask: () => Effect.fail(new HistoryUnavailable({ cause: "late" })),
    backfilled: () => 0,
    version: () => 0,
    pendingSince: () => undefined
  }
  const { recorded } = yield* Effect.provideService(HistoryAccess.make, History, history)
  const failure = yield* Effect.flip(recorded(() => Effect.void))
  assert.strictEqual(failure.message, "The store of the history is busy")
})

describe("an answer that fetches what its record lacks", () => {
  rule("is current after its own fetch, so that its handler runs once, and outdated by the next record", function* () {
    for (const isAdding of [true, false]) {
      const { found, reads, record } = yield* readsOf(isAdding)
      assert.deepStrictEqual([found, reads.isCurrent(), reads.isEmpty], [isAdding ? 1 : 0, true, false])
      record.replace(9)
      assert.isFalse(reads.isCurrent())
    }
  })
})
