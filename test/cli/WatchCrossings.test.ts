// Which figures cross a condition of `watch`.
import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { conditionOf } from "../../src/cli/WatchConditions.ts"
import { type Crossing, judge, PARTS, type Seen } from "../../src/cli/WatchCrossings.ts"
import { rule } from "../rulesOf.ts"

interface Step {
  readonly at: number
  readonly value: number
}

/** The crossings among figures, `undefined` for a figure that crosses nothing, and what was remembered at most. */
const judged = (written: string, steps: ReadonlyArray<Step>) => {
  const condition = Result.getOrThrow(conditionOf(written))
  let seen: Seen | undefined
  let most = 0
  const crossings = steps.map(({ at, value }): Crossing | undefined => {
    const next = judge(condition, seen, { value, updated: "2026-11-20T12:00:00Z", source: "x".repeat(9000) }, at)
    seen = next.seen
    most = Math.max(most, seen.window.length)
    return next.crossing
  })
  return { crossings, most }
}

const MINUTE = 60_000

const each = (values: ReadonlyArray<number>) => values.map((value, n) => ({ at: n * MINUTE, value }))

const times = (values: ReadonlyArray<number>, written: string) =>
  judged(written, each(values)).crossings.map((crossing) => crossing !== undefined)

const tenths = (least: number, most: number) => Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))
const list = <A>(item: Schema.Schema<A>) => Schema.Array(item).check(Schema.isMinLength(2), Schema.isMaxLength(60))

it.prop(
  "a level is crossed by every figure beyond it, but only once until a figure went back by 0.5 %",
  { tenths: list(tenths(990, 1010)), isAbove: Schema.Boolean },
  ({ isAbove, tenths }) => {
    const values = tenths.map((tenth) => tenth / 10)
    const crossed = times(values, `naira.mid ${isAbove ? ">" : "<"} 100`)
    const isBack = (value: number) => (isAbove ? value <= 99.5 : value >= 100.5)
    let isArmed = true
    for (const [n, value] of values.entries()) {
      if (isBack(value)) isArmed = true
      const isBeyond = isAbove ? value > 100 : value < 100
      assert.strictEqual(crossed[n], isBeyond && isArmed, `${values.slice(0, n + 1)}`)
      if (isBeyond) isArmed = false
    }
  }
)

it.prop(
  "a move is counted from figures of its window since its last crossing, to a part of the window, and the window is bounded",
  {
    steps: list(Schema.Struct({ after: tenths(1, 3000), tenths: tenths(930, 1070) })),
    verb: Schema.Literals(["moved", "rose", "fell"])
  },
  ({ steps, verb }) => {
    let at = 0
    const figures = steps.map(({ after, tenths }) => ({ at: (at += after * 1000), value: tenths }))
    const { crossings, most } = judged(`naira.mid ${verb} 10% 1h`, figures)
    assert.isAtMost(most, PARTS + 1)
    let begin = 0
    for (const [n, { at, value }] of figures.entries()) {
      const reaches = (window: number) =>
        figures.slice(begin, n).some((from) => {
          const [up, down] = [value - from.value, from.value - value].map((move) => move * 10 >= from.value)
          return at - from.at <= window && ((verb !== "fell" && up) || (verb !== "rose" && down))
        })
      const hour = 60 * MINUTE
      if (crossings[n] === undefined) assert.isFalse(reaches(hour - hour / PARTS), `${n}`)
      else assert.isTrue(reaches(hour), `${n}`)
      if (crossings[n] !== undefined) begin = n
    }
  }
)

rule("percentages go back by half a point, also around 0", function* () {
  assert.deepStrictEqual(times([0.1, 0, -0.4, 0.1, -0.5, 0.1], "naira.premium > 0"), [
    true,
    false,
    false,
    false,
    false,
    true
  ])
})

rule("after the clock was set back, a move is counted anew", function* () {
  const steps = [
    { at: 9 * MINUTE, value: 100 },
    { at: 0, value: 90 },
    { at: MINUTE, value: 81 }
  ]
  const { crossings } = judged("naira.mid fell 10% 1h", steps)
  assert.deepStrictEqual(
    crossings.map((crossing) => crossing?.from),
    [undefined, undefined, 90]
  )
})

rule("a crossing says which figure it is, and of a move how far and from where", function* () {
  const [, crossing] = judged("price.bitcoin.usd moved 5% 1h", each([0.0000002, 0.00000019])).crossings
  assert.deepStrictEqual(crossing, {
    id: "1970-01-01T00:01:00.000Z price.bitcoin.usd moved 5% 1h",
    text: "price.bitcoin.usd moved 5% 1h: price.bitcoin.usd is 0.00000019 after 0.0000002, a change of -5 %, observed at 2026-11-20T12:00:00Z",
    condition: "price.bitcoin.usd moved 5% 1h",
    figure: "price.bitcoin.usd",
    value: 0.00000019,
    from: 0.0000002,
    change: -5,
    updated: "2026-11-20T12:00:00Z",
    source: "x".repeat(300)
  })
})
