// Where a feed may lead, and which addresses are ours.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { NewsFeeds } from "../../../src/sources/news/NewsFeeds.ts"
import { HostAddresses } from "../../../src/sources/news/NewsFeedsHttp.ts"
import { reachOf } from "../../../src/sources/news/publicHost.ts"
import { layerRequirements } from "../../../src/sources/client/SourceService.ts"
import {
  overHttp,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedUpstream,
  whileTimePasses,
  reasonOf
} from "../ScriptedUpstream.ts"
import { NOW, rss, withFeed, xml } from "./scriptedFeed.ts"
import { rule } from "../../rulesOf.ts"

const good =
  "<item><title>Good story</title><link>https://news.example/good</link><pubDate>Thu, 24 Sep 2026 10:00:00 GMT</pubDate></item>"

describe("a redirect", () => {
  const to = (location: string, status = 302): ScriptedAnswer => ({ status, headers: { location }, body: "moved" })
  const byPath =
    (answers: Readonly<Record<string, ScriptedAnswer>>) =>
    ({ url }: ScriptedRequest) =>
      answers[url] ?? { status: 404, body: "" }

  rule("is followed, three times, and the items' links are relative to where it led", function* () {
    const { feed, requests } = yield* withFeed(
      byPath({
        "/start": to("/a", 308),
        "/a": to("/b", 301),
        "/b": to("/c/feed", 307),
        "/c/feed": xml(rss(good.replace("https://news.example/good", "story")))
      })
    )
    const [item] = (yield* feed.items.get).value
    assert.match(item?.url ?? "", /^http:\/\/127\.0\.0\.1:\d+\/c\/story$/)
    assert.strictEqual(requests().length, 4)
  })

  rule("is not followed a fourth time", function* () {
    const { feed, requests } = yield* withFeed(byPath({ "/start": to("/start") }))
    assert.deepInclude(yield* reasonOf(feed.items.get), { detail: "more than 3 redirects" })
    assert.strictEqual(requests().length, 4)
  })

  rule("to link-local addresses, other schemes, credentials or nowhere is refused, even on loopback", function* () {
    const refused = [
      "http://169.254.169.254/latest/meta-data/",
      "http://[fe80::1]/",
      "http://[::ffff:169.254.169.254]/",
      "http://0.0.0.0:1/",
      "file:///etc/passwd",
      "ftp://127.0.0.1/x",
      "javascript:alert(1)",
      "http://a:b@127.0.0.1/",
      "http://",
      "http://2852039166/"
    ]
    for (const location of refused) {
      yield* Effect.flatMap(
        withFeed(() => to(location)),
        ({ feed, requests }) =>
          Effect.gen(function* () {
            const reason = yield* reasonOf(feed.items.get)
            assert.strictEqual(reason._tag, "Unusable", location)
            assert.notInclude(JSON.stringify(reason), "169")
            assert.strictEqual(requests().length, 1)
          })
      )
    }
  })

  rule("of a public feed never leads into our own network, by address or name, nor from https to http", function* () {
    const names: Readonly<Record<string, ReadonlyArray<string>>> = {
      "public.example": ["93.184.216.34"],
      "rebound.example": ["93.184.216.34", "10.0.0.7"],
      "inside.example": ["192.168.1.1"],
      localhost: ["127.0.0.1", "::1"]
    }
    const fetchVia = (location: string) => {
      const asked: Array<string> = []
      const http = HttpClient.make((request) =>
        Effect.sync(() => {
          asked.push(request.url)
          const response = request.url.endsWith("/start")
            ? new Response(null, { status: 302, headers: { location } })
            : new Response(rss(good), { headers: { "content-type": "text/xml" } })
          return HttpClientResponse.fromWeb(request, response)
        })
      )
      return Effect.gen(function* () {
        const [feed] = (yield* NewsFeeds).feeds
        if (feed === undefined) return yield* Effect.die("no feed")
        return { outcome: (yield* Effect.result(feed.items.get))._tag, asked: asked.length }
      }).pipe(
        Effect.provide(
          Layer.fresh(NewsFeeds.layerNoDeps).pipe(
            Layer.provide(Layer.succeed(HttpClient.HttpClient, http)),
            Layer.provide(Layer.fresh(layerRequirements)),
            Layer.provide(Layer.succeed(HostAddresses, (name) => Effect.succeed(names[name] ?? []))),
            Layer.provide(
              ConfigProvider.layer(ConfigProvider.fromUnknown({ NEWS_FEEDS: "https://feeds.example.org/start" }))
            )
          )
        )
      )
    }
    const addresses = "127.0.0.1 10.1.2.3 172.16.0.1 192.168.0.1 100.64.0.1 [::1] [fd00::1] [::ffff:127.0.0.1] 0x7f.1"
    const hosts = [...addresses.split(" "), "localhost", "inside.example", "rebound.example", "unknown.example"]
    const refused = ["http://public.example/", ...hosts.map((host) => `https://${host}/`)]
    for (const location of refused) {
      assert.deepStrictEqual(yield* fetchVia(location), { outcome: "Failure", asked: 1 }, location)
    }
    for (const location of ["https://public.example/feed", "/other", "https://93.184.216.34/"]) {
      assert.deepStrictEqual(yield* fetchVia(location), { outcome: "Success", asked: 2 }, location)
    }
  })

  /** A feed that redirects to `host` at the port of another upstream, with these answers of the DNS to the check. */
  const redirected = Effect.fnUntraced(function* (
    host: string,
    names: Readonly<Record<string, ReadonlyArray<string>>>,
    answer: ScriptedAnswer = xml(rss(good))
  ) {
    yield* TestClock.setTime(NOW)
    const second = yield* scriptedUpstream(() => answer)
    const first = yield* scriptedUpstream(() => to(`http://${host}:${new URL(second.url).port}/feed`))
    const outcome = yield* Effect.flatMap(NewsFeeds, ({ feeds: [feed] }) =>
      feed === undefined ? Effect.die("no feed") : whileTimePasses(Effect.result(feed.items.get))
    ).pipe(
      Effect.provide(
        overHttp(NewsFeeds.layerNoDeps, { NEWS_FEEDS: `${first.url}/start` }).pipe(
          Layer.provide(Layer.succeed(HostAddresses, (name) => Effect.succeed(names[name] ?? [])))
        )
      )
    )
    return { outcome, requests: second.requests() }
  })

  rule("to a host that answers with a status beyond 599 has failed", function* () {
    const names = { "feed.invalid": ["127.0.0.1"] }
    const { outcome, requests } = yield* redirected("feed.invalid", names, { status: 999, body: "" })
    assert.deepStrictEqual([outcome._tag, requests.length > 0], ["Failure", true])
  })

  rule("to another host is a connection to the addresses that were checked, under the host's own name", function* () {
    const { outcome, requests } = yield* redirected("feed.invalid", { "feed.invalid": ["127.0.0.1"] })
    assert.strictEqual(outcome._tag, "Success")
    const [request] = requests
    assert.match(request?.headers.host ?? "", /^feed\.invalid:\d+$/)
    assert.match(request?.headers["user-agent"] ?? "", /crypto-data-api/)
    assert.match(request?.headers.accept ?? "", /rss/)
  })

  rule("to a name that was public when checked and is ours when connecting reaches nothing of ours", function* () {
    // An address for documentation: nothing answers there.
    const { outcome, requests } = yield* redirected("localhost", { localhost: ["203.0.113.1"] })
    assert.strictEqual(outcome._tag, "Failure")
    assert.lengthOf(requests, 0)
  })

  it("knows the reach of every kind of address", () => {
    const reaches = {
      public: "8.8.8.8 1.1.1.1 2606:4700::1 [2606:4700::1]",
      own: "127.0.0.1 127.255.0.1 ::1 10.0.0.1 172.31.255.255 192.168.0.1 fd12::1 ::ffff:10.0.0.1",
      none:
        "169.254.169.254 fe80::1 0.0.0.0 :: 224.0.0.1 255.255.255.255 100.100.100.100 240.0.0.1 ff02::1 2002:7f00:1:: 64:ff9b::7f00:1 " +
        "198.18.0.1 192.0.0.8 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 198.51.100.1 203.0.113.1 " +
        "::ffff:192.0.0.8 2001:1::1 2001:20::1 2001:db8::1 2620:4f:8000::1 3fff::1 5f00::1 100::1 64:ff9b:1::1 x"
    }
    for (const [reach, addresses] of Object.entries(reaches)) {
      for (const address of addresses.split(" ")) assert.strictEqual(reachOf(address), reach, address)
    }
  })
})
