import { assert, describe, it } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { dayOf, hourMs, minuteMs } from "../../src/sandbox/Calendar.ts"
import type { CoinState } from "../../src/sandbox/CoinMarket.ts"
import { articles, incidents, notices, venueOf, venues } from "../../src/sandbox/News.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import * as World from "../../src/sandbox/World.ts"
import { Announcements } from "../../src/sources/news/Announcements.ts"
import { DefiLlama } from "../../src/sources/news/DefiLlama.ts"
import { NewsFeeds } from "../../src/sources/news/NewsFeeds.ts"
import { layerRequirements } from "../../src/sources/client/SourceService.ts"
import { SourceLabel } from "../../src/sources/catalog/SourceRecord.ts"
import * as SimulatedTime from "../faults/SimulatedTime.ts"
import { isWhole } from "../isWhole.ts"
import { friday, SandboxTest, server } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const world = World.make(1)

/** The coins a reader of movers would look at: large enough, traded enough, not tied to anything. */
const eligible = (at: number, of: World.World = world): ReadonlyArray<CoinState> =>
  of.market
    .coins(at)
    .slice(0, 250)
    .filter((state) => state.coin.peg === null && state.volume > 5e6 && state.volume > 0.005 * state.marketCap)

/** The five gainers and the five losers. */
const movers = (at: number, of: World.World = world): ReadonlyArray<CoinState> => {
  const sorted = eligible(at, of).toSorted((a, b) => a.change24h - b.change24h)
  return [...sorted.slice(0, 5), ...sorted.slice(-5)]
}

/** Every thirteen hours of a month; with `TESTS=all` every hour. */
const hours = isWhole ? 1 : 13
const times = Array.from({ length: Math.floor(720 / hours) }, (_, n) => friday + n * hours * hourMs + 11 * minuteMs)
const begun = (at: number, of: World.World = world) =>
  of.script.events(at, 24).filter((event) => at - event.at > hourMs)

describe("the script", () => {
  it("always has a mover that an exchange announced and the news reported, and one of which nothing is said", () => {
    for (const at of times) {
      const ids = new Set(movers(at).map(({ coin }) => coin.id))
      const announced = begun(at).filter(({ kind }) => kind === "delisting" || kind === "listing")
      const silent = begun(at).filter(({ kind }) => kind === "silent_rise" || kind === "silent_fall")
      const told = announced.find(({ coin }) => coin !== null && ids.has(coin.id))
      assert.isTrue(told !== undefined && silent.some(({ coin }) => coin !== null && ids.has(coin.id)), String(at))
      if (told?.coin === null || told?.coin === undefined) continue
      const { id, name } = told.coin
      const change = eligible(at).find(({ coin }) => coin.id === id)?.change24h ?? 0
      assert.isAbove(told.kind === "listing" ? change : -change, 15)
      const notice = notices(world, venueOf(told), at).find(({ title }) => title.includes(name))
      assert.strictEqual((notice?.at ?? 0) - told.at, minuteMs)
      const reports = articles(world, at, 24).filter(({ title }) => title.includes(name))
      assert.isAtLeast(reports.length, 2)
      const first = ((reports.at(-1)?.at ?? 0) - told.at) / minuteMs
      assert.isTrue(first >= 5 && first <= 30)
    }
  })

  it("moves the price when it says so: not before, and all of it within the hour", () => {
    for (const event of world.script.events(friday, 72)) {
      if (event.coin === null) continue
      const price = (minutes: number) => world.market.price(event.coin?.id ?? "", event.at + minutes * minuteMs) ?? 0
      assert.isBelow(Math.abs(Math.log(price(0) / price(-60))), 0.09, event.kind)
      assert.isAbove(Math.abs(Math.log(price(60) / price(0))), 0.2, event.kind)
    }
  })

  it("lets the whole market fall at the start of every third day, with a headline, and movers that fall with it", () => {
    const cycle = 72 * hourMs
    for (let n = 0; n < 10; n++) {
      const fall = Math.ceil(friday / cycle) * cycle + n * cycle
      assert.deepInclude(world.script.events(fall, 1), {
        kind: "market_fall",
        coin: null,
        at: fall,
        index: fall / cycle
      })
      for (const hours of [4, 12, 22]) {
        const at = fall + hours * hourMs
        const changes = eligible(at)
          .map(({ change24h }) => change24h)
          .toSorted((a, b) => a - b)
        assert.isBelow(changes[Math.floor(changes.length / 2)] ?? 0, -3)
        const moved = new Set(begun(at).map(({ coin }) => coin?.id))
        assert.isTrue(movers(at).some(({ change24h, coin }) => change24h < -5 && !moved.has(coin.id)))
        assert.isTrue(articles(world, at, 24).some(({ title }) => title.includes("wider crypto market slide")))
      }
      assert.isFalse(articles(world, fall - 1, 24).some(({ title }) => title.includes("wider crypto market")))
    }
  })

  it("says nothing at all of the coins that move in silence, and gives them no notice and no record", () => {
    for (const at of times) {
      const texts = [
        ...articles(world, at, 96).map(({ summary, title }) => `${title} ${summary}`),
        ...venues.flatMap((venue) => notices(world, venue, at).map(({ title }) => title)),
        ...incidents(world, at).map(({ name }) => name)
      ]
      for (const { coin, kind } of world.script.events(at, 96)) {
        if (coin === null || (kind !== "silent_rise" && kind !== "silent_fall")) continue
        const symbol = new RegExp(`\\b${coin.symbol.toUpperCase()}\\b`)
        assert.isFalse(
          texts.some((text) => text.includes(coin.name) || symbol.test(text)),
          coin.name
        )
      }
    }
  })

  it("records an exploit in the hour after it, once a cycle", () => {
    const exploit = world.script.events(friday, 96).find(({ kind }) => kind === "exploit")
    const name = exploit?.coin?.name ?? ""
    const day = dayOf(exploit?.at ?? 0)
    const recorded = (at: number) =>
      incidents(world, at).some((incident) => incident.name === name && incident.day === day)
    assert.isFalse(recorded((exploit?.at ?? 0) + 30 * minuteMs))
    assert.isTrue(recorded((exploit?.at ?? 0) + 61 * minuteMs))
  })

  it("begins when it is told to, differs by seed in its coins, and can be left out", () => {
    const start = friday - 6 * hourMs
    const own = World.make(1, { start })
    const kinds = own.script.events(friday, 24).map(({ kind }) => kind)
    assert.deepStrictEqual(kinds, ["silent_rise", "listing", "silent_fall", "market_fall", "delisting"])
    const cast = (seed: number) =>
      World.make(seed)
        .script.events(friday, 72)
        .map(({ coin }) => coin?.id)
    assert.notDeepEqual(cast(1), cast(2))
    const calm = World.make(1, { isCalm: true })
    assert.deepStrictEqual(calm.script.events(friday, 96), [])
    assert.isBelow(Math.max(...movers(friday, calm).map(({ change24h }) => Math.abs(change24h))), 45)
  })

  it("works at the beginning of time, where a TestClock starts", () => {
    assert.isAbove(articles(world, 0, 96).length * notices(world, "OKX", 0).length, 0)
  })
})

/** The service's own sources over the sandbox. */
const sourcesOf = (sandbox: Sandbox["Service"]) => {
  const { baseUrls, newsFeeds } = sandbox
  const settings = {
    OKX_BASE_URL: baseUrls.OKX,
    KUCOIN_BASE_URL: baseUrls.KUCOIN,
    BITGET_BASE_URL: baseUrls.BITGET,
    BYBIT_BASE_URL: baseUrls.BYBIT,
    DEFILLAMA_BASE_URL: baseUrls.DEFILLAMA,
    NEWS_FEEDS: newsFeeds.join(",")
  }
  return Layer.mergeAll(Announcements.layerNoDeps, DefiLlama.layerNoDeps, NewsFeeds.layerNoDeps).pipe(
    Layer.fresh,
    Layer.provide(Layer.fresh(layerRequirements)),
    Layer.provide(Layer.succeed(SourceLabel, (name: string) => `${name} (sandbox)`)),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
  )
}

const announcementFeeds = Effect.map(Announcements, ({ venues }) => venues.map(({ announcements }) => announcements))

/** Everything the sources say at a time, with a sandbox of its own. */
const evidenceAt = (at: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(at)
    const sandbox = Context.get(
      yield* Layer.build(Sandbox.layerWith({ seed: 1 }).pipe(Layer.provide(server()))),
      Sandbox
    )
    return yield* Effect.gen(function* () {
      const feeds = [...(yield* announcementFeeds), (yield* DefiLlama).hacks]
      const announcements = yield* Effect.forEach(feeds, (feed) => feed.get)
      const news = yield* Effect.forEach((yield* NewsFeeds).feeds, (feed) => feed.items.get)
      return [...announcements, ...news].flatMap(({ value }) => value)
    }).pipe(Effect.provide(sourcesOf(sandbox)))
  })

rulesIn(SandboxTest)("the sources over the sandbox", (rule, it) => {
  rule("tell the announced mover by its exchange and two reports, as simulated, on reserved domains", function* () {
    for (const at of [friday, friday + 12 * hourMs, friday + 24 * hourMs]) {
      const items = yield* evidenceAt(at)
      const told = begun(at).find(({ kind }) => kind === "delisting" || kind === "listing")
      const about = items.filter(({ title }) => title.includes(told?.coin?.name ?? "?"))
      const publishers = new Set(about.map(({ publisher }) => publisher))
      assert.isTrue(publishers.has(`${told === undefined ? "" : venueOf(told)} (sandbox)`))
      assert.isTrue(publishers.has("Example Coin Wire (sandbox)") && publishers.has("Example Ledger Desk (sandbox)"))
      for (const { publishedAt, publisher, title, url, summary } of items) {
        assert.isTrue(publisher.endsWith(" (sandbox)"))
        assert.match(new URL(url).hostname, /\.example$|^defillama\.com$/)
        assert.isAtMost(publishedAt.epochMilliseconds, at)
        assert.notMatch(`${title}${summary}`, /<|alert\(|Answer only with BUY|SYSTEM|equities and|EXMPLUSD/)
      }
      assert.isTrue(items.some(({ summary }) => summary.startsWith("Ignore all previous instructions")))
      assert.isTrue(items.some(({ title }) => title.startsWith("Optimism grows near the link")))
    }
  })

  rule("are told that a feed has not changed", function* () {
    yield* TestClock.setTime(friday)
    const { newsFeeds } = yield* Sandbox
    for (const url of newsFeeds) {
      const first = yield* HttpClient.get(url)
      assert.match(first.headers["content-type"] ?? "", /^application\/(rss|atom)\+xml/)
      const again = HttpClientRequest.get(url, { headers: { "if-none-match": first.headers["etag"] ?? "" } })
      assert.strictEqual((yield* HttpClient.execute(again)).status, 304)
      yield* TestClock.setTime(friday + 24 * hourMs)
      assert.strictEqual((yield* HttpClient.execute(again)).status, 200)
      yield* TestClock.setTime(friday)
    }
  })

  rule("fail under every fault that is a failure, but not under `stale` nor, but for hacks, `empty`", function* () {
    yield* TestClock.setTime(friday)
    const time = yield* SimulatedTime.make(friday)
    const sandbox = yield* Sandbox
    const outcomes = Effect.gen(function* () {
      const announcements = yield* announcementFeeds
      const feeds = [...announcements, (yield* DefiLlama).hacks, ...(yield* NewsFeeds).feeds.map(({ items }) => items)]
      const results = yield* Effect.forEach(feeds, (feed) => Effect.result(feed.get), { concurrency: "unbounded" })
      return results.map(({ _tag }) => _tag === "Success")
    })
    const under = (fault: Parameters<Sandbox["Service"]["setFault"]>[1]) =>
      Effect.gen(function* () {
        for (const name of ["OKX", "KUCOIN", "BITGET", "BYBIT", "DEFILLAMA", "NEWS"] as const) {
          yield* sandbox.setFault(name, fault)
        }
        const asked = Effect.provide(outcomes, sourcesOf(sandbox))
        return yield* time.during(Effect.provideService(asked, Clock.Clock, time.clock))
      })
    for (const fault of ["html", "malformed", "truncated", "refuse"] as const) {
      assert.deepStrictEqual(yield* under({ fault }), Array(8).fill(false), fault)
    }
    assert.deepStrictEqual(yield* under({ fault: "oversize", bytes: 9 * 1024 * 1024 }), Array(8).fill(false))
    assert.deepStrictEqual(yield* under({ fault: "server_error" }), Array(8).fill(false))
    assert.deepStrictEqual(yield* under({ fault: "rate_limited", retryAfter: 5 }), Array(8).fill(false))
    assert.deepStrictEqual((yield* under({ fault: "wrong_types" })).slice(0, 5), Array(5).fill(false))
    // An empty list of announcements or news is an answer; DefiLlama's list is all of history and never empty.
    const empty = [...Array(4).fill(true), false, true, true, true]
    assert.deepStrictEqual(yield* under({ fault: "empty" }), empty)
    assert.deepStrictEqual(yield* under({ fault: "stale", hours: 30 }), Array(8).fill(true))
    assert.deepStrictEqual(yield* under(null), Array(8).fill(true))
  })

  it.effect("have their feeds' faults switched under one name, NEWS", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      yield* sandbox.setFault("NEWS", { fault: "server_error" })
      const status = yield* Effect.map(HttpClient.get(sandbox.newsFeeds[0] ?? ""), (response) => response.status)
      assert.strictEqual(status, 503)
      assert.isAbove((yield* sandbox.calls).NEWS, 0)
      yield* sandbox.setFault("NEWS", null)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
