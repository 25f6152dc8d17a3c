// How long an answer about the past waits, and how it knows that it is outdated.
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Clock, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { Histories } from "../../../src/services/history/Histories.ts"
import { Past } from "../../../src/services/history/Past.ts"
import { layerRecord } from "../../history/layerRecord.ts"
import * as History from "../../../src/history/store/History.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { parseAsset } from "../../../src/services/Conversions.ts"
import { CurrentDependencies, Dependencies } from "../../../src/services/refresh/Dependencies.ts"
import { Unavailable } from "../../../src/services/refresh/Unavailable.ts"
import * as Patience from "../../../src/services/refresh/Patience.ts"
import { atNoon, coin, instant, NOW } from "../scripted.ts"
import type { Point } from "../../../src/history/model/Point.ts"
import { told } from "../../history/records.ts"
import { rule } from "../../rulesOf.ts"

const DAY = 86_400_000

/** A source that never answers: a look-up lasts as long as the answer at hand waits for look-ups. */
const hanging = Effect.flatMap(Patience.remaining("lookup"), Effect.sleep)

const held = (id: string) =>
  Effect.succeed({ value: coin(id), source: "CoinGecko", observedAt: instant(NOW), retrievedAt: instant(NOW) })

const services = (
  stored: Partial<History.Stored>,
  lookUp: Effect.Effect<unknown> = Effect.void,
  history: Partial<History.HistoryService> = {},
  fetched: Effect.Effect<boolean, Unavailable> = Effect.as(Patience.early(hanging), true)
) =>
  Layer.mergeAll(Past.layerNoDeps, Histories.layerNoDeps).pipe(
    Layer.provide([
      Coins.layerTest({
        coin: (id) => Effect.andThen(lookUp, held(id)),
        many: (ids) =>
          Effect.andThen(
            lookUp,
            Effect.map(
              Effect.forEach(ids, held),
              (all) => new Map(all.map((one) => [one.value.id, Result.succeed(one)]))
            )
          ),
        suggest: () => Effect.succeed([])
      }),
      Backfill.layerTest({ coin: () => fetched }),
      layerRecord(stored, history)
    ])
  )

/** How long something takes, ms of the test's clock. */
const lasting = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.forkChild(Effect.andThen(Effect.exit(effect), Clock.currentTimeMillis))
    for (let n = 0; n < 200; n++) yield* TestClock.adjust("100 millis")
    return (yield* Fiber.join(fiber)) - started
  })

const range = { interval: "day", first: NOW - (NOW % DAY) - 9 * DAY, last: NOW - (NOW % DAY) } as const

describe("an answer about the past", () => {
  it.effect("waits 5 s in all, however many coins and sources it needs", () =>
    Effect.gen(function* () {
      yield* atNoon
      const past = yield* Past
      const histories = yield* Histories
      const at = { _tag: "Time", time: NOW - DAY } as const
      const [one, other] = [parseAsset("bitcoin"), parseAsset("ethereum")]
      const answers = {
        convert: past.convert(at, one, other, BigDecimal.fromNumberUnsafe(1)),
        price: past.price(at, "bitcoin", "NGN"),
        prices: past.prices(at, ["bitcoin", "ethereum"], ["USD", "NGN"]),
        history: histories.prices("bitcoin", "NGN", { range, isFilled: false })
      }
      for (const [name, answer] of Object.entries(answers)) {
        const took = yield* lasting<unknown, unknown, never>(answer)
        assert.isAtMost(took, 5_000, name)
        assert.isAtLeast(took, 4_000, `${name} waits for a source`)
      }
    }).pipe(Effect.provide(services({}, hanging)))
  )

  it.effect("is read from the record although the look-ups before took all their time", () =>
    Effect.gen(function* () {
      yield* atNoon
      const { prices } = yield* Histories
      const answer = yield* Effect.forkChild(prices("bitcoin", "NGN", { range, isFilled: false }))
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual((yield* Fiber.join(answer)).points, [])
    }).pipe(Effect.provide(services({ points: () => Effect.delay(Effect.succeed(new Map()), "400 millis") }, hanging)))
  )

  rule("that lacks something because a fetch failed is a failure or has the gap, and is never cached", function* () {
    yield* atNoon
    const failed = new Unavailable({ question: "the past of bitcoin", retryAfter: 60 })
    const answerOf = Effect.fnUntraced(function* (known: ReadonlyArray<Point>) {
      const points = () => Effect.succeed(new Map([["coin/bitcoin", known]]))
      const reads = new Dependencies()
      const asked = Effect.flatMap(Histories, ({ prices }) => prices("bitcoin", "USD", { range, isFilled: false }))
      const answer = yield* Effect.result(asked).pipe(
        Effect.provide(services({ points }, undefined, {}, Effect.fail(failed))),
        Effect.provideService(CurrentDependencies, reads)
      )
      assert.isFalse(reads.isValid(NOW))
      return answer
    })
    assert.deepStrictEqual(yield* answerOf([]), Result.fail(failed))
    const { coverage } = yield* Effect.fromResult(yield* answerOf([told("coin/bitcoin", "CoinGecko", range.first, 7)]))
    assert.deepStrictEqual(coverage.missing, [{ from: range.first + DAY, to: range.last }])
  })

  for (const [name, last, counter] of [
    ["of today", range.last, "version"],
    ["that is final", range.last - 2 * DAY, "backfilled"]
  ] as const) {
    rule(`${name} is outdated when something was committed with its first read`, function* () {
      yield* atNoon
      const request = { range: { ...range, last }, isFilled: false }
      const asks = [
        Effect.asVoid(Effect.flatMap(Histories, ({ p2p }) => p2p("NGN", request))),
        Effect.asVoid(Effect.flatMap(Histories, ({ fx }) => fx(["EUR"], request)))
      ]
      for (const ask of asks) {
        let commits = 0
        const points = () => Effect.sync(() => ((commits = 1), new Map()))
        const history = services({ points }, undefined, { [counter]: () => commits })
        const reads = new Dependencies()
        yield* ask.pipe(Effect.provide(history), Effect.provideService(CurrentDependencies, reads))
        assert.strictEqual(commits, 1)
        assert.isFalse(reads.isValid(NOW))
      }
    })
  }
})
