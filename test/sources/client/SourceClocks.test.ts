import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SourceClocks from "../../../src/sources/client/SourceClocks.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"

describe("the clock of this machine", () => {
  it("is compared with a Date, and the Age that a cache adds", () => {
    const at = Date.UTC(2026, 10, 20, 12, 0, 30)
    const date = "Fri, 20 Nov 2026 12:00:00 GMT"
    assert.strictEqual(SourceClocks.aheadOf(at, date, undefined), 30)
    assert.strictEqual(SourceClocks.aheadOf(at, date, "30"), 0)
    for (const nonsense of ["yesterday", "", undefined]) {
      assert.isUndefined(SourceClocks.aheadOf(at, nonsense, undefined))
    }
  })

  it("is wrong if it is more than a minute off for most of at least three sources", () => {
    const clocks = SourceClocks.make()
    for (const source of ["A", "B"]) clocks.note(source, 28_800)
    assert.isUndefined(clocks.wrongBy())
    clocks.note("C", 28_799)
    assert.strictEqual(clocks.wrongBy(), 28_800)
    for (const source of ["D", "E", "F", "G"]) clocks.note(source, 2)
    assert.isUndefined(clocks.wrongBy(), "the three sources are wrong")
    for (const source of ["A", "B", "C", "D", "E", "F", "G"]) clocks.note(source, -61)
    assert.strictEqual(clocks.wrongBy(), -61)
  })

  rule("is logged once while it is wrong", function* () {
    const { layer, lines } = capturedLog()
    const clocks = SourceClocks.make()
    const report = yield* Effect.provideService(SourceClocks.reporting, SourceClocks.SourceClocks, clocks)
    for (const source of ["A", "B", "C"]) clocks.note(source, -28_800)
    yield* Effect.provide(Effect.replicateEffect(report, 3), layer)
    assert.strictEqual(lines.filter((line) => line.startsWith("Warn ")).length, 1)
    assert.match(String(lines[0]), /28800 s behind the sources' clocks/)
  })
})
