// CoinPaprika v1: the 2,000 largest coins and the global figures, without a key; new figures about every ten minutes.
// The ids are its own (`btc-bitcoin`): only rows that the registry can join to CoinGecko's are kept. With 0 it says
// that a rank, a supply or a cap is not known, and `circulating_supply` may be absent altogether.
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
  id: "COINPAPRIKA",
  name: "CoinPaprika",
  baseUrl: "https://api.coinpaprika.com/v1",
  attribution: "Data provided by CoinPaprika",
  link: "https://coinpaprika.com",
  licence: "CoinPaprika API terms; the data is free and attribution appreciated, commercial use is defined separately",
  redistribution: "unclear"
}

/** The month's 20,000 calls are shared by all free users; the two data sets take 288 a day, the rest is for retries. */
const allowances = [
  { calls: 4, per: "1 minute" },
  { calls: 320, per: "1 day" }
] as const

const UsdQuote = Schema.Struct({
  price: WireFormat.Nullish,
  volume_24h: WireFormat.Nullish,
  market_cap: WireFormat.Nullish,
  percent_change_1h: WireFormat.Nullish,
  percent_change_24h: WireFormat.Nullish,
  percent_change_7d: WireFormat.Nullish,
  ath_price: WireFormat.Nullish,
  ath_date: Schema.optionalKey(Schema.NullOr(WireFormat.Instant))
})

const TickerRow = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.String,
  symbol: Schema.String,
  rank: WireFormat.Nullish,
  circulating_supply: WireFormat.Nullish,
  total_supply: WireFormat.Nullish,
  max_supply: WireFormat.Nullish,
  last_updated: WireFormat.Instant,
  quotes: Schema.Struct({ USD: UsdQuote })
})

const GlobalBody = Schema.Struct({
  market_cap_usd: Schema.Finite,
  volume_24h_usd: WireFormat.Nullish,
  bitcoin_dominance_percentage: WireFormat.Nullish,
  cryptocurrencies_number: WireFormat.Nullish,
  market_cap_change_24h: WireFormat.Nullish,
  // Seconds; a number in the size of milliseconds is no time of ours.
  last_updated: WireFormat.EpochSeconds
})

/** CoinPaprika, the second source of coins, prices and global figures. */
export class CoinPaprika extends Context.Service<
  CoinPaprika,
  {
    /** Those of its 2,000 largest coins that the registry knows, by market cap; id, symbol and name are CoinGecko's. */
    readonly list: DataSet.DataSet<ReadonlyArray<Coin>>
    /** It has no share of Ethereum: `eth_dominance` is always `null`. */
    readonly global: DataSet.DataSet<GlobalMarket>
  }
>()("crypto-data-api/sources/market/CoinPaprika") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<CoinPaprika, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    CoinPaprika,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances, timeoutSeconds: 20, maxBytes: 16 * 1024 * 1024 })

      const fetchList = Effect.gen(function* () {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/tickers", { urlParams: { quotes: "USD" } }),
          WireFormat.Rows
        )
        const { bad, good } = WireFormat.rows(TickerRow, body)
        yield* WireFormat.reportBad(client.name, "coins", bad)
        if (good.length === 0) return yield* client.error(new Undecodable({ detail: "no usable coin" }))
        const { strangers, value } = toCoins(good, retrievedAt)
        yield* Effect.logDebug(`${client.name}: ${strangers} coins left out, the registry does not know them`)
        const observedAt = WireFormat.newest(value.map((coin) => coin.updated))
        if (observedAt === undefined) return yield* client.error(new Unusable({ detail: "no coin that we know" }))
        return Snapshot.make({ value, source: client.name, observedAt, retrievedAt })
      })

      const fetchGlobal = Effect.gen(function* () {
        const { body, retrievedAt } = yield* client.request(HttpClientRequest.get("/global"), GlobalBody)
        const market_cap = WireFormat.positive(body.market_cap_usd)
        if (market_cap === null) return yield* client.error(new Unusable({ detail: "a market cap of 0" }))
        return Snapshot.make({
          value: {
            market_cap,
            volume_24h: body.volume_24h_usd ?? null,
            market_cap_change_24h: body.market_cap_change_24h ?? null,
            btc_dominance: body.bitcoin_dominance_percentage ?? null,
            eth_dominance: null,
            active_coins: body.cryptocurrencies_number ?? null
          },
          source: client.name,
          observedAt: DateTime.makeUnsafe(body.last_updated * 1000),
          retrievedAt
        })
      })

      return CoinPaprika.of({
        list: yield* client.dataSet("list", { every: "10 minutes", fetch: fetchList, schema: Schema.Array(Coin) }),
        global: yield* client.dataSet("global", { every: "10 minutes", fetch: fetchGlobal, schema: GlobalMarket })
      })
    })
  )

  static readonly layer: Layer.Layer<CoinPaprika, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: CoinPaprika["Service"]) => Layer.succeed(CoinPaprika, service)
}

/** Each known coin once: a row under the id the registry is sure of beats one that only shares symbol and name. */
const toCoins = (rows: ReadonlyArray<typeof TickerRow.Type>, retrievedAt: DateTime.Utc) => {
  const sure: Array<Coin> = []
  const byName: Array<Coin> = []
  for (const row of rows) {
    const surely = CoinRegistry.byPaprikaId(row.id)
    const known = surely ?? CoinRegistry.byId(CoinRegistry.identify(row.symbol, row.name) ?? "")
    if (known !== undefined) (surely === undefined ? byName : sure).push(toCoin(row, known, retrievedAt))
  }
  return {
    strangers: rows.length - sure.length - byName.length,
    value: Array.dedupeWith([...sure, ...byName.sort(byMarketCap)], (a, b) => a.id === b.id).sort(byMarketCap)
  }
}

const toCoin = (row: typeof TickerRow.Type, known: CoinRegistry.KnownCoin, retrievedAt: DateTime.Utc): Coin => {
  const usd = row.quotes.USD
  return {
    id: known.id,
    symbol: known.symbol.toUpperCase(),
    name: known.name,
    rank: WireFormat.positive(row.rank),
    price: WireFormat.positive(usd.price),
    market_cap: WireFormat.positive(usd.market_cap),
    volume_24h: usd.volume_24h ?? null,
    circulating_supply: WireFormat.positive(row.circulating_supply),
    total_supply: WireFormat.positive(row.total_supply),
    max_supply: WireFormat.positive(row.max_supply),
    change_1h: usd.percent_change_1h ?? null,
    change_24h: usd.percent_change_24h ?? null,
    change_7d: usd.percent_change_7d ?? null,
    updated: DateTime.min(row.last_updated, retrievedAt),
    high_24h: null,
    low_24h: null,
    ath: WireFormat.positive(usd.ath_price),
    ath_date: usd.ath_date ?? null,
    image: null
  }
}
