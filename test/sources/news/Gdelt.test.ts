import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Gdelt } from "../../../src/sources/news/Gdelt.ts"
import { Replicas, type ReplicasService } from "../../../src/sources/dataset/Replicas.ts"
import {
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  scriptedUpstream,
  whileTimePasses,
  reasonOf,
  scriptedSource
} from "../ScriptedUpstream.ts"
import { sharedQuestions } from "../dataset/scriptedLookups.ts"
import { rulesOf } from "../../rulesOf.ts"

const rule = rulesOf(it, Effect.void)

const NOW = Date.UTC(2026, 5, 1, 12, 30)

const article = (title: string, more: object = {}) => ({
  url: `https://news.example.com/${encodeURIComponent(title)}`,
  url_mobile: "",
  title,
  seendate: "20260601T120000Z",
  socialimage: "",
  domain: "news.example.com",
  language: "English",
  sourcecountry: "United States",
  ...more
})

const articles = (...list: ReadonlyArray<unknown>) => json({ articles: list })

const gdelt = scriptedSource({ source: Gdelt, setting: "GDELT_BASE_URL", at: NOW })

describe("a search of GDELT", () => {
  rule("asks for the name as a phrase, in English, over a day", function* () {
    const { search, urls } = yield* gdelt(() => articles(article("Chainlink rises")))
    assert.strictEqual((yield* search("Chainlink")).source, "GDELT Project")
    const { pathname, searchParams } = new URL(urls()[0] ?? "", "http://gdelt")
    assert.strictEqual(pathname, "/api/v2/doc/doc")
    assert.deepStrictEqual(Object.fromEntries(searchParams), {
      query: '"Chainlink" (crypto OR cryptocurrency OR token OR blockchain) sourcelang:english',
      mode: "artlist",
      format: "json",
      maxrecords: "75",
      timespan: "24h",
      sort: "datedesc"
    })
  })

  it.effect("gives an article the name, kind and tier that the table of publishers has for its domain", () =>
    Effect.flatMap(
      gdelt(() =>
        articles(
          article("Ether one", { url: "https://www.reuters.com/markets/1" }),
          article("Ether two", { url: "https://coinpedia.org/news/2" }),
          article("Ether three", { url: "https://nobody.example/3" })
        )
      ),
      ({ search }) =>
        Effect.map(search("Ether"), ({ value }) =>
          assert.deepStrictEqual(value.map(({ publisher, tier, type }) => [publisher, tier, type]).toSorted(), [
            ["Coinpedia", "tier3", "news"],
            ["Reuters", "tier1", "news"],
            ["nobody.example", "tier2", "news"]
          ])
        )
    )
  )

  rule("gives articles whose title has the name as words of its own, tidied, by crawl time", function* () {
    const { search } = yield* gdelt(() =>
      articles(
        article("Ether ( ETH ) falls 5 % , analysts say : what now ?", { seendate: "20260601T110000Z" }),
        article("ETHER&#8217;s <b>day</b>"),
        article("Tether reserves grow"),
        article("Whether to buy"),
        article("Something else"),
        article("Ether again", { seendate: "20990101T000000Z", url: "https://www.sec.gov/x?utm_source=g" })
      )
    )
    const { value } = yield* search("Ether")
    assert.deepStrictEqual(
      value.map(({ publishedAt, publisher, tier, title, type }) => [
        title,
        publisher,
        tier,
        type,
        DateTime.formatIso(publishedAt).slice(11, 16)
      ]),
      [
        ["Ether again", "SEC", "primary", "regulator", "12:30"],
        ["ETHER’s day", "example.com", "tier2", "news", "12:00"],
        ["Ether (ETH) falls 5%, analysts say: what now?", "example.com", "tier2", "news", "11:00"]
      ]
    )
    assert.strictEqual(value[0]?.url, "https://www.sec.gov/x")
    assert.match(value[0]?.id ?? "", /^gdelt-[0-9a-f]{20}$/)
  })

  rule("without hits is an empty answer, with or without a list", function* () {
    for (const body of [{}, { articles: [] }]) {
      const found = Effect.flatMap(
        gdelt(() => json(body)),
        ({ search }) => search("Chainlink")
      )
      assert.deepStrictEqual((yield* found).value, [])
    }
  })

  it.effect(
    "has failed on anything that is not its JSON, status 200 or not, and says nothing of there being no news",
    () =>
      Effect.gen(function* () {
        const prose = "Please limit requests to one every 5 seconds or contact us for larger queries."
        const failures: ReadonlyArray<readonly [ScriptedAnswer, string]> = [
          [{ status: 200, headers: { "content-type": "application/json" }, body: prose }, "Undecodable"],
          [{ status: 200, body: "<html>The specified phrase is too short.</html>" }, "Undecodable"],
          [{ status: 200, body: "" }, "Undecodable"],
          [json([]), "Undecodable"],
          [articles({ url: 1 }, "x"), "Undecodable"],
          [{ status: 429, body: prose }, "RateLimited"],
          [{ status: 503, body: "" }, "BadStatus"],
          ["reset", "Unreachable"],
          ["hang", "TimedOut"]
        ]
        for (const [answer, tag] of failures) {
          const reason = yield* Effect.flatMap(
            gdelt(() => answer),
            ({ search, urls }) =>
              Effect.gen(function* () {
                const failed = yield* whileTimePasses(reasonOf(search("Chainlink")))
                assert.strictEqual(urls().length, 1)
                return failed
              })
          )
          assert.strictEqual(reason._tag, tag)
        }
      })
  )

  rule("is made once in 15 minutes for a name, and first sight is remembered", function* () {
    const { search, urls } = yield* gdelt(() => articles(article("Chainlink rises")))
    const [first] = yield* Effect.all([search("Chainlink"), search("Chainlink"), search(' "Chainlink" ')], {
      concurrency: "unbounded"
    })
    yield* TestClock.adjust("14 minutes")
    assert.strictEqual(yield* search("Chainlink"), first)
    assert.strictEqual(urls().length, 1)
    yield* TestClock.adjust("2 minutes")
    const again = yield* search("Chainlink")
    assert.strictEqual(urls().length, 2)
    assert.deepStrictEqual(again.value, first.value)
  })

  rule("waits for its turn: one call in five seconds, failures included", function* () {
    const { search, urls } = yield* gdelt(() => articles())
    const fiber = yield* Effect.forkChild(
      Effect.forEach(["Chainlink", "Filecoin", "Algorand"], search, { concurrency: "unbounded" }),
      { startImmediately: true }
    )
    const seen: Array<number> = []
    for (let n = 0; n < 3; n++) {
      yield* TestClock.withLive(Effect.repeat(Effect.sleep("60 millis"), { until: () => urls().length > n }))
      seen.push(urls().length)
      yield* TestClock.adjust("5 seconds")
    }
    assert.deepStrictEqual(seen, [1, 2, 3])
    yield* Fiber.join(fiber)
  })

  rule("after a failure is not made again for a minute, and rests after three", function* () {
    const { search, urls } = yield* gdelt(() => ({ status: 200, body: "prose" }))
    for (let n = 0; n < 3; n++) yield* Effect.flip(search("Chainlink"))
    assert.strictEqual(urls().length, 1)
    yield* TestClock.adjust("61 seconds")
    yield* Effect.flip(search("Chainlink"))
    assert.strictEqual(urls().length, 2)
    yield* whileTimePasses(Effect.flip(search("Filecoin")))
    assert.strictEqual((yield* reasonOf(search("Algorand")))._tag, "Suspended")
    assert.strictEqual(urls().length, 3)
    // It was not made, so it need not wait for a minute.
    yield* TestClock.adjust("31 seconds")
    yield* whileTimePasses(Effect.flip(search("Algorand")))
    assert.strictEqual(urls().length, 4)
  })

  rule("for a name too short, too long or of signs only is not made", function* () {
    const { search, urls } = yield* gdelt(() => articles())
    for (const name of ["", "M", "0x", '"":()', "x".repeat(100)]) {
      assert.strictEqual((yield* reasonOf(search(name)))._tag, "Unusable")
    }
    assert.strictEqual(urls().length, 0)
    yield* search('Pump.fun") OR (domain:evil.example')
    assert.include(
      decodeURIComponent(urls()[0]?.replaceAll("+", " ") ?? ""),
      '"Pump.fun OR domain evil.example" (crypto'
    )
  })
})

describe.skipIf(!hasRecordings)("recorded GDELT answers (only where ../shared/samples is present)", () => {
  rule("are read, and the throttle's prose is a failure", function* () {
    const read = (file: string) =>
      Effect.flatMap(
        gdelt(() => ({ status: 200, body: recording(`gdelt/${file}`) })),
        ({ search }) => Effect.result(search("Company"))
      )
    const found = yield* read("doc-artlist.shape.json")
    assert.deepStrictEqual(found._tag === "Success" ? found.success.value.map(({ title }) => title) : [], [
      "Company Under Investigation"
    ])
    assert.strictEqual((yield* read("throttle-body.txt"))._tag, "Failure")
  })

  it.effect("has a status like any data set (never asked, last success, last failure) that all processes share", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      let isDown = false
      const upstream = yield* scriptedUpstream(() =>
        isDown ? json({ articles: 7 }) : articles(article("Chainlink rises"))
      )
      const reactions: Array<Effect.Effect<unknown>> = []
      const replica: ReplicasService = {
        ...sharedQuestions().replica(),
        onChange: (_name, react) => Effect.sync(() => void reactions.push(react))
      }
      const one = Effect.map(
        Layer.build(Layer.fresh(overHttp(Gdelt.layerNoDeps, { GDELT_BASE_URL: upstream.url }))),
        (context) => Context.get(context, Gdelt)
      ).pipe(Effect.provideService(Replicas, replica))
      const [asking, watching] = yield* Effect.all([one, one])
      const told = (gdelt: Gdelt["Service"]) =>
        Effect.map(gdelt.searches.status, ({ failed, held }) => [held?.retrievedAt.epochMilliseconds, failed?.reason])
      assert.deepStrictEqual(yield* told(asking), [undefined, undefined])
      yield* whileTimePasses(asking.search("Chainlink"))
      yield* Effect.all(reactions)
      const [at] = yield* told(asking)
      assert.isDefined(at)
      assert.deepStrictEqual(yield* told(watching), [at, undefined])
      isDown = true
      yield* TestClock.adjust("10 seconds")
      yield* Effect.flip(whileTimePasses(asking.search("Dogecoin")))
      assert.deepStrictEqual(yield* told(asking), [at, "Undecodable"])
    }).pipe(Effect.scoped, Effect.provide(KeyValueStore.layerMemory))
  )
})
