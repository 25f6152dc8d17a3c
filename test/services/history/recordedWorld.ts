// A world whose figures a test replaces, recorded by the service's own recording in a database in memory.
import { assert } from "@effect/vitest"
import { Clock, ConfigProvider, Context, DateTime, Effect, Layer, Metric, Result } from "effect"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import type { VenueQuote } from "../../../src/domain/P2pRate.ts"
import { quotedFiats } from "../../../src/domain/QuotedFiat.ts"
import { type HistoryQuery, rangeOf } from "../../../src/history/model/HistoryRange.ts"
import { dayOf, startOfDay } from "../../../src/history/model/Interval.ts"
import * as History from "../../../src/history/store/History.ts"
import * as HistoryMetrics from "../../../src/history/store/HistoryMetrics.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { Conversions } from "../../../src/services/Conversions.ts"
import { ExchangeRates } from "../../../src/services/ExchangeRates.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Past } from "../../../src/services/history/Past.ts"
import * as Recording from "../../../src/services/history/Recording.ts"
import { Naira } from "../../../src/services/Naira.ts"
import { OfficialRates } from "../../../src/services/OfficialRates.ts"
import { P2pMarkets } from "../../../src/services/P2pMarkets.ts"
import { coin } from "../scripted.ts"
import { rulesOver } from "../../rulesOf.ts"

export const START = startOfDay("2026-11-10")
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const utc = DateTime.makeUnsafe

/** Figures that a test replaces, as the services would give them now. */
export const makeWorld = () => {
  let now = START + 21_000
  let hasCoins = false
  let figures = { bitcoin: 100_000, tether: 1, mid: 1500, euro: 0.9, official: 1400 }
  const stamp = <A>(value: A, source: string, observedAt = now - 7_000) => ({
    value,
    source,
    observedAt: utc(observedAt),
    retrievedAt: utc(now)
  })
  const made = () => {
    const coins = (hasCoins ? ["bitcoin", "tether"] : []).map((id) =>
      coin(id, { price: id === "tether" ? figures.tether : figures.bitcoin, updated: utc(now - 20_000) })
    )
    const venue: VenueQuote & { readonly updated: DateTime.Utc } = {
      venue: "Bybit P2P",
      kind: "p2p",
      buy: figures.mid + 5,
      sell: figures.mid - 5,
      mid: figures.mid,
      adsUsed: 12,
      adsRejected: { outlier: 3 },
      reason: null,
      updated: utc(now - 7_000)
    }
    const { buy, mid, sell } = venue
    const official = stamp({ rate: figures.official, date: dayOf(now) }, "CBN", startOfDay(dayOf(now)))
    const rates = Object.fromEntries(quotedFiats.map((fiat, n) => [fiat, fiat === "USD" ? 1 : figures.euro * (n + 1)]))
    return {
      coins: stamp(CoinList.make(coins), "CoinGecko"),
      fx: stamp(
        { rates, observed: Object.fromEntries(quotedFiats.map((fiat) => [fiat, dayOf(now)])) },
        "Frankfurter",
        startOfDay(dayOf(now))
      ),
      official,
      naira: stamp(
        {
          buy,
          sell,
          mid,
          spread: null,
          confidence: "high" as const,
          reason: null,
          used: ["Bybit P2P"],
          official: { _tag: "Published" as const, snapshot: official },
          premium: null,
          venues: [venue],
          method: "p2p/1"
        },
        "Bybit P2P + CBN"
      ),
      fiats: new Map([["EUR", stamp({ rate: 1.003 * figures.euro, confidence: "high" as const }, "Kraken")]]),
      mid: { ...stamp(figures.mid, "Bybit P2P"), confidence: "high" } as const,
      sides: stamp({ buy: figures.mid + 5, sell: figures.mid - 5, confidence: "high" } as const, "Bybit P2P")
    }
  }
  let current = made()
  return {
    move: (time: number, changed: Partial<typeof figures>) => {
      now = time
      hasCoins = true
      figures = { ...figures, ...changed }
      current = made()
    },
    services: Layer.mergeAll(
      Coins.layerTest({
        list: Effect.sync(() => current.coins),
        coin: (id) =>
          Effect.sync(() => {
            const coin = current.coins.value.byId.get(id)
            return coin === undefined ? assert.fail(id) : { ...current.coins, value: coin, observedAt: coin.updated }
          }),
        fiats: Effect.sync(() => current.fiats),
        fiatChange: () => Effect.undefined,
        suggest: () => Effect.succeed([])
      }),
      Backfill.layerTest({ coin: () => Effect.succeed(false) }),
      ExchangeRates.layerTest({ current: Effect.sync(() => current.fx) }),
      P2pMarkets.layerTest().pipe(
        Layer.provide(
          Naira.layerTest({
            rate: Effect.sync(() => current.naira),
            mid: Effect.sync(() => current.mid),
            sides: Effect.sync(() => current.sides),
            change24h: () => Effect.succeedNone
          })
        )
      ),
      OfficialRates.layerTest({
        current: Effect.sync(() => ({ _tag: "Published" as const, snapshot: current.official }))
      })
    )
  }
}

export type World = ReturnType<typeof makeWorld>

const recorded = (world: World) =>
  Layer.mergeAll(Histories.layerNoDeps, Past.layerNoDeps, Conversions.layerNoDeps).pipe(
    Layer.provide(world.services),
    Layer.provideMerge(History.layerSqlite(":memory:")),
    // Of this world's markets.
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ P2P_MARKETS: "NGN" })))
  )

/** A world at the start of the test's time. */
export const started = Effect.map(TestClock.setTime(START), makeWorld)

/** The world of a test that begins at the start of time, with a record of it. */
export class Recorded extends Context.Service<Recorded, World>()("test/Recorded") {
  static readonly layer = Layer.unwrap(
    Effect.map(started, (world) => Layer.merge(recorded(world), Layer.succeed(Recorded, world)))
  )
}

/** Sets the time and the figures, and records them. What is recorded is looked for at once, and not again while time leaps. */
export const moveTo = Effect.fnUntraced(function* (time: number, changed: Parameters<World["move"]>[1]) {
  const world = yield* Recorded
  yield* TestClock.setTime(time)
  world.move(time, changed)
  const recording = Layer.fresh(Recording.layerNoDeps.pipe(Layer.provide(world.services)))
  yield* Effect.scoped(Layer.build(recording))
  // The database is in real time: where a leap of the clock ended an attempt to write, the next one is due soon.
  const pass = Effect.andThen(TestClock.adjust("250 millis"), TestClock.withLive(Effect.sleep("5 millis")))
  // Observations are written before days, so both must have left the queue.
  const queued = Metric.value(HistoryMetrics.queued)
  yield* Effect.repeat(pass, { until: () => Effect.map(queued, ({ value }) => value === 0) })
  yield* Effect.repeat(pass, { times: 4 })
})

export const request = (query: HistoryQuery, isFilled = false) =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ range: Result.getOrThrow(rangeOf(query, now)), isFilled }))

export const recordedRule = rulesOver(Recorded.layer)
