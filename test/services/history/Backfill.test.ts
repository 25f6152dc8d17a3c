import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, DateTime, Duration, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { coin, gecko, scripted, unreachable } from "../scripted.ts"
import * as CoinList from "../../../src/domain/CoinList.ts"
import { closeAlone } from "../../../src/history/model/Close.ts"
import { dayOf, type Interval, startOfDay } from "../../../src/history/model/Interval.ts"
import { layerRecord } from "../../history/layerRecord.ts"
import type { Point } from "../../../src/history/model/Point.ts"
import type { Fetched } from "../../../src/history/store/BackfillStore.ts"
import { CoinCandles } from "../../../src/services/CoinCandles.ts"
import { Coins } from "../../../src/services/Coins.ts"
import { FiatCandles } from "../../../src/services/FiatCandles.ts"
import * as Patience from "../../../src/services/refresh/Patience.ts"
import { Backfill } from "../../../src/services/history/Backfill.ts"
import * as Budget from "../../../src/sources/client/Budget.ts"
import { catalog } from "../../../src/sources/catalog/SourceCatalog.ts"
import { OverBudget, SourceError } from "../../../src/sources/client/SourceError.ts"
import { CurrencyApi } from "../../../src/sources/fx/CurrencyApi.ts"
import { Frankfurter } from "../../../src/sources/fx/Frankfurter.ts"
import { CoinGecko } from "../../../src/sources/market/CoinGecko.ts"
import { CoinPaprika } from "../../../src/sources/market/CoinPaprika.ts"
import { Cbn } from "../../../src/sources/fx/Cbn.ts"
import { Quidax } from "../../../src/sources/p2p/Quidax.ts"
import { rulesOf } from "../../rulesOf.ts"

const NOON = startOfDay("2026-11-20") + 12 * 3_600_000
const TODAY = startOfDay("2026-11-20")
const DAY = 86_400_000
const HOUR = 3_600_000

const ofHours = (interval: Interval) => (interval === "hour" ? " hours" : "")

/** What happens to a call before it is answered; a test replaces it. */
type Trouble = (call: string) => Effect.Effect<void, SourceError>

/** A record, sources that log what they are asked, and a backfill between them. */
const makeWorld = (ids: ReadonlyArray<string> = ["bitcoin", "tether", "ethereum"]) => {
  const calls: Array<readonly [call: string, at: number]> = []
  const marks = new Map<string, Fetched>()
  const claims = new Map<string, number>()
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
              { bucket: TODAY - DAY, rate: 0.86, source: "Binance + Kraken (sandbox)" }
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

const overBudget = (source: string, retryAfter: number) =>
  new SourceError({ source, reason: new OverBudget({ retryAfter }) })

type World = ReturnType<typeof makeWorld>

/** Rules of a world at noon. */
const rule = rulesOf(
  it,
  Effect.map(TestClock.setTime(NOON), () => makeWorld())
)

/** Lets time pass for a backfill, and tells its progress. */
const passingFor = (backfill: Backfill["Service"]) =>
  Effect.fnUntraced(function* (duration: Duration.Input) {
    for (let left = Duration.toMillis(Duration.fromInputUnsafe(duration)); left > 0; left -= 500) {
      yield* TestClock.adjust(Math.min(left, 500))
    }
    return (yield* backfill.progress) ?? assert.fail("no backfill")
  })

/** A backfill that runs until the end of the scope. */
const running = (world: World) =>
  Effect.map(Layer.build(world.layer), (context) => {
    const backfill = Context.get(context, Backfill)
    return { coin: backfill.coin, passing: passingFor(backfill) }
  })

/** One that runs for a time. */
const lives = (world: World, duration: Duration.Input) =>
  Effect.scoped(Effect.flatMap(running(world), ({ passing }) => passing(duration)))

describe("the backfill", () => {
  rule("asks for fiat days from the newest, the official rate, candles, then coins, USDT first", function* (world) {
    const progress = yield* lives(world, "3 minutes")
    assert.deepStrictEqual(progress, {
      done: 19,
      all: 19,
      failed: new Map(),
      hasCoins: true,
      isElsewhere: false,
      minutesLeft: 0
    })
    const order = world.calls.map(([call]) => call)
    assert.strictEqual(order.length, 19)
    assert.match(order[0] ?? "", /^Frankfurter 2026-\d\d-\d\d 2026-11-19$/)
    assert.strictEqual(world.asked("Frankfurter").length, 5)
    const quidax = "Quidax NGN,Quidax NGN hours,Quidax GHS,Quidax GHS hours"
    assert.strictEqual(order.slice(5, 10).join(), `CBN,${quidax}`)
    const coins = ["tether", "bitcoin", "ethereum"].map((id) => `exchanges ${id}`)
    const rest = ["", " hours", " 365"].flatMap((span) => coins.map((call) => call + span))
    assert.deepStrictEqual(world.asked("exchanges"), rest)
    assert.deepStrictEqual(world.asked("CoinGecko"), [], "its budget is for live data where there are candles")
    assert.deepStrictEqual(
      [...world.hourly].toSorted(),
      ["hours/bitcoin", "hours/ethereum", "hours/tether", "naira-hours", "p2p/GHS-hours"],
      "hours are recorded as hours, days as days"
    )
    const first = world.calls.find(([call]) => call.startsWith("exchanges"))
    assert.isAtLeast(first?.[1] ?? 0, 65_000, "until then no hourly prices tell which candles are a coin's")
    const recorded = [...new Set(world.points.map(({ series }) => series))].toSorted()
    assert.strictEqual(recorded.join(), "coin/bitcoin,coin/ethereum,coin/tether,fx/EUR,naira,official,p2p/GHS")
    assert.isTrue(
      world.points.every(
        ({ kind, series }) => kind === (series === "naira" || series === "p2p/GHS" ? "order_book" : null)
      ),
      "an order book is never called P2P"
    )
    assert.isTrue(
      world.points.every(({ bucket }) => bucket < TODAY),
      "today's rates are the judged ones that are served, not what a source says of today"
    )
  })

  rule("has the hours and days of fiats on exchanges as soon as those trade them", function* (world) {
    world.trades(["EUR"])
    const progress = yield* lives(world, "3 minutes")
    assert.strictEqual(progress?.all, 21)
    assert.deepStrictEqual(world.asked("exchanges").slice(0, 2), ["exchanges EUR hours", "exchanges EUR"])
    const euros = world.points.filter(({ series }) => series === "spot/EUR")
    const close = { bucket: TODAY - DAY, close: 0.86, high: null, volume: null, source: "Binance + Kraken (sandbox)" }
    assert.lengthOf(euros, 2)
    assert.deepInclude(euros[0], { ...close, observedAt: TODAY - DAY + HOUR - 1 })
    assert.deepInclude(euros[1], { ...close, observedAt: TODAY - 1 })
  })

  rule("asks CoinGecko, then CoinPaprika, for a coin that no exchange lists", function* (world) {
    world.lists((id) => id === "ethereum")
    world.fails((call) => (call === "CoinGecko ethereum" ? Effect.fail(unreachable("CoinGecko")) : Effect.void))
    yield* lives(world, "4 minutes")
    assert.deepStrictEqual(world.asked("CoinGecko").slice(0, 1), ["CoinGecko ethereum"])
    assert.isTrue(world.asked("CoinGecko").every((call) => call.startsWith("CoinGecko ethereum")))
    assert.strictEqual(world.asked("CoinPaprika")[0], "CoinPaprika ethereum 365-1")
    assert.isTrue(world.marks.has("coin/ethereum"))
  })

  rule("fills the days before a coin's first candle with an aggregator's closes", function* (world) {
    world.hasYoung((id) => id === "ethereum")
    yield* lives(world, "3 minutes")
    const days = world.points.filter(({ bucket, series }) => series === "coin/ethereum" && bucket % DAY === 0)
    const named = new Set(days.map(({ bucket, source }) => `${(TODAY - bucket) / DAY} ${source}`))
    assert.deepStrictEqual([...named].toSorted(), ["1 Kraken", "2 CoinGecko"])
    assert.isTrue(world.asked("CoinGecko").every((call) => call.startsWith("CoinGecko ethereum")))
  })

  rule("asks again within minutes for what a source answered with nothing, whichever source it is", function* (world) {
    const answered = new Set<string>()
    world.lists((id) => id === "bitcoin")
    world.hasNothing((call) => {
      const isFirst = !answered.has(call)
      answered.add(call)
      return isFirst
    })
    const { all, done } = yield* lives(world, "8 minutes")
    assert.strictEqual(done, all)
    assert.isTrue([...world.marks.values()].every(({ emptySince }) => emptySince === null))
    const spans = world.asked("Frankfurter")
    assert.isTrue(spans.every((call) => spans.filter((other) => other === call).length === 2))
  })

  rule("goes on after a bug of its own", function* (world) {
    let lists = 0
    world.fails((call) => (call === "list" && lists++ === 0 ? Effect.die("a bug") : Effect.void))
    const { all, done } = yield* lives(world, "5 minutes").pipe(Effect.provide(Logger.layer([])))
    assert.isAbove(all, 0)
    assert.strictEqual(done, all)
  })

  rule("records what the others said while one exchange fails, and asks again three times", function* (world) {
    world.isPartial((call) => (call === "exchanges bitcoin" ? unreachable("Binance") : undefined))
    const { passing } = yield* running(world)
    yield* passing("90 seconds")
    assert.isTrue(world.points.some(({ series }) => series === "coin/bitcoin"))
    assert.isFalse(world.marks.has("coin/bitcoin"))
    const { failed } = yield* passing("3 minutes")
    assert.deepStrictEqual([...failed.keys()], ["coin/bitcoin"])
    const { all, done } = yield* passing("10 minutes")
    assert.strictEqual(done, all)
    assert.strictEqual(world.asked("exchanges bitcoin").filter((call) => call === "exchanges bitcoin").length, 4)
  })

  rule("says how many minutes are left at the pace so far", function* () {
    const world = makeWorld(Array.from({ length: 40 }, (_, n) => `coin-${n}`))
    world.fails((call) => (call.startsWith("exchanges") ? Effect.sleep("12 seconds") : Effect.void))
    const { passing } = yield* running(world)
    assert.isNull((yield* passing("1 second")).minutesLeft)
    const { all, done, minutesLeft } = yield* passing("2 minutes")
    assert.isBelow(done, all)
    assert.isAtLeast(minutesLeft ?? 0, 1)
    const after = yield* passing(Duration.minutes((minutesLeft ?? 0) + 1))
    assert.strictEqual(after.minutesLeft, 0)
  })

  rule("has two years of fiat days after a minute, with the calls that Frankfurter's budget leaves", function* (world) {
    const taken = yield* Budget.make(catalog.FRANKFURTER.allowances)
    world.fails((call) =>
      call.startsWith("Frankfurter")
        ? Effect.flatMap(taken.take("backfill"), ({ wait }) =>
            wait > 0 ? Effect.fail(overBudget("Frankfurter", wait / 1000)) : Effect.void
          )
        : Effect.void
    )
    // The rates of now and the official rate.
    yield* Effect.andThen(taken.take("scheduled"), taken.take("scheduled"))
    yield* lives(world, "1 minute")
    const spans = world.points.filter(({ series }) => series === "fx/EUR").map(({ bucket }) => bucket)
    assert.isAtMost(Math.min(...spans), TODAY - 730 * DAY + DAY)
    const asked = world.asked("Frankfurter").map((call) => call.split(" "))
    for (const [n, [, , to]] of asked.entries()) {
      if (n > 0) assert.strictEqual(to, dayOf(startOfDay(asked[n - 1]?.[1] ?? "") - DAY), "no day is left out")
    }
  })

  rule("goes on after a restart where it stopped, and asks nothing twice", function* (world) {
    for (let run = 0; run < 3; run++) yield* lives(world, "2500 millis")
    const { all, done } = yield* lives(world, "3 minutes")
    assert.strictEqual(done, all)
    const calls = world.calls.map(([call]) => call)
    assert.deepStrictEqual(calls.length, new Set(calls).size)
  })

  rule("leaves a source alone for as long as its calls are withheld, and asks the others meanwhile", function* (world) {
    world.fails((call) =>
      call.startsWith("Frankfurter") && world.asked("Frankfurter").length % 3 === 0
        ? Effect.fail(overBudget("Frankfurter", 20))
        : Effect.void
    )
    yield* lives(world, "15 seconds")
    assert.strictEqual(world.asked("Frankfurter").length, 3)
    assert.strictEqual(world.asked("CBN").length, 1)
    const { all, done } = yield* lives(world, "10 minutes")
    assert.strictEqual(done, all)
  })

  rule("asks what stands in for a source that fails, and the source itself again later", function* (world) {
    world.fails((call) =>
      ["CBN", "Frankfurter", "exchanges"].some((source) => call.startsWith(source))
        ? Effect.fail(unreachable("a source"))
        : Effect.void
    )
    const { passing } = yield* running(world)
    const { done, failed } = yield* passing("7 minutes")
    assert.strictEqual(done, 4)
    assert.strictEqual(failed.size, 15)
    assert.isTrue(failed.has("official"))
    assert.deepStrictEqual(world.asked("CoinGecko"), [], "exchanges that fail are waited for")
    assert.deepStrictEqual(world.asked("copy"), ["copy of CBN 2001-12-10 2026-11-19"])
    assert.strictEqual(world.asked("currency-api")[0], "currency-api 2026-11-19")
    assert.isAbove(world.asked("currency-api").length, 700)
    world.fails(() => Effect.void)
    const all = yield* passing("9 minutes")
    assert.strictEqual(all.done, all.all)
    const official = world.points.filter(({ series }) => series === "official").map(({ origin }) => origin)
    assert.deepStrictEqual(official, ["CBN via Frankfurter", "CBN"])
  })

  rule("is done by one process at a time; another goes on when that one stops", function* (world) {
    const scope = yield* Scope.make()
    const first = yield* Layer.buildWithScope(world.layer, scope)
    const { passing } = yield* running(world)
    const { isElsewhere } = yield* passing("2 seconds")
    assert.isTrue(isElsewhere)
    const calls = world.calls.length
    assert.isAbove(calls, 0)
    yield* Scope.close(scope, Exit.void)
    const { all, done } = yield* passing("4 minutes")
    assert.strictEqual(done, all)
    assert.strictEqual(new Set(world.calls.map(([call]) => call)).size, world.calls.length)
    assert.isFalse((yield* passingFor(Context.get(first, Backfill))("1 second")).isElsewhere)
  })

  rule("asks once for what callers of several processes ask for, and again where the first fails", function* (world) {
    const processes = [yield* running(world), yield* running(world), yield* running(world)]
    yield* processes[0]?.passing("4 minutes") ?? Effect.void
    const before = world.calls.length
    const coins = Array.from({ length: 10 }, (_, n) => `asked-${n}`)
    const failing = new Set<string>()
    world.fails((call) => {
      const isFirst = call.startsWith("exchanges asked-3") && !failing.has(call)
      failing.add(call)
      return Effect.andThen(Effect.sleep(300), isFirst ? unreachable("CoinGecko") : Effect.void)
    })
    const asking = coins.flatMap((id) => processes.map(({ coin }) => Effect.exit(coin(id, "day", TODAY - 30 * DAY))))
    const asked = yield* Effect.forkChild(Effect.all(asking, { concurrency: "unbounded" }))
    for (let n = 0; n < 20; n++) yield* TestClock.adjust(250)
    yield* Fiber.join(asked)
    const calls = world.calls.slice(before).map(([call]) => call)
    for (const id of coins.filter((id) => id !== "asked-3")) {
      assert.deepStrictEqual(
        calls.filter((call) => call.includes(`${id}`)),
        [`exchanges ${id} 365`]
      )
    }
    assert.include(calls, "exchanges asked-3 365")
  })

  rule("goes on with the others when a piece has a bug", function* (world) {
    world.fails((call) => (call === "CBN" ? Effect.die("a bug") : Effect.void))
    const { all, done, failed } = yield* lives(world, "4 minutes").pipe(Effect.provide(Logger.layer([])))
    assert.strictEqual(done, all - 1)
    assert.deepStrictEqual([...failed.keys()], ["official"])
  })

  rule("fetches a coin that callers ask for at once, and once; none waits longer than 5 s", function* (world) {
    world.fails((call) => (call.startsWith("exchanges slow") ? Effect.never : Effect.void))
    const { coin } = yield* running(world)
    const callers = yield* Effect.forkChild(
      Effect.all([coin("dogecoin", "day", TODAY - 30 * DAY), coin("dogecoin", "day", TODAY - 30 * DAY)], {
        concurrency: "unbounded"
      })
    )
    yield* TestClock.adjust(10)
    assert.deepStrictEqual(yield* Fiber.join(callers), [true, true])
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin"), ["exchanges dogecoin 365"])
    assert.isTrue(yield* coin("dogecoin", "hour", TODAY - 30 * DAY))
    assert.isFalse(yield* coin("dogecoin", "hour", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin h"), ["exchanges dogecoin hours"])
    const slow = yield* Effect.forkChild(coin("slow", "day", TODAY - 30 * DAY))
    yield* TestClock.adjust("4999 millis")
    assert.isUndefined(slow.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.strictEqual((yield* Effect.flip(Fiber.join(slow)))._tag, "Unavailable")
  })

  rule("lets an answer that needs several coins wait 5 s in all", function* (world) {
    world.fails((call) => (call.startsWith("exchanges") ? Effect.never : Effect.void))
    const { coin } = yield* running(world)
    const one = (id: string) => Effect.result(coin(id, "day", TODAY - 30 * DAY))
    const answer = yield* Effect.forkChild(Patience.shared(Effect.forEach(["slow", "slower", "slowest"], one)))
    yield* TestClock.adjust("5 seconds")
    assert.isDefined(answer.pollUnsafe())
  })

  rule("fetches all days of a coin only for callers whose range begins before the last year", function* (world) {
    const { coin } = yield* running(world)
    yield* coin("dogecoin", "day", TODAY - 365 * DAY)
    assert.deepStrictEqual(world.asked("exchanges dogecoin"), ["exchanges dogecoin 365"])
    assert.isTrue(yield* coin("dogecoin", "day", TODAY - 366 * DAY))
    assert.deepStrictEqual(world.asked("exchanges dogecoin")[1], "exchanges dogecoin")
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 3000 * DAY))
  })

  rule("asks an aggregator for a caller while all exchanges of a coin fail", function* (world) {
    const { coin } = yield* running(world)
    world.lists((id) => id === "dogecoin")
    world.isPartial(() => unreachable("Binance"))
    yield* Effect.ignore(coin("dogecoin", "day", TODAY - 30 * DAY))
    assert.deepStrictEqual(world.asked("CoinGecko dogecoin"), ["CoinGecko dogecoin"])
    assert.isTrue(world.points.some(({ origin, series }) => series === "coin/dogecoin" && origin === "CoinGecko"))
  })

  rule("asks again, later and rarer, for what a source answered with nothing, after restarts too", function* (world) {
    let hasOlder = false
    const isOlder = (call: string) => call === "CoinGecko bitcoin hours"
    world.lists((id) => id === "bitcoin")
    world.hasNothing((call) => !hasOlder && isOlder(call))
    const times = () => world.calls.filter(([call]) => isOlder(call)).map(([, at]) => at / HOUR)
    const live = (hours: number) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { passing } = yield* running(world)
          const { all, done } = yield* passing("3 minutes")
          assert.isAtLeast(done, all - 1, "nothing is an answer too")
          for (let hour = 0; hour < hours; hour++) yield* TestClock.adjust("1 hour")
        })
      )
    yield* live(12)
    yield* live(60)
    const pauses = times().map((at, n) => at - (times()[n - 1] ?? 0))
    assert.isAtLeast(pauses.length, 6, times().join(" "))
    for (const [n, pause] of pauses.entries()) if (n > 1) assert.isAtLeast(pause + 0.1, pauses[n - 1] ?? 0)
    assert.isAbove(pauses.at(-1) ?? 0, 20)
    hasOlder = true
    // Without a process the clock leaps: an hour of one takes as long as days without.
    yield* Effect.andThen(TestClock.adjust("72 hours"), live(0))
    const asked = times().length
    assert.isNull(world.marks.get("hours/bitcoin")?.emptySince)
    yield* Effect.andThen(TestClock.adjust("48 hours"), live(0))
    assert.strictEqual(times().length, asked, "what is there is not asked for again")
  })

  rule("says which coins are callers', and fetches again what was dropped of them", function* (world) {
    const { coin, passing } = yield* running(world)
    yield* passing("1 minute")
    yield* coin("dogecoin", "day", TODAY - 30 * DAY)
    yield* coin("bitcoin", "day", TODAY - 30 * DAY)
    assert.deepStrictEqual(world.callers, ["dogecoin"], "a coin of the list is not a caller's")
    assert.isFalse(yield* coin("dogecoin", "day", TODAY - 30 * DAY))
    world.drops("recent/dogecoin")
    yield* coin("other", "day", TODAY - 30 * DAY)
    yield* coin("dogecoin", "day", TODAY - 30 * DAY)
    assert.strictEqual(world.asked("exchanges dogecoin").length, 2, "what was dropped is fetched again")
  })
})
