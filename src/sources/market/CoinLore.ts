// CoinLore: the 300 largest coins in three pages, and the global figures, without a key, at most one call a second. Most
// numbers are text, some in scientific notation; blank is unknown. A page has one time for all its rows, the global figures
// have none. Ids are its own numbers: only rows that the registry can join to CoinGecko's ids are kept.
import { DateTime, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import * as CoinRegistry from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { aggregatorDataSets, notListed } from "./aggregatorDataSets.ts"

/** Rows on one page: the API's maximum. */
const PAGE_SIZE = 100

const Blankable = Schema.optionalKey(WireFormat.BlankableDecimal)

const TickerRow = Schema.Struct({
  id: WireFormat.Id,
  symbol: WireFormat.Text,
  name: WireFormat.Text,
  rank: Blankable,
  price_usd: Blankable,
  percent_change_1h: Blankable,
  percent_change_24h: Blankable,
  percent_change_7d: Blankable,
  market_cap_usd: Blankable,
  volume24: Blankable,
  csupply: Blankable,
  tsupply: Blankable,
  msupply: Blankable
})

const TickersBody = Schema.Struct({
  data: WireFormat.Rows(1_000),
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
export class CoinLore extends SourceService<
  CoinLore,
  {
    /** Those of its 300 largest coins that the registry knows, by market cap; id, symbol and name are CoinGecko's. */
    readonly coins: DataSet.DataSet<ReadonlyArray<Coin>>
    /** Stamped with the time of retrieval. */
    readonly global: DataSet.DataSet<GlobalMarket>
  }
>()("crypto-data-api/sources/market/CoinLore", catalog.COINLORE, function* (connect) {
  const client = yield* connect()

  const page = Effect.fn("CoinLore.page")(function* (n: number) {
    const { body, retrievedAt } = yield* client.get("/tickers/", TickersBody, {
      query: { start: n * PAGE_SIZE, limit: PAGE_SIZE }
    })
    const rows = yield* client.usable("coins", WireFormat.rows(TickerRow, body.data))
    const updated = DateTime.makeUnsafe(body.info.time * 1000)
    return { rows: rows.map((row) => ({ ...row, updated })), updated, retrievedAt }
  })

  // The list is as old as its oldest page, and fails when a page does.
  const fetchCoins = Effect.gen(function* () {
    const pages = yield* Effect.forEach([0, 1, 2], page)
    return {
      value: pages.flatMap((page) => page.rows),
      observedAt: pages.map((page) => page.updated).reduce((a, b) => DateTime.min(a, b)),
      retrievedAt: pages.map((page) => page.retrievedAt).reduce((a, b) => DateTime.min(a, b))
    }
  })

  const fetchGlobal = Effect.gen(function* () {
    const { body, retrievedAt } = yield* client.get("/global/", Schema.NonEmptyArray(GlobalRow))
    const [row] = body
    return {
      value: {
        market_cap: row.total_mcap,
        volume_24h: row.total_volume ?? null,
        market_cap_change_24h: row.mcap_change ?? null,
        btc_dominance: row.btc_d ?? null,
        eth_dominance: row.eth_d ?? null,
        active_coins: row.coins_count ?? null
      },
      retrievedAt
    }
  })

  return yield* aggregatorDataSets(client, {
    every: "5 minutes",
    coins: fetchCoins,
    byOwnId: CoinRegistry.byCoinloreId,
    figuresOf,
    global: fetchGlobal
  })
}) {}

/** The figures of a row, with its page's time. */
const figuresOf = (row: typeof TickerRow.Type & { readonly updated: DateTime.Utc }) => ({
  rank: row.rank ?? null,
  price: row.price_usd ?? null,
  market_cap: row.market_cap_usd ?? null,
  volume_24h: row.volume24 ?? null,
  circulating_supply: row.csupply ?? null,
  total_supply: row.tsupply ?? null,
  max_supply: row.msupply ?? null,
  change_1h: row.percent_change_1h ?? null,
  change_24h: row.percent_change_24h ?? null,
  change_7d: row.percent_change_7d ?? null,
  updated: row.updated,
  ...notListed,
  ath: null,
  ath_date: null
})
