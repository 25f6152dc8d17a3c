import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Exit } from "effect"
import { judge as judgeClock } from "../../src/cli/DoctorClock.ts"
import { exitCode, type Finding, type Level } from "../../src/cli/DoctorFindings.ts"
import { judgeExchanges } from "../../src/cli/DoctorExchanges.ts"
import * as DoctorSources from "../../src/cli/DoctorSources.ts"
import { NO_SOURCE } from "../../src/services/NoSource.ts"
import {
  BadStatus,
  Disabled,
  OverBudget,
  SourceError,
  TimedOut,
  Unreachable
} from "../../src/sources/client/SourceError.ts"

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")

const fetched = (
  exit: DoctorSources.FetchedDataSet["exit"],
  maxAge?: Duration.Duration
): DoctorSources.FetchedDataSet => ({
  id: "LUNO",
  key: "luno-book-ngn",
  source: "Luno",
  label: "order book",
  took: Duration.millis(120),
  exit,
  ...(maxAge === undefined ? {} : { maxAge })
})

const failed = (reason: SourceError["reason"]) => fetched(Exit.fail(new SourceError({ source: "Luno", reason })))

describe("the doctor's finding on a data set", () => {
  const book = Exit.succeed({ observedAt: DateTime.makeUnsafe("2026-11-20T11:50:00Z"), value: "both sides" })
  const venue = {
    venue: "Luno",
    kind: "order_book" as const,
    buy: 1_401,
    sell: 1_399,
    mid: 1_400,
    adsUsed: null,
    adsRejected: {},
    reason: null,
    updated: now
  }

  it("is bad as soon as its age is beyond the setting", () => {
    for (const [minutes, level] of [
      [10, "ok"],
      [9, "degraded"]
    ] as const) {
      const finding = DoctorSources.judge({ ...fetched(book, Duration.minutes(minutes)), market: "NGN" }, venue, now)
      assert.deepStrictEqual([finding.name, finding.level], ["Luno order book", level])
      assert.match(finding.text, /^both sides, buy 1,401, sell 1,399 NGN, observed 10 min ago \(in 0\.12 s\)/)
      assert.strictEqual(finding.text.includes("too old to serve, the limit is 9 min"), level === "degraded")
    }
    assert.strictEqual(DoctorSources.judge(fetched(book), undefined, now).level, "ok")
  })

  it("says which rows are not believed, how many and why", () => {
    const passed = ["SEK", "PLN", "TRY", "ZAR", "KES", "EGP"].map((key) => {
      return { key, dataSet: "luno-book-ngn", source: "Luno", why: "differs" as const }
    })
    const jumped = { key: "", dataSet: "luno-book-ngn", source: "Luno", why: "jump" as const }
    const { level, text } = DoctorSources.judge(fetched(book), undefined, now, [...passed, jumped])
    assert.include(
      text,
      "; not believed: 6 (SEK, PLN, TRY, ZAR, KES, …), which differ from another source and are further from what is " +
        "known; not believed: 1, which jumped"
    )
    assert.strictEqual(level, "ok")
  })

  it("is the naira service's own judgement of the venue", () => {
    const crossed = { ...venue, buy: null, sell: null, mid: null, reason: "inverted" }
    const { level, text } = DoctorSources.judge(fetched(book), crossed, now)
    assert.deepStrictEqual(
      [level, text.endsWith(": buy is far below sell: its sides seem swapped")],
      ["degraded", true]
    )
    for (const one of [crossed, { ...venue, buy: null }, { ...venue, sell: null }]) {
      assert.notInclude(DoctorSources.judge(fetched(book), one, now).text, ", buy ")
    }
  })

  it("counts the exchanges that answer, and names the switch of those that refuse the place", () => {
    const of = (exit: DoctorSources.FetchedDataSet["exit"]) => ({ ...fetched(exit), label: "tickers" })
    const refused = { ...failed(new BadStatus({ status: 451 })), id: "BINANCE", label: "tickers" }
    const silent = { ...failed(new TimedOut({ seconds: 6 })), label: "tickers" }
    const off = { ...failed(new Disabled()), label: "tickers" }
    const few = judgeExchanges([of(book), of(book), refused, silent, off, fetched(book)])
    assert.match(few.text, /^2 of 4 exchanges answer from here, and the price of a coin needs 3: prices come from /)
    assert.match(few.text, /SOURCES_DISABLED=BINANCE switches them off$/)
    assert.strictEqual(few.level, "degraded")
    const enough = judgeExchanges([of(book), of(book), of(book), silent])
    assert.deepInclude(enough, {
      level: "ok",
      text: "3 of 4 exchanges answer from here, and the price of a coin needs 3"
    })
    assert.include(DoctorSources.judge(refused, undefined, now).text, "SOURCES_DISABLED=BINANCE")
  })

  it("is first of all that no source can be reached, where none is", () => {
    const offline = [failed(new Unreachable({ detail: "ENOTFOUND" })), failed(new TimedOut({ seconds: 6 }))]
    const spent = failed(new OverBudget({ retryAfter: 12 }))
    const [finding, ...others] = DoctorSources.judgeNetwork([...offline, spent])
    assert.deepInclude(finding, { area: "network", level: "failing", text: NO_SOURCE })
    assert.deepStrictEqual(others, [])
    const refused = failed(new BadStatus({ status: 403 }))
    for (const reached of [fetched(book), refused]) {
      assert.deepStrictEqual(DoctorSources.judgeNetwork([...offline, reached]), [])
    }
  })

  it("advises on a failure, without the source's name twice", () => {
    const { level, text } = DoctorSources.judge(failed(new Unreachable({ detail: "ENOTFOUND" })), undefined, now)
    assert.strictEqual(level, "degraded")
    assert.match(text, /^could not be reached: no machine has that name \(ENOTFOUND\)\. The DNS does not know its name/)
    const offline = DoctorSources.judge(failed(new Unreachable({ detail: "ENOTFOUND" })), undefined, now, [], true)
    assert.strictEqual(offline.text, "could not be reached: no machine has that name (ENOTFOUND)")
    const spent = DoctorSources.judge(failed(new OverBudget({ retryAfter: 12.2 })), undefined, now)
    assert.deepStrictEqual([spent.level, spent.text.endsWith("Try again in 13 s")], ["off", true])
  })
})

describe("the doctor's finding on the clock", () => {
  it("is bad when it is off by more than a minute; one source that is wrong does not count", () => {
    assert.strictEqual(judgeClock([0.5, 1, 900]).level, "ok")
    assert.match(judgeClock([601, 600, 599, -2]).text, /^10 min ahead/)
    const behind = judgeClock([-7200, -7201])
    assert.deepStrictEqual([behind.level, behind.text.startsWith("2 h behind")], ["degraded", true])
    assert.strictEqual(judgeClock([]).level, "off")
  })
})

describe("the exit code", () => {
  it("is that of the worst finding", () => {
    const of = (level: Level): Finding => ({ area: "machine", name: "x", level, text: "" })
    assert.strictEqual(exitCode([of("ok"), of("off")]), 0)
    assert.strictEqual(exitCode([of("ok"), of("degraded")]), 1)
    assert.strictEqual(exitCode([of("failing"), of("degraded")]), 2)
  })
})
