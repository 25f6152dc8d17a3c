// The kinds of rates that books use, over one record.
import { assert } from "@effect/vitest"
import { BigDecimal, DateTime, Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { startOfDay } from "../../../src/history/model/Interval.ts"
import * as History from "../../../src/history/store/History.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { Conversions } from "../../../src/services/Conversions.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Past } from "../../../src/services/history/Past.ts"
import { RateKind, RatesOfRecord } from "../../../src/services/history/RatesOfRecord.ts"
import { observed, told } from "../../history/records.ts"
import { rulesOver } from "../../rulesOf.ts"
import { coin } from "../scripted.ts"

const MINUTE = 60_000
const DAY = 86_400_000
const TODAY = startOfDay("2026-11-20")
/** 16:05 in Lagos, when a fixing is due. */
const NOW = TODAY + 15 * 60 * MINUTE + 5 * MINUTE

const snapshot = <A>(value: A) => {
  const time = DateTime.makeUnsafe(NOW)
  return { value, source: "a list", observedAt: time, retrievedAt: time }
}

const current = Conversions.layerTest({
  rate: (_from, to) =>
    Effect.succeed({
      rate: 1510.5,
      source: "Bybit P2P",
      updated: DateTime.makeUnsafe(NOW),
      confidence: "high",
      legs: [
        {
          from: "tether",
          to: to._tag === "Fiat" ? to.code : "",
          rate: 1510.5,
          source: "",
          updated: DateTime.makeUnsafe(NOW)
        }
      ]
    })
})

const services = RatesOfRecord.layerNoDeps.pipe(
  Layer.provideMerge(Layer.mergeAll(Past.layerNoDeps, Histories.layerNoDeps)),
  Layer.provide([
    Coins.layerTest({ coin: (id) => Effect.succeed(snapshot(coin(id))), suggest: () => Effect.succeed([]) }),
    Backfill.layerTest({ coin: () => Effect.succeed(false) }),
    current
  ]),
  Layer.provideMerge(Layer.fresh(History.layerSqlite(":memory:")))
)

const rule = rulesOver(Layer.unwrap(Effect.as(TestClock.setTime(NOW), services)))

const record = Effect.gen(function* () {
  const history = yield* History.History
  const closes = [0.1, 0.2, 0.4].map((close, n) =>
    told("coin/bitcoin", "Kraken", TODAY - (3 - n) * DAY, close, { observedAt: TODAY - (2 - n) * DAY - 1 })
  )
  const hour = Array.from({ length: 12 }, (_, n) =>
    observed("naira", NOW - 5 * MINUTE - (12 - n) * 5 * MINUTE + 1, 1500 + n, {
      buy: 1,
      sell: 1,
      confidence: "high",
      kind: "p2p",
      method: "p2p/1",
      source: "Bybit P2P"
    })
  )
  // The window of the fixing is over once something is observed after it.
  const later = observed("coin/ethereum", NOW - MINUTE, 3000)
  yield* history?.offer([...closes, ...hour, later]) ?? Effect.die("no history")
})

/** The database is in real time, what writes to it in the test's. */
const pass = Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("5 millis")))

rule("are exact decimals of each kind, with where they are from, and refuse what there is not", function* () {
  yield* record
  const { rate, value } = yield* RatesOfRecord
  const written = Effect.fnUntraced(function* (id: string, fiat: string, kind: RateKind) {
    const found = yield* value(BigDecimal.fromStringUnsafe("3"), id, fiat, kind)
    assert.strictEqual(found.kind, kind)
    assert.isTrue(BigDecimal.equals(found.rate, (yield* rate(id, fiat, kind)).rate))
    return [
      BigDecimal.format(found.rate),
      BigDecimal.format(found.result),
      found.source,
      found.method,
      found.confidence
    ]
  })
  const fixing = RateKind.Fixing({ day: "2026-11-20" })
  const published = Effect.map(Effect.result(rate("tether", "NGN", fixing)), Result.isSuccess)
  yield* Effect.repeat(Effect.andThen(pass, published), { until: (is) => is, times: 500 })

  assert.deepStrictEqual(yield* written("bitcoin", "USD", RateKind.Closing({ day: "2026-11-18" })), [
    "0.2",
    "0.6",
    "Kraken",
    null,
    null
  ])
  const time = DateTime.makeUnsafe(TODAY - DAY + 1)
  assert.deepStrictEqual(yield* written("bitcoin", "USD", RateKind.Historical({ time })), [
    "0.2",
    "0.6",
    "Kraken",
    null,
    null
  ])
  const days = { from: "2026-11-17", to: "2026-11-18" }
  assert.deepStrictEqual((yield* written("bitcoin", "USD", RateKind.Average(days))).slice(0, 3), [
    "0.15",
    "0.45",
    "Kraken"
  ])
  assert.deepStrictEqual(yield* written("tether", "NGN", fixing), ["1505.5", "4516.5", "Bybit P2P", "fixing/1", "high"])
  assert.deepStrictEqual(yield* written("tether", "NGN", RateKind.Spot()), [
    "1510.5",
    "4531.5",
    "Bybit P2P",
    "p2p/1",
    "high"
  ])

  // The average is that of the history's weeks and months.
  const { prices } = yield* Histories
  const week = Result.getOrThrow(rangeOf({ from: "2026-11-16", interval: "week" }, NOW))
  const { points } = yield* prices("bitcoin", "USD", { range: week, isFilled: false })
  const whole = yield* rate("bitcoin", "USD", RateKind.Average({ from: "2026-11-16", to: "2026-11-20" }))
  assert.strictEqual(whole.days, 3, "of five days that were asked for")
  assert.strictEqual(BigDecimal.toNumberUnsafe(whole.rate), Number(points[0]?.average?.toPrecision(12)))

  for (const [id, kind, tag] of [
    ["bitcoin", RateKind.Closing({ day: "2100-01-01" }), "InvalidDays"],
    ["bitcoin", RateKind.Closing({ day: "2026-02-30" }), "InvalidDays"],
    ["bitcoin", RateKind.Average({ from: "2026-11-18", to: "2026-11-17" }), "InvalidDays"],
    ["bitcoin", RateKind.Closing({ day: "1970-01-01" }), "NoData"],
    ["tether", RateKind.Fixing({ day: "2026-11-01" }), "NoFixing"],
    ["bitcoin", fixing, "NoFixing"]
  ] as const) {
    assert.strictEqual((yield* Effect.flip(rate(id, "NGN", kind)))._tag, tag, JSON.stringify(kind))
  }
})
