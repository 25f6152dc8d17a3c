import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { fetching } from "../../../src/services/history/HistoryAccess.ts"
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
      fetching(read(record), () => [fetch]),
      CurrentDependencies,
      reads
    )
    return { found, record, reads }
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
