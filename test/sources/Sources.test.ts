import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer } from "effect"
import { inspect } from "node:util"
import { builtInMarkets } from "../../src/domain/P2pMarket.ts"
import { CoinGecko } from "../../src/sources/market/CoinGecko.ts"
import * as CoinGeckoPlan from "../../src/sources/market/CoinGeckoPlan.ts"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import {
  allSources,
  dataSetsOf,
  layerAllSources,
  layerWith,
  marketBooks,
  watchedIn
} from "../../src/sources/Sources.ts"
import { json, type ScriptedAnswer, scriptedUpstream, whileTimePasses } from "./ScriptedUpstream.ts"
import { rule } from "../rulesOf.ts"

const millisOf = (span: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(span))

/** Data sets whose budget is not that of the record. */
const ownBudget: ReadonlySet<string> = new Set(["p2p_configuration", "all_rates"])

const withSettings = (settings: Readonly<Record<string, string>>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

const namesOf = (settings: Readonly<Record<string, string>>) =>
  allSources.pipe(
    Effect.map((sources) =>
      sources.map(({ books, dataSets, source }): readonly [string, Array<string>] => [
        source.id,
        [...new Set([...books.map(({ name }) => name), ...Object.keys(dataSets)])]
      ])
    ),
    Effect.provide(layerAllSources),
    Effect.provide(withSettings(settings))
  )

describe("the sources", () => {
  rule("are those of the catalog, in its order, each with the data sets of its record", function* () {
    assert.deepStrictEqual(
      yield* namesOf({}),
      sourceCatalog.map(({ dataSets, id }): readonly [string, Array<string>] => [id, [...dataSets]])
    )
  })

  rule("have the feeds of the operator after them; the default feeds are then without a data set", function* () {
    const names = yield* namesOf({ NEWS_FEEDS: "https://a.example/feed,https://bitcoinops.org/feed.xml" })
    assert.deepStrictEqual(names.slice(sourceCatalog.length), [["NEWS_FEEDS", ["news"]]])
    assert.deepStrictEqual(
      names.filter(([, sets]) => sets.length === 0).map(([id]) => id),
      ["THE_BLOCK", "CHAINALYSIS", "BITCOIN_CORE", "MONERO", "WEB3_IS_GOING_GREAT", "SEC", "CFTC", "FEDERAL_RESERVE"]
    )
  })

  rule("give each data set a key of its own, also two of one bank and feeds of one operator", function* () {
    const settings = { NEWS_FEEDS: "https://a.example/feed,https://b.example/feed", P2P_MARKETS: "NGN,KES,ZAR" }
    const keys = (yield* Effect.provide(allSources, [layerAllSources, withSettings(settings)]))
      .flatMap(watchedIn)
      .flatMap(({ set }) => ("key" in set ? [set.key] : []))
    assert.isAbove(keys.length, 30)
    assert.strictEqual(new Set(keys).size, keys.length)
  })

  rule("have a book for each followed market in which they take part", function* () {
    const booksIn = (settings: Readonly<Record<string, string>>) =>
      marketBooks.pipe(
        Effect.map((books) => Object.groupBy(books, ({ fiat }) => fiat)),
        Effect.map((byFiat) =>
          Object.entries(byFiat).map(
            ([fiat, books = []]) => `${fiat}: ${books.map(({ source }) => source.id).join(" ")}`
          )
        ),
        Effect.provide(layerAllSources),
        Effect.provide(withSettings(settings))
      )
    const naira = "NGN: BYBIT_P2P BITGET_P2P QUIDAX LUNO"
    assert.deepStrictEqual((yield* booksIn({})).toSorted(), [
      "GHS: BYBIT_P2P BITGET_P2P BINANCE_P2P QUIDAX",
      "KES: BYBIT_P2P BITGET_P2P BINANCE_P2P",
      naira,
      "ZAR: BYBIT_P2P BITGET_P2P BINANCE_P2P LUNO VALR"
    ])
    assert.deepStrictEqual((yield* booksIn({ P2P_MARKETS: " ugx" })).toSorted(), [
      naira,
      "UGX: BYBIT_P2P BITGET_P2P BINANCE_P2P"
    ])
  })

  rule("that answer a question stand in the order of fallback", function* () {
    const sourcesOf = Effect.map(
      Effect.all([dataSetsOf("coins"), dataSetsOf("nfem", "all_rates", "official_rate"), dataSetsOf("fx")]),
      (questions) => questions.map((sets) => sets.map(({ source }) => source))
    )
    assert.deepStrictEqual(
      yield* sourcesOf.pipe(
        Effect.provide(layerWith("coins", "nfem", "all_rates", "official_rate", "fx")),
        Effect.provide(withSettings({}))
      ),
      [
        ["CoinGecko", "CoinPaprika"],
        ["CBN", "CBN", "CBN via Frankfurter"],
        ["Frankfurter", "currency-api"]
      ]
    )
  })
})

/** A P2P book takes a call for each side. */
const callsOf = (key: string) => (key.includes("p2p") ? 2 : 1)

/** All markets that can be followed. */
const everyMarket = { P2P_MARKETS: [...builtInMarkets.keys()].join(",") }

const plans: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  everyMarket,
  { COINGECKO_PLAN: "demo", COINGECKO_API_KEY: "key" },
  { COINGECKO_PLAN: "pro", COINGECKO_API_KEY: "key" }
]

describe("every budget", () => {
  it.effect.each(plans)("has room for the polls and the look-ups of its source, with %j", (settings) =>
    Effect.gen(function* () {
      const sources = yield* allSources
      const { hourlyPrices } = yield* CoinGecko
      const plan = yield* CoinGeckoPlan.make
      for (const source of sources) {
        const { allowances, id } = source.source
        const isCoinGecko = id === "COINGECKO"
        const sets = watchedIn(source).flatMap(({ name, set }) => (ownBudget.has(name) || !("key" in set) ? [] : [set]))
        const polled = isCoinGecko ? [...sets, hourlyPrices] : sets
        const inUse = isCoinGecko ? plan.allowances : allowances
        const [longest] = inUse.toSorted((a, b) => millisOf(b.per) - millisOf(a.per))
        assert.isDefined(longest, id)
        const polls = polled.reduce(
          (sum, { every, key }) => sum + (callsOf(String(key)) * millisOf(longest.per)) / millisOf(every),
          0
        )
        assert.isAtMost(polls + longest.onDemand, longest.calls, id)
        for (const { calls, onDemand } of inUse) assert.isTrue(onDemand < calls, `${id} has a call left for polls`)
      }
    }).pipe(Effect.provide([layerAllSources, CoinGecko.layer]), Effect.provide(withSettings(settings)))
  )
})

/** Answers in which no source finds what it asked for. Of a source that was told to pause, the next data set has no call left. */
const broken: ReadonlyArray<readonly [what: string, answer: ScriptedAnswer, reason: RegExp]> = [
  ["a page with status 200", { status: 200, body: "<!DOCTYPE html><p>Just a moment" }, /: Undecodable$/],
  ["prose with status 200", { status: 200, body: "Just a moment: limit your requests" }, /: Undecodable$/],
  ["a figure in place of what it asked for", json(1391.75), /: Undecodable$/],
  ["a refusal", { status: 403, body: "Just a moment" }, /: BadStatus$/],
  ["too many requests", { status: 429, body: "Just a moment" }, /: (RateLimited|OverBudget)$/]
]

describe("every data set of every source", () => {
  it.effect.each(broken)("has failed with %s, which it does not repeat", ([, answer, reason]) =>
    Effect.gen(function* () {
      const { url } = yield* scriptedUpstream(() => answer)
      const settings = Object.fromEntries(sourceCatalog.map(({ id }) => [`${id}_BASE_URL`, url]))
      const sources = yield* Effect.provide(
        allSources,
        Layer.fresh(Layer.provide(layerAllSources, withSettings({ ...settings, NEWS_FEEDS: `${url}/feed` })))
      )
      const watched = sources.flatMap((source) => watchedIn(source).map((one) => ({ ...one, id: source.source.id })))
      assert.isAbove(watched.length, 30)
      const failed = Effect.forEach(watched, ({ set }) => Effect.flip(Effect.asVoid(set.get)), {
        concurrency: "unbounded"
      })
      for (const [n, error] of (yield* whileTimePasses(failed)).entries()) {
        assert.match(`${watched[n]?.id} ${watched[n]?.name}: ${error.reason._tag}`, reason)
        assert.notInclude(inspect(error, { depth: 9 }), "Just a moment")
      }
    })
  )
})
