// What reaches the record, from the snapshots that the services hold.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import * as Recording from "../../../src/services/history/Recording.ts"
import { choosePoints } from "../../../src/history/model/choosePoints.ts"
import { startOfDay } from "../../../src/history/model/Interval.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import * as SnapshotRows from "../../../src/history/store/SnapshotRows.ts"
import { layerRecord } from "../../history/layerRecord.ts"
import { isObservation, type Observation, type Point, type Row } from "../../../src/history/model/Point.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { ExchangeRates } from "../../../src/services/ExchangeRates.ts"
import { P2pMarkets } from "../../../src/services/P2pMarkets.ts"
import { Naira, type NairaRate } from "../../../src/services/Naira.ts"
import type { Venue } from "../../../src/domain/P2pRate.ts"
import { type Official, OfficialRates } from "../../../src/services/OfficialRates.ts"
import { Unavailable } from "../../../src/services/refresh/Unavailable.ts"
import { atNoon, coin, instant, NOW } from "../scripted.ts"
import { capturedLog } from "../../resources.ts"
import { rule } from "../../rulesOf.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const none = Effect.fail(new Unavailable({ question: "not asked", retryAfter: 1 }))

/** Records what the services say; `offered` are the observations in their order. */
const recording = (services: {
  readonly rate?: Naira["Service"]["rate"]
  readonly list?: Coins["Service"]["list"]
  readonly official?: Official
  /** Whether the queue has room; default: always. */
  readonly hasRoom?: () => boolean
}) => {
  const offered: Array<Observation> = []
  const points: Array<Point> = []
  const { hasRoom = () => true, official = { _tag: "Missing", reason: "official_rate_missing" } } = services
  const offer = (rows: ReadonlyArray<Row>) =>
    Effect.sync(() => {
      if (!hasRoom()) return false
      offered.push(...rows.filter(isObservation))
      points.push(...rows.filter((row): row is Point => !isObservation(row)))
      return true
    })
  const layer = Recording.layerNoDeps.pipe(
    Layer.provide([
      layerRecord({}, { offer }),
      P2pMarkets.layerTest().pipe(Layer.provide(Naira.layerTest({ rate: services.rate ?? none }))),
      Coins.layerTest({ list: services.list ?? none }),
      ExchangeRates.layerTest({ current: none }),
      OfficialRates.layerTest({ current: Effect.succeed(official) })
    ])
  )
  return { offered, points, layer }
}

const venue = (name: string, kind: Venue["kind"], updated: number): Venue => ({
  venue: name,
  kind,
  buy: 1505,
  sell: 1495,
  mid: 1500,
  adsUsed: kind === "p2p" ? 12 : null,
  adsRejected: {},
  reason: null,
  updated: instant(updated)
})

describe("the record of the naira", () => {
  rule("goes on while a cross-check is silent, with the times of the venues that made the mid", function* () {
    yield* atNoon
    const silentSince = NOW + 45 * MINUTE
    const rate = Effect.map(DateTime.now, ({ epochMilliseconds: now }) => {
      const luno = Math.min(now, silentSince) - 4_000
      const value: NairaRate = {
        buy: 1505,
        sell: 1495,
        mid: 1500,
        spread: null,
        confidence: "high",
        reason: null,
        used: ["Bybit P2P"],
        official: { _tag: "Missing", reason: "official_rate_missing" },
        premium: null,
        method: "p2p/1",
        venues: [venue("Bybit P2P", "p2p", now - 2_000), venue("Luno", "order_book", luno)]
      }
      // The rate as a whole is as old as its oldest part.
      return { value, source: "Bybit P2P", observedAt: instant(luno), retrievedAt: instant(luno) }
    })
    const { layer, offered } = recording({ rate })
    yield* Effect.gen(function* () {
      for (let minute = 0; minute < 60; minute++) yield* TestClock.adjust("1 minute")
    }).pipe(Effect.provide(layer))
    const late = offered.filter(({ observedAt }) => observedAt > silentSince)
    assert.isAtLeast(late.length, 14)
    assert.strictEqual(late.at(-1)?.observedAt, NOW + 60 * MINUTE - 2_000)
    assert.isTrue(offered.every(({ observedAt, recordedAt }) => recordedAt >= observedAt))
  })
})

describe("the record of the official rate", () => {
  rule("is offered again until the queue has room", function* () {
    yield* atNoon
    const [observedAt, retrievedAt] = [instant(day), instant(NOW)]
    const snapshot = { value: { rate: 1372.5, date: "2026-11-19" }, source: "CBN", observedAt, retrievedAt }
    let hasRoom = false
    const { layer, points } = recording({ official: { _tag: "Published", snapshot }, hasRoom: () => hasRoom })
    yield* Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      hasRoom = true
      yield* TestClock.adjust("1 minute")
    }).pipe(Effect.provide(layer))
    assert.deepStrictEqual(
      points.map(({ close }) => close),
      [1372.5]
    )
  })

  const day = startOfDay("2026-11-19")
  const recorded = (source: string, rate: number, isCentral: boolean, after: number) =>
    SnapshotRows.ofOfficial({
      value: { rate, date: "2026-11-19", ...(isCentral ? { isCentral } : {}) },
      source,
      observedAt: instant(day),
      retrievedAt: instant(day + after * HOUR)
    }).map((point) => ({ ...point, revision: 0 }))
  const chosen = (...records: ReadonlyArray<ReturnType<typeof recorded>>) =>
    choosePoints("day", records.flat(), SeriesName.preferenceOf(SeriesName.OFFICIAL)).map(({ close, revisedAt }) => [
      close,
      revisedAt
    ])

  it("does not change by the copy's rate while CBN's window is away, nor when the window is back", () => {
    const window = (after: number) => recorded("CBN", 1372.5, false, after)
    const copy = (after: number) => recorded("CBN via Frankfurter", 1372, true, after)
    const central = (after: number) => recorded("CBN", 1372, true, after)
    assert.deepStrictEqual(chosen(window(16), copy(40), central(41)), [[1372.5, null]])
    assert.deepStrictEqual(
      chosen(copy(16), window(40), central(41)),
      [[1372.5, day + 40 * HOUR]],
      "the window's rate is the one that is served, also on a day that was final"
    )
    assert.deepStrictEqual(chosen(copy(16), window(20)), [[1372.5, null]], "the day was not final")
    assert.strictEqual(new Set([window(1), copy(1), central(1)].map(([row]) => row?.origin)).size, 3)
  })
})

describe("a bug in what is recorded", () => {
  rule("is logged and counted, and the next snapshot is recorded", function* () {
    yield* atNoon
    const { layer: log, logged } = capturedLog()
    const list = Effect.gen(function* () {
      const now = yield* DateTime.now
      if (now.epochMilliseconds === NOW + MINUTE) return yield* Effect.die("a bug")
      const bitcoin = { ...coin("bitcoin"), updated: now }
      return { value: CoinList.make([bitcoin]), source: "CoinGecko", observedAt: now, retrievedAt: now }
    })
    const { layer, offered } = recording({ list })
    yield* Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const before = offered.length
      yield* TestClock.adjust("1 minute")
      assert.isAbove(offered.length, before)
    }).pipe(Effect.provide(layer), Effect.provide(log), Effect.provideService(Metric.MetricRegistry, new Map()))
    assert.include(JSON.stringify(logged), "a bug")
  })
})
