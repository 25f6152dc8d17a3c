// Which feeds are asked, when, and for what.
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { NewsFeeds, feedUrls } from "../../../src/sources/news/NewsFeeds.ts"
import {
  hasRecordings,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream,
  whileTimePasses,
  reasonOf
} from "../ScriptedUpstream.ts"
import { NOW, rss, withFeed, xml } from "./scriptedFeed.ts"
import { rule } from "../../rulesOf.ts"

const item = (n: number, more = "<pubDate>Thu, 24 Sep 2026 10:00:00 +0000</pubDate>"): string =>
  `<item><title>Story ${n}</title><link>https://news.example/${n}</link><guid>${n}</guid>${more}</item>`

const iso = (time: DateTime.Utc | null | undefined) =>
  time === null || time === undefined ? time : DateTime.formatIso(time)

describe("a feed", () => {
  rule("is asked again after five minutes, and then only for what has changed", function* () {
    const answers: Array<ScriptedAnswer> = [
      xml(rss(item(1)), { etag: 'W/"v1"', "last-modified": "Thu, 24 Sep 2026 11:00:00 GMT" }),
      { status: 304, body: "" },
      xml(rss(item(1), item(2)), { etag: '"v2"' })
    ]
    const { feed, requests } = yield* withFeed(() => answers.shift() ?? "reset")
    assert.strictEqual(Duration.toMinutes(feed.items.every), 5)
    const first = yield* feed.items.get
    assert.isUndefined(requests()[0]?.headers["if-none-match"])
    assert.match(requests()[0]?.headers["user-agent"] ?? "", /^Mozilla\/5\.0 \(compatible; crypto-data-api\//)
    yield* TestClock.adjust("5 minutes")
    const second = yield* feed.items.get
    assert.strictEqual(requests()[1]?.headers["if-none-match"], 'W/"v1"')
    assert.strictEqual(requests()[1]?.headers["if-modified-since"], "Thu, 24 Sep 2026 11:00:00 GMT")
    assert.deepStrictEqual(second.value, first.value)
    assert.strictEqual(iso(second.retrievedAt), "2026-09-24T12:05:00.000Z")
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual((yield* feed.items.get).value.length, 2)
    assert.strictEqual(requests()[2]?.headers["if-none-match"], 'W/"v1"')
  })

  rule("whose body could not be read is asked for in full again", function* () {
    const answers = [xml("<rss><channel>", { etag: '"broken"' }), xml(rss(item(1)))]
    const { feed, requests } = yield* withFeed(() => answers.shift() ?? "reset")
    yield* Effect.flip(feed.items.get)
    yield* TestClock.adjust("2 hours")
    assert.strictEqual((yield* feed.items.get).value.length, 1)
    assert.isUndefined(requests()[1]?.headers["if-none-match"])
  })

  rule("that says 304 to a question without validators has failed", function* () {
    const { feed } = yield* withFeed(() => ({ status: 304, body: "" }))
    assert.deepInclude(yield* reasonOf(feed.items.get), { _tag: "BadStatus", status: 304 })
  })

  rule("that fails takes nothing from another", function* () {
    yield* TestClock.setTime(NOW)
    const [well, ill] = [yield* scriptedUpstream(() => xml(rss(item(1)))), yield* scriptedUpstream(() => "reset")]
    const { feeds } = yield* Effect.provide(
      NewsFeeds,
      overHttp(NewsFeeds.layerNoDeps, { NEWS_FEEDS: `${ill.url}/a.xml, ${well.url}/b.xml` })
    )
    const outcomes = yield* whileTimePasses(
      Effect.forEach(feeds, (feed) => Effect.result(feed.items.get), { concurrency: "unbounded" })
    )
    assert.deepStrictEqual(
      outcomes.map(({ _tag }) => _tag),
      ["Failure", "Success"]
    )
  })

  rule("shares its host with others one request at a time", function* () {
    yield* TestClock.setTime(NOW)
    const upstream = yield* scriptedUpstream(() => "hang")
    const { feeds } = yield* Effect.provide(
      NewsFeeds,
      overHttp(NewsFeeds.layerNoDeps, { NEWS_FEEDS: [1, 2, 3].map((n) => `${upstream.url}/${n}.xml`).join(",") })
    )
    const all = Effect.forEach(feeds, (feed) => Effect.result(feed.items.get), { concurrency: "unbounded" })
    const fiber = yield* Effect.forkChild(all, { startImmediately: true })
    for (const count of [1, 2]) {
      const hasCome = { until: () => upstream.requests().length >= count }
      yield* TestClock.withLive(Effect.repeat(Effect.sleep("100 millis"), hasCome))
      assert.strictEqual(upstream.requests().length, count)
      yield* TestClock.adjust("10 seconds")
    }
    yield* TestClock.withLive(Effect.sleep("100 millis"))
    yield* TestClock.adjust("10 seconds")
    fiber.interruptUnsafe()
  })
})

describe("the feeds", () => {
  const urls = (settings: Readonly<Record<string, string>>) =>
    Effect.provide(feedUrls, ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))

  rule("are nine by default, and those of NEWS_FEEDS instead where it is set", function* () {
    assert.deepStrictEqual(yield* urls({}), [
      "https://www.theblock.co/rss.xml",
      "https://www.chainalysis.com/feed/",
      "https://bitcoinops.org/feed.xml",
      "https://bitcoincore.org/en/rss.xml",
      "https://www.getmonero.org/feed.xml",
      "https://www.web3isgoinggreat.com/feed.xml",
      "https://www.sec.gov/news/pressreleases.rss",
      "https://www.cftc.gov/RSS/RSSGP/rssgp.xml",
      "https://www.federalreserve.gov/feeds/press_all.xml"
    ])
    assert.deepStrictEqual(yield* urls({ NEWS_FEEDS: "https://a.example/f, https://b.example/,https://a.example/f" }), [
      "https://a.example/f",
      "https://b.example/"
    ])
  })

  rule("are http or https without credentials, or the settings are at fault", function* () {
    for (const bad of ["ftp://a.example/x", "a.example/feed", "https://u:p@a.example/f", "javascript:alert(1)"]) {
      const error = yield* Effect.flip(urls({ NEWS_FEEDS: `https://a.example/f,${bad}` }))
      assert.include(error.message, "http or https URLs without credentials")
    }
  })

  rule("are switched off one by one or all together", function* () {
    const feedsWith = (SOURCES_DISABLED: string) =>
      Effect.map(Effect.provide(NewsFeeds, overHttp(NewsFeeds.layerNoDeps, { SOURCES_DISABLED })), ({ feeds }) =>
        feeds.map(({ tier }) => tier)
      )
    assert.deepStrictEqual(yield* feedsWith("sec,the-block"), [
      "tier1",
      "primary",
      "primary",
      "primary",
      "tier2",
      "primary",
      "primary"
    ])
    assert.deepStrictEqual(yield* feedsWith("NEWS_FEEDS"), [])
  })
})

describe.skipIf(!hasRecordings)("recorded feeds (only where ../shared/samples is present)", () => {
  for (const [file, count] of [
    ["rss/coindesk.recorded-2026-09-24.xml", 2],
    ["rss/cointelegraph.recorded-2026-08-28.xml", 2],
    ["rss/google-news.shape.2026-09.xml", 1]
  ] as const) {
    rule(`are read: ${file}`, function* () {
      const { feed } = yield* withFeed(() => xml(recording(file)))
      yield* TestClock.setTime(Date.UTC(2026, 7, 28, 21))
      const { value } = yield* feed.items.get
      assert.isAtLeast(value.length, count)
      for (const { title, summary, url } of value) {
        assert.notMatch(`${title}${summary}`, /[<>]|&\w+;/)
        assert.notMatch(url, /utm_/)
      }
    })
  }
})
