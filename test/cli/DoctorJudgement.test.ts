import { assert, describe, it } from "@effect/vitest"
import { aheadOf, judge as judgeClock } from "../../src/cli/DoctorClock.ts"
import { exitCode, type Finding, type Level } from "../../src/cli/DoctorFindings.ts"
import { judgeFx, judgeQuote } from "../../src/cli/DoctorJudgement.ts"

describe("the doctor's judgement", () => {
  const quote = (buy: number, sell: number) => ({
    venue: "",
    kind: "p2p" as const,
    buy,
    sell,
    mid: (buy + sell) / 2,
    adsUsed: 10,
    adsRejected: {},
    reason: null
  })

  it("prices within 35 % of the official rate are naira prices of a dollar", () => {
    for (const factor of [0.66, 1, 1.34])
      assert.strictEqual(judgeQuote(quote(1401 * factor, 1399 * factor), 1400).level, "ok")
  })

  it("others are told by how much they are off", () => {
    const { level, text } = judgeQuote(quote(140_100, 139_900), 1400)
    assert.strictEqual(level, "degraded")
    assert.match(text, /100 times the official rate of 1,400/)
    assert.strictEqual(judgeQuote(quote(140_100, 139_900), undefined).level, "ok")
  })

  it("fiats that are missing are named", () => {
    const { level, text } = judgeFx({ rates: { USD: 1, EUR: 0.9, GBP: 0.8 }, observed: {} })
    assert.deepStrictEqual([level, text], ["degraded", "3 currencies, but not NGN, INR, ZAR, AED, CAD, JPY"])
  })

  it("a clock that is off by more than a minute is told of; one source that is wrong is not", () => {
    assert.strictEqual(judgeClock([0.5, 1, 900]).level, "ok")
    assert.match(judgeClock([601, 600, 599, -2]).text, /^10 min ahead/)
    const behind = judgeClock([-7200, -7201])
    assert.deepStrictEqual([behind.level, behind.text.startsWith("2 h behind")], ["degraded", true])
    assert.strictEqual(judgeClock([]).level, "off")
  })

  it("reads a Date, with the Age that a cache adds", () => {
    const now = Date.UTC(2026, 10, 20, 12, 0, 30)
    assert.strictEqual(aheadOf(now, { date: "Fri, 20 Nov 2026 12:00:00 GMT" }), 30)
    assert.strictEqual(aheadOf(now, { date: "Fri, 20 Nov 2026 12:00:00 GMT", age: "30" }), 0)
    assert.isUndefined(aheadOf(now, { date: "yesterday" }))
    assert.isUndefined(aheadOf(now, {}))
  })

  it("the worst finding is the exit code", () => {
    const of = (level: Level): Finding => ({ area: "machine", name: "x", level, text: "" })
    assert.strictEqual(exitCode([of("ok"), of("off")]), 0)
    assert.strictEqual(exitCode([of("ok"), of("degraded")]), 1)
    assert.strictEqual(exitCode([of("failing"), of("degraded")]), 2)
  })
})
