import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as JumpFilter from "../../src/domain/JumpFilter.ts"

/** Reviews one figure after the other; what is believed after each. */
const believedAfter = (start: number, said: ReadonlyArray<readonly [figure: number, source: string]>) => {
  let believed = start
  let pending = JumpFilter.nothingPending
  return said.map(([figure, source]) => {
    const verdict = JumpFilter.review({ held: () => believed, next: [["x", figure]], source, pending })
    pending = verdict.pending
    if (!verdict.heldBack.has("x")) believed = figure
    return believed
  })
}

const times = (count: number, figure: number, source = "A") =>
  Array.from({ length: count }, () => [figure, source] as const)

describe("Plausible: a figure that is held back", () => {
  it("is a figure more than five times as large or as small as the one believed", () => {
    assert.deepStrictEqual(believedAfter(1, [[5, "A"]]), [5])
    assert.deepStrictEqual(believedAfter(1, [[5.01, "A"]]), [1])
    assert.deepStrictEqual(believedAfter(1, [[0.2, "A"]]), [0.2])
    assert.deepStrictEqual(believedAfter(1, [[0.199, "A"]]), [1])
  })

  it("is believed when two further refreshes repeat it", () => {
    assert.deepStrictEqual(believedAfter(1, times(4, 10)), [1, 1, 10, 10])
  })

  it("is believed at once when another source repeats it", () => {
    assert.deepStrictEqual(believedAfter(1, [...times(1, 10), ...times(1, 11, "B")]), [1, 11])
  })

  it("is not confirmed by another source that says something else", () => {
    assert.deepStrictEqual(believedAfter(1, [...times(1, 10), ...times(1, 40, "B"), ...times(1, 160, "C")]), [1, 1, 1])
  })

  it("counts as repeated within a quarter of it, and not beyond", () => {
    assert.deepStrictEqual(
      believedAfter(1, [
        [10, "A"],
        [12.4, "A"],
        [14, "A"]
      ]),
      [1, 1, 14]
    )
    assert.deepStrictEqual(
      believedAfter(1, [
        [10, "A"],
        [12.6, "A"],
        [16, "A"]
      ]),
      [1, 1, 1]
    )
  })

  it("has to be repeated without a break", () => {
    assert.deepStrictEqual(
      believedAfter(1, [
        [10, "A"],
        [10, "A"],
        [1.1, "A"],
        [10, "A"],
        [10, "A"]
      ]),
      [1, 1, 1.1, 1.1, 1.1]
    )
  })

  it("does not exist without an earlier figure", () => {
    for (const believed of [undefined, null]) {
      const { pending, heldBack } = JumpFilter.review({
        held: () => believed,
        next: [["x", 1e12]],
        source: "A",
        pending: JumpFilter.nothingPending
      })
      assert.deepStrictEqual([heldBack.size, pending.size], [0, 0])
    }
  })

  it("is decided for each figure by itself", () => {
    const verdict = JumpFilter.review({
      held: () => 1,
      next: [
        ["calm", 1.1],
        ["wild", 100]
      ],
      source: "A",
      pending: JumpFilter.nothingPending
    })
    assert.deepStrictEqual([...verdict.heldBack], ["wild"])
    assert.deepStrictEqual([...verdict.pending.keys()], ["wild"])
  })

  const Step = Schema.Finite.check(Schema.isBetween({ minimum: 0.21, maximum: 4.9 }))

  it.effect.prop("is never a figure in proportion to the one before", { steps: Schema.Array(Step) }, ({ steps }) =>
    Effect.sync(() => {
      let figure = 1
      const said = steps.map((step) => [(figure *= step), "A"] as const)
      assert.deepStrictEqual(
        believedAfter(1, said),
        said.map(([value]) => value)
      )
    })
  )
})
