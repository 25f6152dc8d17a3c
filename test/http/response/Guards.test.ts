// The guards on a finished answer. That every endpoint notes what they check is in `test/http/Guards.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { HttpBody } from "effect/http"
import { parsePath } from "../../../src/http/request/ParsedPath.ts"
import { isFaulty, questionOf } from "../../../src/http/request/Question.ts"
import { CachedResponse } from "../../../src/http/response/CachedResponse.ts"
import { check } from "../../../src/http/response/Guards.ts"
import type { Notes } from "../../../src/http/response/Notes.ts"
import type { ProblemDetails } from "../../../src/http/response/Problem.ts"
import { Dependencies, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"

const UPDATED = Date.UTC(2026, 10, 20, 12)
const MIDNIGHT = Date.UTC(2026, 10, 20)

interface Answer extends Omit<Notes, "updated"> {
  /** When its data were observed; `null` where its handler did not note it. */
  readonly time?: number | null
  /** When newer data is expected. */
  readonly due?: number
}

/** What the guards of a query make of an answer, so many milliseconds after its data were observed. */
const judged = (query: string, age: number, { due = Infinity, time = UPDATED, ...notes }: Answer = {}) => {
  const parsed = parsePath("/v1/price/bitcoin/usd")
  assert(parsed.route !== undefined)
  const question = questionOf(parsed, parsed.route, query, false)
  assert(!isFaulty(question), query)
  const reads = new Dependencies()
  reads.note(Object.assign(new VersionedRef(1), { due }), UPDATED)
  const noted = { ...notes, ...(time !== null && { updated: DateTime.makeUnsafe(time) }) }
  const answer = new CachedResponse(parsed.route, HttpBody.text("{}"), {}, reads, noted)
  return check(question.guards, answer, (time ?? UPDATED) + age)
}

const problem = (...asked: Parameters<typeof judged>): ProblemDetails => {
  const found = judged(...asked)
  assert(typeof found === "object", asked[0])
  return found
}

const passes = (...asked: Parameters<typeof judged>): boolean => typeof judged(...asked) === "number"

describe("max_age", () => {
  it("is exact to the second: an answer exactly as old passes", () => {
    assert.deepStrictEqual([passes("max_age=5", 5000), passes("max_age=5", 5001)], [true, false])
  })

  it("is refused with the time of the data and when newer data is expected, if they come within the day", () => {
    const old = problem("max_age=5", 6000, { due: UPDATED + 8500 })
    assert.deepInclude(old, { code: "too_old", headers: { "retry-after": "3" } })
    assert.deepStrictEqual(old.members, { updated: "2026-11-20T12:00:00.000Z" })
    assert.match(old.detail, /12:00:00\.000Z, 6 s ago; max_age allows 5 s\. Ask again in 3 s\.$/)
    assert.deepStrictEqual(problem("max_age=5", 6000).headers, { "retry-after": "60" })
    const daily = problem("max_age=5", 6000, { time: MIDNIGHT })
    assert.deepStrictEqual(daily.headers, {})
    assert.match(daily.detail, /waiting does not help\. A larger max_age accepts it\.$/)
  })
})

describe("expect and tolerance", () => {
  it("let a rate pass exactly at the tolerance and refuse it beyond, in both directions, by their decimals", () => {
    for (const [rate, query, isPassed] of [
      [102, "expect=100&tolerance=2", true],
      [102, "expect=100&tolerance=1.99", false],
      [98, "expect=100&tolerance=2", true],
      [98, "expect=100&tolerance=1.99", false],
      [100.9, "expect=100", true],
      [101, "expect=100", true],
      [101.1, "expect=100", false],
      [1, "expect=1000&tolerance=100", true],
      [1000, "expect=1&tolerance=100", false],
      [1, "expect=1&tolerance=0.000000000000000001", true],
      [1, "expect=0.99&tolerance=1.0101010101010101011", true],
      [1, "expect=0.99&tolerance=1.01010101010101010101010101", false],
      [1, "expect=1.000000000000000000000000000001&tolerance=0.0000000000000000000000000001", true],
      [1, "expect=1.000000000000000000000000000001&tolerance=0.000000000000000000000000000001", false]
    ] as const) {
      assert.strictEqual(passes(query, 0, { rate }), isPassed, `${rate} ${query}`)
    }
  })

  it("refuse with what the rate is, what was expected, and the deviation in percent, in plain decimals", () => {
    const { code, detail, members } = problem("expect=0.0000002&tolerance=5", 0, { rate: 1e-7 })
    assert.strictEqual(code, "rate_moved")
    assert.strictEqual(detail, "The rate is 0.0000001, further than 5 % from the expected 0.0000002.")
    assert.strictEqual(JSON.stringify(members), '{"rate":0.0000001,"expected":0.0000002,"deviation":-50}')
  })
})

describe("min_confidence", () => {
  it("refuses what is less certain, and nothing that has no confidence", () => {
    const all = [undefined, "high", "medium", "low"] as const
    const passed = (least: string) => all.filter((confidence) => passes(`min_confidence=${least}`, 0, { confidence }))
    assert.deepStrictEqual(passed("high"), [undefined, "high"])
    assert.deepStrictEqual(passed("medium"), [undefined, "high", "medium"])
    const refusal = problem("min_confidence=high", 0, { confidence: "low", due: UPDATED + 7000 })
    assert.deepInclude(refusal, { code: "too_uncertain", headers: { "retry-after": "7" } })
    assert.deepStrictEqual(refusal.members, { confidence: "low" })
  })

  it("refuses a confidence that is unknown, as that of a past price, and sends nobody into a wait", () => {
    const { detail, headers, members } = problem("min_confidence=medium", 0, { confidence: null, due: UPDATED + 7000 })
    assert.match(detail, /confidence of the rate is unknown, .* waiting does not help/)
    assert.deepStrictEqual([headers, members], [{}, { confidence: null }])
  })

  it("does not send who asks for a past that is over into a wait", () => {
    const { detail, headers } = problem("min_confidence=high", 0, {
      confidence: "medium",
      lasting: "past",
      due: UPDATED
    })
    assert.deepStrictEqual(headers, {})
    assert.match(detail, /does not change, so waiting does not help\. Without min_confidence you get the price\.$/)
  })

  it("does not send who asks for a rate that is not followed into a wait", () => {
    const { detail, headers } = problem("min_confidence=high", 0, { confidence: "low", lasting: "unfollowed" })
    assert.deepStrictEqual(headers, {})
    assert.match(detail, /you get the official rate\.$/)
  })
})

it("both together refuse what is too old first", () => {
  assert.strictEqual(problem("max_age=1&expect=1", 2000, { rate: 5 }).code, "too_old")
  assert.strictEqual(problem("max_age=9&expect=1", 2000, { rate: 5 }).code, "rate_moved")
})

it("caches elsewhere may reuse an answer until its max_age, or the refresh after which its rate may have moved", () => {
  const answer = { rate: 1, confidence: "high", due: UPDATED + 7000 } as const
  assert.strictEqual(judged("max_age=5", 0, answer), UPDATED + 5000)
  assert.strictEqual(judged("expect=1", 0, answer), UPDATED + 7000)
  assert.strictEqual(judged("max_age=9&min_confidence=high", 0, answer), UPDATED + 7000)
  assert.strictEqual(judged("expect=1", 0, { rate: 1 }), UPDATED, "where no refresh is known, not at all")
  assert.strictEqual(judged("x=1", 0, answer), Infinity)
})

it("an answer whose handler did not note what they check is a defect, and never passes", () => {
  assert.throws(() => judged("max_age=5", 0, { time: null }), /did not note/)
  assert.throws(() => judged("expect=1", 0), /did not note/)
})
