// A record, sources that log what they are asked, and a backfill between them.
import { assert, it } from "@effect/vitest"
import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { coin, gecko, scripted } from "../scripted.ts"
import * as CoinList from "../../../src/domain/CoinList.ts"
import { closeAlone } from "../../../src/history/model/Close.ts"
import { type Interval, startOfDay } from "../../../src/history/model/Interval.ts"
import { layerRecord } from "../../history/layerRecord.ts"
import type { Point } from "../../../src/history/model/Point.ts"
import type { Fetched } from "../../../src/history/store/BackfillStore.ts"
import { CoinCandles } from "../../../src/services/CoinCandles.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { FiatCandles } from "../../../src/services/FiatCandles.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import { OverBudget, SourceError } from "../../../src/sources/client/SourceError.ts"
import { CurrencyApi } from "../../../src/sources/fx/CurrencyApi.ts"
import { Frankfurter } from "../../../src/sources/fx/Frankfurter.ts"
import { CoinGecko } from "../../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../../src/sources/market/CoinPaprika.ts"
import { Cbn } from "../../../src/sources/fx/Cbn.ts"
import { Quidax } from "../../../src/sources/p2p/Quidax.ts"
import { rulesOf } from "../../rulesOf.ts"

export const NOON = startOfDay("2026-11-20") + 12 * 3_600_000
export const TODAY = startOfDay("2026-11-20")
export const DAY = 86_400_000
export const HOUR = 3_600_000

export const ofHours = (interval: Interval) => (interval === "hour" ? " hours" : "")

/** What happens to a call before it is answered; a test replaces it. */
export type Trouble = (call: string) => Effect.Effect<void, SourceError>

/** A record, sources that log what they are asked, and a backfill between them. */
export const makeWorld = (ids: ReadonlyArray<string> = ["bitcoin", "tether", "ethereum"]) => {
  const calls: Array<readonly [call: string, at: number]> = []
  const marks = new Map<string, Fetched>()
  const claims = new Map<string, number>()
  const claimed: Array<string> = []
  const points: Array<Point> = []
  const hourly = new Set<string>()
  const callers: Array<string> = []
  const dropped: Array<string> = []
  let fiats: ReadonlyArray<string> = []
  let trouble: Trouble = () => Effect.void
  let isEmpty: (call: string) => boolean = () => false
  let unlisted: (id: string) => boolean = () => false
  let young: (id: string) => boolean = () => false
  let partial: (call: string) => SourceError | undefined = () => undefined

  const answer = <A>(call: string, source: string, value: ReadonlyArray<A>) =>
    Effect.gen(function* () {
      calls.push([call, (yield* Clock.currentTimeMillis) - NOON])
      yield* trouble(call)
      const now = yield* DateTime.now
      return { value: isEmpty(call) ? [] : value, source, observedAt: now, retrievedAt: now }
    })
  const closes = [closeAlone(TODAY - 2 * DAY, 7, TODAY - DAY), closeAlone(TODAY - DAY, 7, TODAY)]
  const candle = (bucket: number) => ({ source: "Kraken", bucket, open: 6, high: 8, low: 5, close: 7, volume: 900 })
  const list = Effect.map(
    Effect.andThen(
      Effect.suspend(() => Effect.ignore(trouble("list"))),
      DateTime.now
    ),
    (now) => ({
      value: CoinList.make(ids.map((id) => coin(id))),
      source: "CoinGecko",
      observedAt: now,
      retrievedAt: now
    })
  )

  const sources = Effect.gen(function* () {
    const { feed } = yield* scripted<never>("a source that is not asked")
    const { service } = yield* gecko({
      closes: (id, interval) => answer(`CoinGecko ${id}${ofHours(interval)}`, "CoinGecko", closes)
    })
    return Layer.mergeAll(
      CoinGecko.layerTest(service),
      CoinCandles.layerTest({
        of: (id, { first, interval }) =>
          Effect.gen(function* () {
            const span = interval === "hour" ? " hours" : first === 0 ? "" : ` ${(TODAY - first) / DAY}`
            const call = `exchanges ${id}${span}`
            const since = young(id) ? TODAY - DAY : Math.max(first, TODAY - 400 * DAY)
            const { value } = yield* answer(call, "Kraken", unlisted(id) ? [] : [candle(since), candle(TODAY - DAY)])
            return { candles: value, failure: partial(call) }
          })
      }),
      FiatCandles.layerTest({
        codes: Effect.sync(() => fiats),
        of: (code, interval) =>
          Effect.map(
            answer(`exchanges ${code}${ofHours(interval)}`, "Kraken", [
              { bucket: TODAY - DAY, rate: 0.86, confidence: "medium" as const, source: "Binance + Kraken (sandbox)" }
            ]),
            ({ value }) => ({ closes: value, failure: partial(`exchanges ${code}`) })
          )
      }),
      CoinPaprika.layerTest({
        coins: feed,
        global: feed,
        closes: (id, first, last) =>
          answer(`CoinPaprika ${id} ${(TODAY - first) / DAY}-${(TODAY - last) / DAY}`, "CoinPaprika", closes)
      }),
      CurrencyApi.layerTest({
        fx: feed,
        day: (day) => answer(`currency-api ${day}`, "currency-api", [{ code: "EUR", date: day, rate: 0.91 }])
      }),
      Frankfurter.layerTest({
        fx: feed,
        official_rate: feed,
        days: (from, to) =>
          answer(`Frankfurter ${from} ${to}`, "Frankfurter", [
            { code: "EUR", date: from, rate: 0.9 },
            { code: "EUR", date: "2026-11-20", rate: 1.2 }
          ]),
        officialDays: (from, to) =>
          answer(`copy of CBN ${from} ${to}`, "CBN via Frankfurter", [{ code: "NGN", date: to, rate: 1381 }])
      }),
      Cbn.layerTest({
        nfem: feed,
        all_rates: feed,
        days: () =>
          answer("CBN", "CBN", [
            { code: "NGN", date: "2026-11-19", rate: 1380 },
            { code: "NGN", date: "2026-11-20", rate: 1600 }
          ])
      }),
      Quidax.layerTest({
        order_book: new Map(),
        candles: ({ fiat }, interval) => answer(`Quidax ${fiat}${ofHours(interval)}`, "Quidax", closes)
      })
    )
  })
  const layer = Backfill.layerNoDeps.pipe(
    Layer.provide([
      layerRecord({
        recordPiece: (piece, fetchedAt, some, interval, caller, isWhole = true) =>
          Effect.sync(() => {
            points.push(...some)
            if (!isWhole) return []
            const emptySince = some.length > 0 ? null : (marks.get(piece)?.emptySince ?? fetchedAt)
            marks.set(piece, { fetchedAt, emptySince })
            if (interval === "hour") hourly.add(piece)
            if (caller !== undefined) callers.push(caller)
            for (const one of dropped) marks.delete(one)
            return dropped.splice(0)
          }),
        pieces: () => Effect.sync(() => new Map(marks)),
        claim: (name, until, held = 0) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const ends = claims.get(name) ?? 0
            if (ends > now && ends !== held) return false
            claims.set(name, until)
            if (name.startsWith("claim/")) claimed.push(name)
            return true
          }),
        unclaim: (name) => Effect.sync(() => void claims.delete(name))
      }),
      Layer.mock(Coins)({ list }),
      Layer.unwrap(sources)
    ]),
    Layer.fresh
  )
  return {
    calls,
    /** The sources that were asked, in order, each call by its words. */
    asked: (source: string) => calls.flatMap(([call]) => (call.startsWith(source) ? [call] : [])),
    marks,
    /** The claims of pieces, in order. */
    claimed,
    hourly,
    points,
    layer,
    callers,
    drops: (piece: string) => void dropped.push(piece),
    /** Coins that no exchange lists. */
    trades: (codes: ReadonlyArray<string>) => void (fiats = codes),
    lists: (isUnlisted: (id: string) => boolean) => void (unlisted = isUnlisted),
    /** Coins whose first candle is of yesterday. */
    hasYoung: (isYoung: (id: string) => boolean) => void (young = isYoung),
    /** One of the exchanges fails. */
    isPartial: (next: (call: string) => SourceError | undefined) => void (partial = next),
    hasNothing: (which: (call: string) => boolean) => void (isEmpty = which),
    fails: (next: Trouble) => void (trouble = next)
  }
}

export const overBudget = (source: string, retryAfter: number) =>
  new SourceError({ source, reason: new OverBudget({ retryAfter }) })

export type World = ReturnType<typeof makeWorld>

/** Rules of a world at noon. */
export const rule = rulesOf(
  it,
  Effect.map(TestClock.setTime(NOON), () => makeWorld())
)

/** Lets time pass for a backfill, and tells its progress. */
export const passingFor = (backfill: Backfill["Service"]) =>
  Effect.fnUntraced(function* (duration: Duration.Input) {
    for (let left = Duration.toMillis(Duration.fromInputUnsafe(duration)); left > 0; left -= 500) {
      yield* TestClock.adjust(Math.min(left, 500))
    }
    return (yield* backfill.progress) ?? assert.fail("no backfill")
  })

/** A backfill that runs until the end of the scope. */
export const running = (world: World) =>
  Effect.map(Layer.build(world.layer), (context) => {
    const backfill = Context.get(context, Backfill)
    return { coin: backfill.coin, passing: passingFor(backfill) }
  })

/** One that runs for a time. */
export const lives = (world: World, duration: Duration.Input) =>
  Effect.scoped(Effect.flatMap(running(world), ({ passing }) => passing(duration)))
