import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Context, DateTime, Duration, Effect, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { NewsFeeds, feedUrls } from "../../../src/sources/news/NewsFeeds.ts"
import { SourceLabel } from "../../../src/sources/catalog/SourceRecord.ts"
import {
  hasRecordings,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream,
  whileTimePasses,
  reasonOf
} from "../ScriptedUpstream.ts"
import { itemsOf, NOW, rss, withFeed, xml } from "./scriptedFeed.ts"
import { rule } from "../../rulesOf.ts"

const item = (n: number, more = "<pubDate>Thu, 24 Sep 2026 10:00:00 +0000</pubDate>"): string =>
  `<item><title>Story ${n}</title><link>https://news.example/${n}</link><guid>${n}</guid>${more}</item>`

const titles = (items: ReadonlyArray<{ readonly title: string }>) => items.map(({ title }) => title)

const iso = (time: DateTime.Utc | null | undefined) =>
  time === null || time === undefined ? time : DateTime.formatIso(time)

describe("a news item", () => {
  rule("is made of RSS 2.0: title, address, time, summary, publisher by the feed's own title", function* () {
    const [first, second] = yield* itemsOf(
      rss(
        `<item><title><![CDATA[Ether &amp; <b>Bitcoin</b> fall]]></title>
         <link><![CDATA[https://news.example/a?utm_source=rss&amp=1]]></link>
         <guid isPermaLink="false">088c8781</guid><pubDate>Thu, 24 Sep 2026 06:11:51 -0400</pubDate>
         <description>&lt;p&gt;Fees &amp;amp; volume.&lt;/p&gt;</description></item>`,
        `<item><title>No description</title><guid isPermaLink="true">https://news.example/b</guid>
         <pubDate>Thu, 24 Sep 2026 09:00:00 GMT</pubDate><description/></item>`
      )
    )
    assert.deepInclude(first, {
      type: "news",
      tier: "tier2",
      title: "Ether & Bitcoin fall",
      summary: "Fees & volume.",
      url: "https://news.example/a?amp=1",
      publisher: "Example Wire",
      precision: "instant"
    })
    assert.strictEqual(iso(first?.publishedAt), "2026-09-24T10:11:51.000Z")
    assert.strictEqual(iso(first?.firstSeenAt), "2026-09-24T12:00:00.000Z")
    assert.match(first?.id ?? "", /^news-[0-9a-f]{20}$/)
    assert.deepInclude(second, { title: "No description", summary: "", url: "https://news.example/b" })
  })

  rule("is made of Atom: the alternate link, relative to the feed, the published before the updated", function* () {
    const { feed, requests } = yield* withFeed(() =>
      xml(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Optech &amp;amp; friends</title><id>f</id>
          <entry><title type="html">A &amp;amp; &lt;i&gt;B&lt;/i&gt;</title><link rel="self" href="https://x.example/self"/>
          <link href="/en/a"/><id>tag:x,2026:1</id><updated>2026-09-24T11:00:00Z</updated>
          <published>2026-09-24T12:00:00+02:00</published>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">from <b>content</b></div></content></entry></feed>`)
    )
    const [entry] = (yield* feed.items.get).value
    assert.deepInclude(entry, {
      title: "A & B",
      url: `http://${requests()[0]?.headers.host}/en/a`,
      summary: "from content"
    })
    assert.strictEqual(entry?.publisher, "Optech & friends")
    assert.strictEqual(iso(entry?.publishedAt), "2026-09-24T10:00:00.000Z")
  })

  rule("is made of RSS 1.0 and of JSON Feed", function* () {
    const [rdf] = yield* itemsOf(
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="u"><title>C</title></channel><item rdf:about="https://news.example/1"><title>One</title>
      <link>https://news.example/1</link><dc:date>2026-09-24T08:00:00Z</dc:date><description>D</description></item></rdf:RDF>`
    )
    assert.deepInclude(rdf, { title: "One", summary: "D", publisher: "C" })
    const json = {
      version: "https://jsonfeed.org/version/1.1",
      title: "J",
      items: [
        {
          id: 1,
          url: "https://news.example/j",
          title: "Two",
          content_html: "<p>h<script>x</script></p>",
          date_published: "2026-09-24T08:00:00Z"
        },
        null,
        5,
        { id: {}, title: { a: 1 }, url: [] }
      ]
    }
    const items = yield* itemsOf(JSON.stringify(json))
    assert.strictEqual(items.length, 1)
    assert.deepInclude(items[0], { title: "Two", summary: "h", url: "https://news.example/j" })
  })

  rule("is the only one of a feed of one, and none of an empty feed, which is no failure", function* () {
    assert.deepStrictEqual(titles(yield* itemsOf(rss(item(1)))), ["Story 1"])
    assert.deepStrictEqual(yield* itemsOf(rss()), [])
  })

  rule("was published when we first saw it, where its date lies in the future, is missing, or is none", function* () {
    const items = yield* itemsOf(
      rss(
        item(1, "<pubDate>Thu, 24 Sep 2030 10:00:00 +0000</pubDate>"),
        item(2, ""),
        item(3, "<pubDate>article 12</pubDate>"),
        item(4, "<pubDate>2026-09-24T11:00:00</pubDate>"),
        item(5, "<pubDate>Thu, 24 Sep 2026 10:30</pubDate>"),
        item(6, "<pubDate>Thu, 24 Sep 2026 06:00:00 EDT</pubDate>")
      )
    )
    const times = new Map(items.map(({ publishedAt, title }) => [title, iso(publishedAt)?.slice(11, 16)]))
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6].map((n) => times.get(`Story ${n}`)),
      ["12:00", "12:00", "12:00", "11:00", "10:30", "10:00"]
    )
  })

  rule("keeps its id and the time it was first seen from poll to poll, also when it has no date", function* () {
    const { feed } = yield* withFeed(() => xml(rss(item(1, ""), item(2))))
    const before = (yield* feed.items.get).value
    yield* TestClock.adjust("6 minutes")
    const { retrievedAt, value } = yield* feed.items.get
    assert.deepStrictEqual(value, before)
    // The same objects: what was derived from one is kept with it.
    value.forEach((one, n) => assert.strictEqual(one, before[n]))
    assert.strictEqual(iso(retrievedAt), "2026-09-24T12:06:00.000Z")
  })

  rule("is kept for 96 hours after the feed has dropped it, and is not new when it stays listed", function* () {
    let polls = 0
    const { feed } = yield* withFeed(() => xml(rss(item(1, ""), ...(polls++ === 0 ? [item(2)] : []))))
    const told = Effect.map(feed.items.get, ({ value }) => titles(value))
    yield* told
    yield* TestClock.adjust("93 hours")
    assert.deepStrictEqual(yield* told, ["Story 1", "Story 2"])
    yield* TestClock.adjust("2 hours")
    assert.deepStrictEqual(yield* told, ["Story 1"])
    for (const later of ["2 hours", "200 hours"] as const) {
      yield* TestClock.adjust(later)
      assert.deepStrictEqual(yield* told, [])
    }
  })

  rule("was first seen by the process before this one, where what that held was saved", function* () {
    yield* TestClock.setTime(NOW)
    const store = Context.get(yield* Layer.build(KeyValueStore.layerMemory), KeyValueStore.KeyValueStore)
    let isDown = false
    const upstream = yield* scriptedUpstream(() => (isDown ? "reset" : xml(rss(item(1, "")))))
    const process = Effect.gen(function* () {
      const [feed] = (yield* NewsFeeds).feeds
      return feed === undefined ? yield* Effect.die("no feed") : yield* feed.items.get
    }).pipe(
      Effect.provide(
        overHttp(NewsFeeds.layerNoDeps.pipe(Layer.provide(Layer.succeed(KeyValueStore.KeyValueStore, store))), {
          NEWS_FEEDS: `${upstream.url}/${"long/".repeat(100)}rss.xml`
        })
      )
    )
    const first = yield* process
    isDown = true
    yield* TestClock.adjust("4 minutes")
    assert.deepStrictEqual((yield* process).value, first.value)
    isDown = false
    yield* TestClock.adjust("2 hours")
    const later = yield* process
    assert.notDeepEqual(later.retrievedAt, first.retrievedAt)
    assert.deepStrictEqual(later.value, first.value)
  })

  rule("is dropped when its guid or its page is there already, within a poll and between polls", function* () {
    const again = (guid: string, link: string) =>
      `<item><title>Again</title><link>${link}</link><guid isPermaLink="false">${guid}</guid><pubDate>Thu, 24 Sep 2026 11:00:00 GMT</pubDate></item>`
    const polls = [
      [item(1), again("1", "https://news.example/other"), again("x", "http://www.news.example/1/?utm_campaign=z#c")],
      [again("new-guid", "https://news.example/1")]
    ]
    const { feed } = yield* withFeed(() => xml(rss(...(polls.shift() ?? []))))
    const [first, ...others] = (yield* feed.items.get).value
    assert.deepStrictEqual([first?.title, others], ["Story 1", []])
    yield* TestClock.adjust("6 minutes")
    const { value } = yield* feed.items.get
    assert.deepStrictEqual([value.length, value[0]?.id], [1, first?.id])
  })

  rule("has its publisher's name marked in the sandbox", function* () {
    yield* TestClock.setTime(NOW)
    const upstream = yield* scriptedUpstream(() => xml(rss(item(1))))
    const marked = overHttp(
      NewsFeeds.layerNoDeps.pipe(Layer.provide(Layer.succeed(SourceLabel, (name) => `${name} (sandbox)`))),
      { NEWS_FEEDS: upstream.url }
    )
    const [feed] = (yield* Effect.provide(NewsFeeds, marked)).feeds
    const [story] = feed === undefined ? [] : (yield* feed.items.get).value
    assert.strictEqual(story?.publisher, "Example Wire (sandbox)")
  })
})

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
