import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { sourceCatalog } from "../../src/sources/catalog/SourceCatalog.ts"
import { allSources, dataSetsOf, layerAllSources, layerWith, marketBooks } from "../../src/sources/Sources.ts"

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
  it.effect("are those of the catalog, in its order, each with the data sets of its record", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* namesOf({}),
        sourceCatalog.map(({ dataSets, id }): readonly [string, Array<string>] => [id, [...dataSets]])
      )
    })
  )

  it.effect("have the feeds of the operator after them; the default feeds are then without a data set", () =>
    Effect.gen(function* () {
      const names = yield* namesOf({ NEWS_FEEDS: "https://a.example/feed,https://bitcoinops.org/feed.xml" })
      assert.deepStrictEqual(names.slice(sourceCatalog.length), [["NEWS_FEEDS", ["news"]]])
      assert.deepStrictEqual(
        names.filter(([, sets]) => sets.length === 0).map(([id]) => id),
        ["THE_BLOCK", "CHAINALYSIS", "BITCOIN_CORE", "MONERO", "WEB3_IS_GOING_GREAT", "SEC", "CFTC", "FEDERAL_RESERVE"]
      )
    })
  )

  it.effect("have a book for each followed market in which they take part", () =>
    Effect.gen(function* () {
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
  )

  it.effect("that answer a question stand in the order of fallback", () =>
    Effect.gen(function* () {
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
          ["CoinGecko", "CoinPaprika", "CoinLore"],
          ["CBN", "CBN", "CBN via Frankfurter"],
          ["Frankfurter", "currency-api"]
        ]
      )
    })
  )
})
