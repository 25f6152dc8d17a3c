// CoinLore: the 300 largest coins in three pages, and the global figures, without a key; it asks for one call a second.
// Nearly every number is text, some in scientific notation, and blanks are unknown. A page has one time for all its
// rows, the global figures have none. The ids are its own numbers: only rows that the registry can join to CoinGecko's
// are kept.
import { Array, type Config, Context, DateTime, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { byMarketCap, Coin } from "../../domain/Coin.ts"
import * as CoinRegistry from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Undecodable, Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "COINLORE",
  name: "CoinLore",
  baseUrl: "https://api.coinlore.net/api",
  attribution: "Data provided by CoinLore",
  link: "https://www.coinlore.com",
  licence: "no licence found; a free public API without a key",
  redistribution: "unclear"
}

/** Rows on one page: the API's maximum. */
const PAGE_SIZE = 100

const PAGES = [0, 1, 2]

const Blankable = Schema.optionalKey(WireFormat.BlankableDecimal)

const TickerRow = Schema.Struct({
  id: Schema.NonEmptyString,
  symbol: Schema.String,
  name: Schema.String,
  rank: Blankable,
  price_usd: Blankable,
  percent_change_1h: Blankable,
  percent_change_24h: Blankable,
  percent_change_7d: Blankable,
  market_cap_usd: Blankable,
  // A number here, text in the look-up of single coins.
  volume24: Blankable,
  csupply: Blankable,
  tsupply: Blankable,
  msupply: Blankable
})

const TickersBody = Schema.Struct({
  data: WireFormat.Rows,
  // Seconds; a number in the size of milliseconds is no time of ours.
  info: Schema.Struct({ time: WireFormat.EpochSeconds })
})

const GlobalRow = Schema.Struct({
  coins_count: Blankable,
  total_mcap: WireFormat.Decimal,
  total_volume: Blankable,
  btc_d: Blankable,
  eth_d: Blankable,
  mcap_change: Blankable
})

/** CoinLore, the last source of coins, prices and global figures. */
export class CoinLore extends Context.Service<
  CoinLore,
  {
    /** Those of its 300 largest coins that the registry knows, by market cap; id, symbol and name are CoinGecko's. */
    readonly list: DataSet.DataSet<ReadonlyArray<Coin>>
    /** Without a time of its own: as of when it was retrieved. */
    readonly global: DataSet.DataSet<GlobalMarket>
  }
>()("crypto-data-api/sources/market/CoinLore") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<CoinLore, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    CoinLore,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances: [{ calls: 1, per: "1 second" }] })

      const page = Effect.fn("CoinLore.page")(function* (n: number) {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/tickers/", { urlParams: { start: n * PAGE_SIZE, limit: PAGE_SIZE } }),
          TickersBody
        )
        const { bad, good } = WireFormat.rows(TickerRow, body.data)
        yield* WireFormat.reportBad(client.name, "coins", bad)
        const updated = DateTime.min(DateTime.makeUnsafe(body.info.time * 1000), retrievedAt)
        return { rows: good.map((row) => ({ row, updated })), bad, updated, retrievedAt }
      })

      // Three pages are one list: it is as old as its oldest page, and one missing page is a missing list.
      const fetchList = Effect.gen(function* () {
        const pages = yield* Effect.forEach(PAGES, page)
        const rows = pages.flatMap((page) => page.rows)
        if (rows.length === 0 && pages.some((page) => page.bad > 0)) {
          return yield* client.error(new Undecodable({ detail: "no usable coin" }))
        }
        const { strangers, value } = toCoins(rows)
        yield* Effect.logDebug(`${client.name}: ${strangers} coins left out, the registry does not know them`)
        if (value.length === 0) return yield* client.error(new Unusable({ detail: "no coin that we know" }))
        return Snapshot.make({
          value,
          source: client.name,
          observedAt: pages.map((page) => page.updated).reduce((a, b) => DateTime.min(a, b)),
          retrievedAt: pages.map((page) => page.retrievedAt).reduce((a, b) => DateTime.min(a, b))
        })
      })

      const fetchGlobal = Effect.gen(function* () {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/global/"),
          Schema.NonEmptyArray(GlobalRow)
        )
        const [row] = body
        const market_cap = WireFormat.positive(row.total_mcap)
        if (market_cap === null) return yield* client.error(new Unusable({ detail: "a market cap of 0" }))
        return Snapshot.make({
          value: {
            market_cap,
            volume_24h: row.total_volume ?? null,
            market_cap_change_24h: row.mcap_change ?? null,
            btc_dominance: row.btc_d ?? null,
            eth_dominance: row.eth_d ?? null,
            active_coins: row.coins_count ?? null
          },
          source: client.name,
          observedAt: retrievedAt,
          retrievedAt
        })
      })

      return CoinLore.of({
        list: yield* client.dataSet("list", { every: "5 minutes", fetch: fetchList, schema: Schema.Array(Coin) }),
        global: yield* client.dataSet("global", { every: "5 minutes", fetch: fetchGlobal, schema: GlobalMarket })
      })
    })
  )

  static readonly layer: Layer.Layer<CoinLore, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: CoinLore["Service"]) => Layer.succeed(CoinLore, service)
}

/** A row with its page's time. */
interface StampedRow {
  readonly row: typeof TickerRow.Type
  readonly updated: DateTime.Utc
}

/** Each known coin once: a row under the id the registry is sure of beats one that only shares symbol and name. */
const toCoins = (rows: ReadonlyArray<StampedRow>) => {
  const sure: Array<Coin> = []
  const byName: Array<Coin> = []
  for (const stamped of rows) {
    const { row } = stamped
    const surely = CoinRegistry.byCoinloreId(row.id)
    const known = surely ?? CoinRegistry.byId(CoinRegistry.identify(row.symbol, row.name) ?? "")
    if (known !== undefined) (surely === undefined ? byName : sure).push(toCoin(stamped, known))
  }
  const ranked = [...sure.sort(byMarketCap), ...byName.sort(byMarketCap)]
  return {
    strangers: rows.length - ranked.length,
    // A coin that changes places between two calls is on both pages.
    value: Array.dedupeWith(ranked, (a, b) => a.id === b.id).sort(byMarketCap)
  }
}

const toCoin = ({ row, updated }: StampedRow, known: CoinRegistry.KnownCoin): Coin => ({
  id: known.id,
  symbol: known.symbol.toUpperCase(),
  name: known.name,
  rank: WireFormat.positive(row.rank),
  price: WireFormat.positive(row.price_usd),
  market_cap: WireFormat.positive(row.market_cap_usd),
  volume_24h: row.volume24 ?? null,
  circulating_supply: WireFormat.positive(row.csupply),
  total_supply: WireFormat.positive(row.tsupply),
  max_supply: WireFormat.positive(row.msupply),
  change_1h: row.percent_change_1h ?? null,
  change_24h: row.percent_change_24h ?? null,
  change_7d: row.percent_change_7d ?? null,
  updated,
  high_24h: null,
  low_24h: null,
  ath: null,
  ath_date: null,
  image: null
})
