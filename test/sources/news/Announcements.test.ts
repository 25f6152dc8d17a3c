import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Announcements, isAboutCoins } from "../../../src/sources/news/Announcements.ts"
import {
  hasRecordings,
  json,
  recording,
  type ScriptedAnswer,
  reasonOf,
  scriptedSource,
  tagOf
} from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 30, 12)
const AT = Date.UTC(2026, 8, 30, 11, 0, 12, 658)

/** A venue's data set over an upstream that answers so. */
const venue = (id: string) => {
  const over = scriptedSource({ source: Announcements, setting: `${id}_BASE_URL`, at: NOW })
  return Effect.fnUntraced(function* (answer: (query: URLSearchParams) => ScriptedAnswer) {
    const { urls, venues } = yield* over(({ url }) => answer(new URL(url, "http://upstream").searchParams))
    const found = venues.find(({ source }) => source.id === id) ?? assert.fail(`no venue ${id}`)
    return { feed: found.announcements, urls }
  })
}

const okx = venue("OKX")
const kucoin = venue("KUCOIN")
const bitget = venue("BITGET")
const bybit = venue("BYBIT")

const okxRow = (title: string, more: object = {}) => ({
  annType: "announcements-new-listings",
  title,
  url: `https://www.okx.com/help/${encodeURIComponent(title)}`,
  pTime: String(AT),
  ...more
})

const okxPage = (...details: ReadonlyArray<unknown>) => json({ code: "0", msg: "", data: [{ totalPage: 1, details }] })

/** The titles of what a venue says, at a moment. */
const told = (announced: ReturnType<typeof venue>, answer: ScriptedAnswer, at = NOW) =>
  Effect.flatMap(
    announced(() => answer),
    ({ feed }) =>
      Effect.map(Effect.andThen(TestClock.setTime(at), feed.get), ({ value }) => value.map(({ title }) => title))
  )

const refusals = [
  [okx, { code: "50011", msg: "Too Many Requests", data: [] }, "50011"],
  [kucoin, { code: "400100", msg: "Invalid annType" }, "400100"],
  [bitget, { code: "40034", msg: "x", data: null }, "40034"],
  [bybit, { retCode: 10001, retMsg: "params error", result: {} }, "10001"]
] as const

rule("announcements that a venue refuses with status 200 have failed, with its code", function* () {
  for (const [announced, body, code] of refusals) {
    const { feed } = yield* announced(() => json(body))
    assert.deepInclude(yield* reasonOf(feed.get), { _tag: "Rejected", code })
  }
})

describe("OKX announcements", () => {
  rule("are both lists, every five minutes, as primary evidence with the exchange's own time", function* () {
    const { feed, urls } = yield* okx((query) =>
      query.get("annType") === "announcements-delistings"
        ? okxPage(okxRow("OKX to delist ICX and <b>STORJ</b>", { pTime: String(AT - 60_000) }))
        : okxPage(
            okxRow("OKX to list CT/USDT (Concrete) for spot trading", {
              url: "https://www.okx.com/help/ct?utm_source=x"
            })
          )
    )
    const { source, value } = yield* feed.get
    assert.strictEqual(source, "OKX")
    assert.strictEqual(Duration.toMinutes(feed.every), 5)
    assert.deepStrictEqual(urls(), [
      "/api/v5/support/announcements?annType=announcements-new-listings&page=1",
      "/api/v5/support/announcements?annType=announcements-delistings&page=1"
    ])
    const [first, second] = value
    assert.deepStrictEqual(
      { ...first, id: "", publishedAt: DateTime.formatIso(first?.publishedAt ?? DateTime.makeUnsafe(0)) },
      {
        id: "",
        type: "exchange_announcement",
        tier: "primary",
        title: "OKX to list CT/USDT (Concrete) for spot trading",
        summary: "",
        url: "https://www.okx.com/help/ct",
        publisher: "OKX",
        publishedAt: "2026-09-30T11:00:12.658Z",
        firstSeenAt: DateTime.makeUnsafe(NOW),
        precision: "instant"
      }
    )
    assert.match(first?.id ?? "", /^okx-[0-9a-f]{20}$/)
    assert.strictEqual(second?.title, "OKX to delist ICX and STORJ")
  })

  rule("are about coins: contracts on shares are left out", function* () {
    const { feed } = yield* okx(() =>
      okxPage(
        okxRow("OKX to list perpetual futures for PURRUSD and ONEUSD"),
        okxRow("OKX to list perpetual futures for TSLA, NVDA and HOOD equities"),
        okxRow("OKX to launch tokenized stocks"),
        okxRow("OKX to list perpetual futures for CTUSDT"),
        okxRow("OKX to list ONE/USDT (Harmony) for spot trading")
      )
    )
    assert.deepStrictEqual((yield* feed.get).value.map(({ title }) => title).toSorted(), [
      "OKX to list ONE/USDT (Harmony) for spot trading",
      "OKX to list perpetual futures for CTUSDT"
    ])
  })

  rule("have failed when one of the lists has: a list that failed is not a list without news", function* () {
    const { feed } = yield* okx((query) =>
      query.get("annType") === "announcements-delistings"
        ? { status: 403, body: "<html></html>" }
        : okxPage(okxRow("OKX to list A"))
    )
    assert.deepInclude(yield* reasonOf(feed.get), { _tag: "BadStatus", status: 403 })
  })

  rule("lose a bad row, not the list; without a good row they have failed; empty lists are an answer", function* () {
    const bad = [
      okxRow("No time", { pTime: "" }),
      okxRow("Seconds", { pTime: String(AT / 1000) }),
      okxRow("Beyond time", { pTime: "9".repeat(20) }),
      okxRow("", {}),
      { title: "No address", pTime: String(AT) },
      null,
      "row"
    ]
    const unsafe = [okxRow("Script", { url: "javascript:alert(1)" }), okxRow("<b></b>", {})]
    assert.deepStrictEqual(yield* told(okx, okxPage(...bad, ...unsafe, okxRow("Good"))), ["Good"])
    assert.deepStrictEqual(yield* told(okx, okxPage()), [])
    const others = [[], { code: 0 }, { code: "0", data: {} }, { code: "0", data: [{ details: {} }] }]
    for (const answer of [okxPage(...bad), ...others.map(json)]) {
      const { feed } = yield* okx(() => answer)
      assert.strictEqual(yield* tagOf(feed.get), "Undecodable")
    }
  })

  rule("dated ahead of our clock were published when we first saw them, and still are at the next poll", function* () {
    const { feed } = yield* okx(() => okxPage(okxRow("Ahead", { pTime: String(NOW + 3_600_000) })))
    const before = (yield* feed.get).value
    assert.strictEqual(before[0]?.publishedAt.epochMilliseconds, NOW)
    yield* TestClock.adjust("2 hours")
    assert.deepStrictEqual((yield* feed.get).value, before)
  })

  it.effect("older than 96 hours are not told", () =>
    Effect.map(told(okx, okxPage(okxRow("New"), okxRow("Old", { pTime: String(NOW - 97 * 3_600_000) }))), (found) =>
      assert.deepStrictEqual(found, ["New"])
    )
  )
})

describe("KuCoin announcements", () => {
  const row = (annId: number, annTitle: string) => ({
    annId,
    annTitle,
    annDesc: "<p>Trading &amp; deposits</p>",
    annType: ["latest-announcements"],
    cTime: AT,
    language: "en_US",
    annUrl: `https://www.kucoin.com/announcement/${annId}?lang=en_US`
  })
  const page = (...items: ReadonlyArray<unknown>) => json({ code: "200000", data: { totalNum: 1, items } })

  rule("are listings, delistings, and what the latest say of either, each once", function* () {
    const { feed, urls } = yield* kucoin((query) => {
      switch (query.get("annType")) {
        case "new-listings":
          return page(row(1, "Concrete (CT) Gets Listed on KuCoin!"))
        case "delistings":
          return page()
        default:
          return page(
            row(1, "Concrete (CT) Gets Listed on KuCoin!"),
            row(2, "KuCoin Will Delist the Dora (DORA) Project"),
            row(3, "KuCoin Earn: new products")
          )
      }
    })
    const { value } = yield* feed.get
    assert.deepStrictEqual(value.map(({ title }) => title).toSorted(), [
      "Concrete (CT) Gets Listed on KuCoin!",
      "KuCoin Will Delist the Dora (DORA) Project"
    ])
    assert.deepInclude(value[0], { summary: "Trading & deposits", publisher: "KuCoin", tier: "primary" })
    assert.strictEqual(value[0]?.publishedAt.epochMilliseconds, AT)
    assert.strictEqual(urls()[1], "/api/v3/announcements?annType=delistings&lang=en_US&pageSize=20&currentPage=1")
  })
})

describe("Bitget announcements", () => {
  const row = {
    annId: "2",
    annTitle: "Bitget to list Concrete (CT)",
    annDesc: "Latest",
    annType: "coin_listings",
    cTime: String(AT),
    language: "en_US",
    annUrl: "https://www.bitget.com/a/2"
  }

  rule("are asked for under the path as it is misspelt, with times as text", function* () {
    const { feed, urls } = yield* bitget((query) =>
      json({ code: "00000", data: query.get("annType") === "coin_listings" ? [row] : [] })
    )
    const [first] = (yield* feed.get).value
    assert.deepInclude(first, { title: "Bitget to list Concrete (CT)", publisher: "Bitget" })
    assert.strictEqual(first?.publishedAt.epochMilliseconds, AT)
    assert.deepStrictEqual(urls(), [
      "/api/v2/public/annoucements?language=en_US&annType=coin_listings",
      "/api/v2/public/annoucements?language=en_US&annType=symbol_delisting"
    ])
  })

  it.effect("are none where there is no data", () =>
    Effect.map(told(bitget, json({ code: "00000", data: null })), (found) => assert.deepStrictEqual(found, []))
  )
})

describe("Bybit announcements", () => {
  const row = (title: string, more: object = {}) => ({
    title,
    description: "Bybit is excited to announce the listing of ARB.",
    type: { title: "New Listings", key: "new_crypto" },
    tags: ["Spot", "Spot Listings"],
    url: `https://announcements.bybit.com/en-US/article/${encodeURIComponent(title)}/`,
    dateTimestamp: AT,
    startDateTimestamp: AT,
    endDateTimestamp: AT,
    ...more
  })
  const page = (...list: ReadonlyArray<unknown>) => json({ retCode: 0, retMsg: "OK", result: { total: 1, list } })

  rule("are told by when they were published, not by what their author wrote; labels tell shares apart", function* () {
    const { feed, urls } = yield* bybit((query) =>
      query.get("type") === "delistings"
        ? page()
        : page(
            row("New Listing: Arbitrum (ARB)", { publishTime: AT + 5_000 }),
            row("New contract: XYZUSDT", { tags: ["TradFi"] }),
            row("New Listing: Concrete (CT)", { tags: null, description: null })
          )
    )
    const { value } = yield* feed.get
    assert.deepStrictEqual(
      value.map(({ publishedAt, title }) => [title, publishedAt.epochMilliseconds - AT]),
      [
        ["New Listing: Arbitrum (ARB)", 5_000],
        ["New Listing: Concrete (CT)", 0]
      ]
    )
    assert.strictEqual(value[0]?.summary, "Bybit is excited to announce the listing of ARB.")
    assert.strictEqual(urls()[1], "/v5/announcements/index?locale=en-US&type=delistings&page=1&limit=20")
  })
})

describe("a notice", () => {
  it("is about coins unless title or labels speak of shares", () => {
    for (const title of [
      "OKX to list CT/USDT (Concrete) for spot trading",
      "Stacks (STX) upgrade: deposits suspended",
      "BTCUSDT perpetual futures: tick size",
      "Will list Livestock Token (COW)",
      "USD deposits open"
    ]) {
      assert.isTrue(isAboutCoins({ title }), title)
    }
    for (const title of ["xStocks launch", "Pre-IPO perpetuals", "Tokenised ETFs listed", "AAPLUSD contract"]) {
      assert.isFalse(isAboutCoins({ title }), title)
    }
  })
})

describe.skipIf(!hasRecordings)("recorded announcements (only where ../shared/samples is present)", () => {
  rule("are read", function* () {
    const recorded = (name: string) => json(JSON.parse(recording(`exchange-announcements/${name}`)))
    assert.deepStrictEqual(yield* told(okx, recorded("okx-announcements.2026-09.json"), 1_790_300_000_000), [
      "OKX to list CT/USDT (Concrete) for spot trading",
      "OKX to delist DORA, ICX, STORJ, ZEUS and ELF spot trading pairs"
    ])
    assert.deepStrictEqual(yield* told(bitget, recorded("bitget-announcements.rows.2026-10.json"), 1_791_025_200_000), [
      "Bitget announcement on resuming rMSTR - Morph withdrawals"
    ])
    assert.lengthOf(yield* told(bybit, recorded("bybit-announcements.docs.json"), 1_679_046_000_000), 1)
  })
})
