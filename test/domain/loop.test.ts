import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { globSync, readFileSync } from "node:fs"
import { loop } from "../../src/domain/loop.ts"
import { capturedLog } from "../resources.ts"
import { rule } from "../rulesOf.ts"

/**
 * Files with an endless loop of another kind: one ends with the fetch that it accompanies, one catches defects itself, and a command ends
 * with the first failure.
 */
const others = new Set([
  "src/cli/Watch.ts",
  "src/domain/loop.ts",
  "src/sources/dataset/DataSet.ts",
  "src/sources/dataset/Replicas.ts"
])

describe("a loop of the service", () => {
  rule("goes on after a defect, and logs it", function* () {
    const { layer, logged } = capturedLog()
    let rounds = 0
    const round = Effect.suspend(() => (++rounds === 2 ? Effect.die(new Error("a bug")) : Effect.void))
    yield* loop("the test", "1 minute", round).pipe(Effect.provide(layer), Effect.forkScoped)
    yield* TestClock.adjust("4 minutes")
    assert.strictEqual(rounds, 4)
    assert.strictEqual(logged.length, 1)
    assert.match(String(logged[0]), /^the test: /)
  })

  rule("is made by `loop` wherever it is: nothing else repeats without an end", function* () {
    yield* Effect.void
    const endless = globSync("src/**/*.ts").filter((path) => {
      const text = readFileSync(path, "utf8")
      return /Effect\.forever|Effect\.repeat\(Schedule\.spaced\([^)]*\)\)/.test(text) && !others.has(path)
    })
    assert.deepStrictEqual(endless, [])
  })
})
