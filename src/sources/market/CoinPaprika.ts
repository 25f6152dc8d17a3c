// CoinPaprika v1: the 2,000 largest coins and the global figures, without a key. Figures change about every ten minutes. It has
// its own ids (`btc-bitcoin`), so only rows that the registry can join to CoinGecko's ids are used. A rank, supply or cap of 0
// is unknown, and `circulating_supply` may be absent.
import { DateTime, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import * as CoinRegistry from "../../domain/CoinRegistry.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import { type Close, bucketCloses } from "../../history/model/Close.ts"
import { dayOf, lengthOf } from "../../history/model/Interval.ts"
import { closes as closesCheck } from "../../history/model/PlausiblePast.ts"
import type { Urgency } from "../client/Budget.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"

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
  id: WireFormat.Id,
  name: WireFormat.Text,
  symbol: WireFormat.Text,
  rank: WireFormat.Nullish,
  circulating_supply: WireFormat.Nullish,
  total_supply: WireFormat.Nullish,
  max_supply: WireFormat.Nullish,
  last_updated: WireFormat.Instant,
  quotes: Schema.Struct({ USD: UsdQuote })
})

const PastRow = Schema.Struct({ timestamp: WireFormat.Instant, price: Schema.Finite })

const GlobalBody = Schema.Struct({
  market_cap_usd: Schema.Finite,
  volume_24h_usd: WireFormat.Nullish,
  bitcoin_dominance_percentage: WireFormat.Nullish,
  cryptocurrencies_number: WireFormat.Nullish,
  market_cap_change_24h: WireFormat.Nullish,
  last_updated: WireFormat.EpochSeconds
})

/** The interval of the polls, and how often CoinPaprika publishes. */
const times = { every: "10 minutes", lag: "10 minutes" } as const

/** The second source of coins, prices and global figures. */
export class CoinPaprika extends SourceService<
  CoinPaprika,
  {
    /** Its 2,000 largest coins as far as the registry lists them, by market cap, with CoinGecko's id, symbol and name. */
    readonly coins: DataSet.DataSet<ReadonlyArray<Coin>>
    /** `eth_dominance` is always `null`: CoinPaprika does not publish it. */
    readonly global: DataSet.DataSet<GlobalMarket>
    /** The closes in USD of the days `first` to `last` (starts of days, both included), within the last year. */
    readonly closes: (id: string, first: number, last: number, urgency: Urgency) => Fetched<ReadonlyArray<Close>>
  }
>()("crypto-data-api/sources/market/CoinPaprika", catalog.COINPAPRIKA, function* (connect) {
  const client = yield* connect({ timeoutSeconds: 20, maxBytes: 16 * 1024 * 1024, maxValues: 1_000_000 })

  const fetchCoins = Effect.gen(function* () {
    const { body, ...times } = yield* client.get("/tickers", WireFormat.Rows(20_000), { query: { quotes: "USD" } })
    const rows = yield* client.usable("coins", WireFormat.rows(TickerRow, body))
    const value = CoinRegistry.joinRegistry(rows, CoinRegistry.byPaprikaId, figuresOf)
    if (value.length === 0) return yield* client.error(new Unusable({ detail: "no coin of the registry" }))
    return { value, ...times }
  })

  const fetchGlobal = Effect.gen(function* () {
    const { body, retrievedAt } = yield* client.get("/global", GlobalBody)
    return {
      value: {
        market_cap: body.market_cap_usd,
        volume_24h: body.volume_24h_usd ?? null,
        market_cap_change_24h: body.market_cap_change_24h ?? null,
        btc_dominance: body.bitcoin_dominance_percentage ?? null,
        eth_dominance: null,
        active_coins: body.cryptocurrencies_number ?? null
      },
      observedAt: DateTime.makeUnsafe(body.last_updated * 1000),
      retrievedAt
    }
  })

  const fetchCloses = Effect.fn("CoinPaprika.closes")(function* (
    id: string,
    first: number,
    last: number,
    urgency: Urgency
  ) {
    const paprika = CoinRegistry.byId(id)?.paprika ?? null
    if (paprika === null) return yield* client.error(new Unusable({ detail: `its id of ${id} is not known` }))
    // A day's close is the price at the start of the next.
    const [start, end] = [first, last].map((day) => dayOf(day + lengthOf("day")))
    const { body, ...times } = yield* client.get(
      `/tickers/${encodeURIComponent(paprika)}/historical`,
      WireFormat.Rows(10_000),
      { query: { start, end, interval: "1d", quote: "usd" }, urgency }
    )
    const good = yield* client.usable("past prices", WireFormat.rows(PastRow, body))
    const points = good.map(({ price, timestamp }) => [timestamp.epochMilliseconds, price] as const)
    const value = bucketCloses("day", points, times.observedAt.epochMilliseconds)
    return { value, ...times }
  })

  return {
    closes: (id, first, last, urgency) => client.lookUp("past", closesCheck, fetchCloses(id, first, last, urgency)),
    coins: yield* client.dataSet("list", {
      ...times,
      fetch: fetchCoins,
      check: Plausible.coinList,
      schema: Schema.Array(Coin)
    }),
    global: yield* client.dataSet("global", {
      ...times,
      fetch: fetchGlobal,
      check: Plausible.globalMarket,
      schema: GlobalMarket
    })
  }
}) {}

const figuresOf = (row: typeof TickerRow.Type) => {
  const usd = row.quotes.USD
  return {
    rank: row.rank ?? null,
    price: usd.price ?? null,
    market_cap: usd.market_cap ?? null,
    volume_24h: usd.volume_24h ?? null,
    circulating_supply: row.circulating_supply ?? null,
    total_supply: row.total_supply ?? null,
    max_supply: row.max_supply ?? null,
    change_1h: usd.percent_change_1h ?? null,
    change_24h: usd.percent_change_24h ?? null,
    change_7d: usd.percent_change_7d ?? null,
    updated: row.last_updated,
    ath: usd.ath_price ?? null,
    ath_date: usd.ath_date ?? null,
    high_24h: null,
    low_24h: null,
    image: null
  }
}
