// The explanations over scripted parts: which coins there are, what was published.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import type { Coin } from "../../../src/domain/Coin.ts"
import type { EvidenceItem } from "../../../src/domain/Evidence.ts"
import type { PriceHistory } from "../../../src/domain/PriceHistory.ts"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import type { NamedCandle } from "../../../src/domain/CandleSeries.ts"
import { CoinCandles } from "../../../src/services/CoinCandles.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { EvidencePool } from "../../../src/services/EvidencePool.ts"
import { GlobalMarkets } from "../../../src/services/GlobalMarkets.ts"
import { Unavailable } from "../../../src/services/refresh/Unavailable.ts"
import { Why } from "../../../src/services/why/Why.ts"
import { CoinGecko } from "../../../src/sources/market/CoinGecko.ts"
import type { GatheredEvidence } from "../../../src/why/RunFacts.ts"
import { rulesOf } from "../../rulesOf.ts"
import { atNoon, coin, gecko, instant, NOW, scripted } from "../scripted.ts"

const history = (id: string, n: number): PriceHistory => ({
  id,
  end: instant(NOW),
  prices: Array.from(
    { length: 168 },
    (_, hour) => 10 * (1 + 0.004 * Math.sin(hour * 1.3 * (n + 1) + hour * hour * 0.7))
  )
})

const large = (id: string, change_24h: number | null, fields: Partial<Coin> = {}): Coin =>
  coin(id, { name: `Coin ${id}`, rank: 50, market_cap: 1e9, volume_24h: 1e8, change_24h, ...fields })

/** Hours of an exchange; in the last 24 three times as much was traded as in those before. */
const surging = (first: number, last: number): ReadonlyArray<NamedCandle> =>
  Array.from({ length: (last - first) / 3_600_000 + 1 }, (_, n) => {
    const bucket = first + n * 3_600_000
    const volume = bucket > last - 24 * 3_600_000 ? 300 : 100
    return { source: "Binance", bucket, open: 10, high: 11, low: 9, close: 10, volume }
  })

const setup = Effect.gen(function* () {
  yield* atNoon
  const world = {
    coins: [large("zephyra", -20)] as ReadonlyArray<Coin>,
    items: [] as ReadonlyArray<EvidenceItem>,
    freshShare: 1,
    breaks: false
  }
  const hourly = yield* scripted<ReadonlyArray<PriceHistory>>("CoinGecko", "10 minutes")
  hourly.says(["bitcoin", "ethereum", "zephyra", ...Array.from({ length: 14 }, (_, n) => `c${n}`)].map(history))
  const scriptedGecko = yield* gecko({ hourlyPrices: hourly.feed, lessUrgentAfter: Duration.zero })
  const list = Effect.map(DateTime.now, (now) => {
    const rows = [large("bitcoin", 0.5), ...world.coins].map((row) => ({ ...row, updated: row.updated ?? now }))
    return Snapshot.make({ value: CoinList.make(rows), source: "CoinGecko", observedAt: now, retrievedAt: now })
  })
  const gathered = Effect.sync((): GatheredEvidence => ({
    items: world.items,
    sourcesOk: 5,
    sourcesFailed: [],
    freshShare: world.freshShare
  }))
  const built = Effect.map(
    Layer.build(
      Why.layerNoDeps.pipe(
        Layer.provide([
          Coins.layerTest({
            list,
            disputed: Effect.suspend(() => (world.breaks ? Effect.die(new Error("a bug")) : Effect.succeed(new Set())))
          }),
          GlobalMarkets.layerTest({
            current: Effect.fail(new Unavailable({ question: "global market figures", retryAfter: 1 }))
          }),
          Layer.succeed(CoinGecko, CoinGecko.of(scriptedGecko.service)),
          EvidencePool.layerTest({ gathered }),
          CoinCandles.layerTest({
            of: (id, { first, last }) =>
              Effect.succeed({ candles: id === "zephyra" ? surging(first, last) : [], failure: undefined })
          }),
          ConfigProvider.layer(ConfigProvider.fromUnknown({}))
        ])
      )
    ),
    (context) => Context.get(context, Why)
  )
  const why = yield* built
  for (let second = 0; second < 30; second++) yield* TestClock.adjust("1 second")
  return {
    world,
    why,
    ids: Effect.map(why.movers, ({ value }) => value.movers.map(({ id }) => id)),
    pass: (minutes: number) =>
      Effect.forEach(Array.from({ length: minutes }), () => TestClock.adjust("1 minute"), { discard: true })
  }
})

const rule = rulesOf(it, setup)

describe("the list of movers", () => {
  rule("has five each way at most; the sixth is told the change of the fifth", function* ({ ids, pass, why, world }) {
    world.coins = Array.from({ length: 14 }, (_, n) => large(`c${n}`, (n % 2 === 0 ? 1 : -1) * (40 + n)))
    yield* pass(6)
    assert.deepStrictEqual((yield* ids).toSorted(), ["c10", "c11", "c12", "c13", "c4", "c5", "c6", "c7", "c8", "c9"])
    const { value } = yield* why.mover("c2")
    assert.deepStrictEqual([value.notAMover?.reason, value.notAMover?.threshold], ["below_threshold", 44])
  })

  rule("have the volume of a day over that of a usual one, where an exchange knows it", function* ({ pass, why }) {
    yield* pass(6)
    const { value } = yield* why.movers
    const ratios = value.movers.map(({ id, volume_ratio_7d }) => [id, volume_ratio_7d])
    // 24 × 300 over a seventh of 24 × 300 + 144 × 100.
    assert.deepStrictEqual(ratios, [["zephyra", 2.33]])
  })

  rule("tells no change of a coin whose change is unknown", function* ({ pass, why, world }) {
    world.coins = [large("c1", null)]
    yield* pass(6)
    const { value } = yield* why.mover("c1")
    assert.isNull(value.notAMover?.change)
    assert.isEmpty(value.view.sentences)
  })
})
