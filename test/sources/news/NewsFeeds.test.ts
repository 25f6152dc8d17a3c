import { assert, describe } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { NewsFeeds } from "../../../src/sources/news/NewsFeeds.ts"
import { SourceLabel } from "../../../src/sources/catalog/SourceRecord.ts"
import { overHttp, scriptedUpstream } from "../ScriptedUpstream.ts"
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
