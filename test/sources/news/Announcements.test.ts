import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { EvidenceItem } from "../../../src/domain/Evidence.ts"
import { Announcements, isAboutCoins } from "../../../src/sources/news/Announcements.ts"
import type { DataSet } from "../../../src/sources/dataset/DataSet.ts"
import type { SourceError } from "../../../src/sources/client/SourceError.ts"
import {
  hasRecordings,
  json,
  overHttp,
  recording,
  type ScriptedAnswer,
  type ScriptedRequest,
  scriptedUpstream,
  whileTimePasses
} from "../ScriptedUpstream.ts"

const NOW = Date.UTC(2026, 8, 30, 12)
const AT = Date.UTC(2026, 8, 30, 11, 0, 12, 658)

type Answer = (query: URLSearchParams, request: ScriptedRequest) => ScriptedAnswer
type Announced = DataSet<ReadonlyArray<EvidenceItem>>

/** Runs `use` with a venue's data set over an upstream that answers so. */
const venue =
  (id: string) =>
  <B, E>(answer: Answer, use: (feed: Announced, urls: () => ReadonlyArray<string>) => Effect.Effect<B, E>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const upstream = yield* scriptedUpstream((request) =>
        answer(new URL(request.url, "http://upstream").searchParams, request)
      )
      const urls = () => upstream.requests().map(({ url }) => url)
      return yield* Effect.flatMap(Announcements, ({ venues }) => {
        const found = venues.find(({ source }) => source.id === id)
        return found === undefined ? Effect.die(new Error(`no venue ${id}`)) : use(found.announcements, urls)
      }).pipe(Effect.provide(overHttp(Announcements.layerNoDeps, { [`${id}_BASE_URL`]: upstream.url })))
    })

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

const reasonOf = <A>(effect: Effect.Effect<A, SourceError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => ({ ...reason }))

const titles = (feed: Announced) => Effect.map(feed.get, ({ value }) => value.map(({ title }) => title))

describe("OKX announcements", () => {
  it.effect("are both lists, every five minutes, as primary evidence with the exchange's own time", () =>
    okx(
      (query) =>
        query.get("annType") === "announcements-delistings"
          ? okxPage(okxRow("OKX to delist ICX and <b>STORJ</b>", { pTime: String(AT - 60_000) }))
          : okxPage(
              okxRow("OKX to list CT/USDT (Concrete) for spot trading", {
                url: "https://www.okx.com/help/ct?utm_source=x"
              })
            ),
      (feed, urls) =>
        Effect.gen(function* () {
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
    )
  )

  it.effect("are about coins: contracts on shares are left out", () =>
    okx(
      () =>
        okxPage(
          okxRow("OKX to list perpetual futures for PURRUSD and ONEUSD"),
          okxRow("OKX to list perpetual futures for TSLA, NVDA and HOOD equities"),
          okxRow("OKX to launch tokenized stocks"),
          okxRow("OKX to list perpetual futures for CTUSDT"),
          okxRow("OKX to list ONE/USDT (Harmony) for spot trading")
        ),
      (feed) =>
        Effect.gen(function* () {
          assert.deepStrictEqual((yield* titles(feed)).toSorted(), [
            "OKX to list ONE/USDT (Harmony) for spot trading",
            "OKX to list perpetual futures for CTUSDT"
          ])
        })
    )
  )

  it.effect("that OKX refuses with status 200 have failed", () =>
    okx(
      () => json({ code: "50011", msg: "Too Many Requests", data: [] }),
      (feed) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* reasonOf(feed.get), { _tag: "Rejected", code: "50011" })
        })
    )
  )

  it.effect("have failed when one of the lists has: a list that failed is not a list without news", () =>
    okx(
      (query) =>
        query.get("annType") === "announcements-delistings"
          ? { status: 403, body: "<html></html>" }
          : okxPage(okxRow("OKX to list A")),
      (feed) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* reasonOf(feed.get), { _tag: "BadStatus", status: 403 })
        })
    )
  )

  it.effect("lose a bad row, not the list; without any good row they have failed, and empty lists are an answer", () =>
    Effect.gen(function* () {
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
      yield* okx(
        () => okxPage(...bad, ...unsafe, okxRow("Good")),
        (feed) => Effect.map(titles(feed), (found) => assert.deepStrictEqual(found, ["Good"]))
      )
      const failure = (...rows: ReadonlyArray<unknown>) =>
        okx(
          () => okxPage(...rows),
          (feed) => reasonOf(feed.get)
        )
      assert.strictEqual((yield* failure(...bad))._tag, "Undecodable")
      yield* okx(
        () => okxPage(),
        (feed) => Effect.map(titles(feed), (found) => assert.deepStrictEqual(found, []))
      )
      for (const body of [[], { code: 0 }, { code: "0", data: {} }, { code: "0", data: [{ details: {} }] }]) {
        const reason = yield* okx(
          () => json(body),
          (feed) => reasonOf(feed.get)
        )
        assert.strictEqual(reason._tag, "Undecodable")
      }
      const html = yield* okx(
        () => ({ status: 200, body: "<!DOCTYPE html>" }),
        (feed) => reasonOf(feed.get)
      )
      assert.strictEqual(html._tag, "Undecodable")
    })
  )

  it.effect("dated ahead of our clock were published when we first saw them, and still are at the next poll", () =>
    okx(
      () => okxPage(okxRow("Ahead", { pTime: String(NOW + 3_600_000) })),
      (feed) =>
        Effect.gen(function* () {
          const before = (yield* feed.get).value
          assert.strictEqual(before[0]?.publishedAt.epochMilliseconds, NOW)
          yield* TestClock.adjust("2 hours")
          assert.deepStrictEqual((yield* feed.get).value, before)
        })
    )
  )

  it.effect("older than 96 hours are not told", () =>
    okx(
      () => okxPage(okxRow("New"), okxRow("Old", { pTime: String(NOW - 97 * 3_600_000) })),
      (feed) => Effect.map(titles(feed), (found) => assert.deepStrictEqual(found, ["New"]))
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

  it.effect("are listings, delistings, and what the latest say of either, each once", () =>
    kucoin(
      (query) => {
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
      },
      (feed, urls) =>
        Effect.gen(function* () {
          const { value } = yield* feed.get
          assert.deepStrictEqual(value.map(({ title }) => title).toSorted(), [
            "Concrete (CT) Gets Listed on KuCoin!",
            "KuCoin Will Delist the Dora (DORA) Project"
          ])
          assert.deepInclude(value[0], { summary: "Trading & deposits", publisher: "KuCoin", tier: "primary" })
          assert.strictEqual(value[0]?.publishedAt.epochMilliseconds, AT)
          assert.strictEqual(urls()[1], "/api/v3/announcements?annType=delistings&lang=en_US&pageSize=20&currentPage=1")
        })
    )
  )

  it.effect("that KuCoin refuses with status 200 have failed", () =>
    kucoin(
      () => json({ code: "400100", msg: "Invalid annType" }),
      (feed) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* reasonOf(feed.get), { _tag: "Rejected", code: "400100" })
        })
    )
  )
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

  it.effect("are asked for under the path as it is misspelt, with times as text", () =>
    bitget(
      (query) => json({ code: "00000", data: query.get("annType") === "coin_listings" ? [row] : [] }),
      (feed, urls) =>
        Effect.gen(function* () {
          const [first] = (yield* feed.get).value
          assert.deepInclude(first, { title: "Bitget to list Concrete (CT)", publisher: "Bitget" })
          assert.strictEqual(first?.publishedAt.epochMilliseconds, AT)
          assert.deepStrictEqual(urls(), [
            "/api/v2/public/annoucements?language=en_US&annType=coin_listings",
            "/api/v2/public/annoucements?language=en_US&annType=symbol_delisting"
          ])
        })
    )
  )

  it.effect("that Bitget refuses with status 200 have failed; no data is an empty list", () =>
    Effect.gen(function* () {
      const failure = (body: unknown) =>
        bitget(
          () => json(body),
          (feed) => reasonOf(feed.get)
        )
      assert.deepInclude(yield* failure({ code: "40034", msg: "x", data: null }), { _tag: "Rejected", code: "40034" })
      yield* bitget(
        () => json({ code: "00000", data: null }),
        (feed) => Effect.map(titles(feed), (found) => assert.deepStrictEqual(found, []))
      )
    })
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

  it.effect("are told by when they were published, not by what their author wrote; labels tell shares apart", () =>
    bybit(
      (query) =>
        query.get("type") === "delistings"
          ? page()
          : page(
              row("New Listing: Arbitrum (ARB)", { publishTime: AT + 5_000 }),
              row("New contract: XYZUSDT", { tags: ["TradFi"] }),
              row("New Listing: Concrete (CT)", { tags: null, description: null })
            ),
      (feed, urls) =>
        Effect.gen(function* () {
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
    )
  )

  it.effect("that Bybit refuses with status 200 have failed", () =>
    bybit(
      () => json({ retCode: 10001, retMsg: "params error", result: {} }),
      (feed) =>
        Effect.gen(function* () {
          assert.deepInclude(yield* reasonOf(feed.get), { _tag: "Rejected", code: "10001" })
        })
    )
  )

  it.effect("rest after three failures in a row, whatever lists there are", () =>
    bybit(
      () => ({ status: 403, body: "" }),
      (feed, urls) =>
        Effect.gen(function* () {
          for (let n = 0; n < 3; n++) assert.strictEqual((yield* reasonOf(feed.get))._tag, "BadStatus")
          assert.strictEqual((yield* whileTimePasses(reasonOf(feed.get)))._tag, "Suspended")
          assert.strictEqual(urls().length, 3)
        })
    )
  )
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
  it.effect("are read", () =>
    Effect.gen(function* () {
      const recorded =
        (name: string): Answer =>
        () =>
          json(JSON.parse(recording(`exchange-announcements/${name}`)))
      const read = (feed: Announced, at: number) => Effect.andThen(TestClock.setTime(at), titles(feed))
      assert.deepStrictEqual(
        yield* okx(recorded("okx-announcements.2026-09.json"), (feed) => read(feed, 1_790_300_000_000)),
        [
          "OKX to list CT/USDT (Concrete) for spot trading",
          "OKX to delist DORA, ICX, STORJ, ZEUS and ELF spot trading pairs"
        ]
      )
      assert.deepStrictEqual(
        yield* bitget(recorded("bitget-announcements.rows.2026-10.json"), (feed) => read(feed, 1_791_025_200_000)),
        ["Bitget announcement on resuming rMSTR - Morph withdrawals"]
      )
      assert.deepStrictEqual(
        (yield* bybit(recorded("bybit-announcements.docs.json"), (feed) => read(feed, 1_679_046_000_000))).length,
        1
      )
    })
  )
})
