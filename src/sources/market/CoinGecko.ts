// CoinGecko v3: markets, global figures, the registry of ids. Wire format: https://docs.coingecko.com (OpenAPI of 2026-06).
// A page has no time of its own: it is as old as its newest row, and a row may lag it by hours. Ranks are not unique.
import { type Config, Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { Coin } from "../../domain/Coin.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import { PriceHistory } from "../../domain/PriceHistory.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import type * as Budget from "../client/Budget.ts"
import * as CoinGeckoPlan from "./CoinGeckoPlan.ts"
import {
  CoinEntry,
  FiatQuotes,
  GlobalBody,
  ListRow,
  MarketRow,
  QuoteRow,
  quotesQuery,
  SparklineRow,
  toCoin,
  toHistory,
  toQuotes
} from "./CoinGeckoWire.ts"
import type * as Feed from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { type SourceError, Undecodable, Unusable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** Rows on one page of the markets list, and ids in one look-up: the API's maximum. */
export const PAGE_SIZE = 250

const terms: SourceTerms = {
  id: "COINGECKO",
  name: "CoinGecko",
  baseUrl: "https://api.coingecko.com/api/v3",
  attribution: "Data provided by CoinGecko",
  link: "https://www.coingecko.com",
  licence: "CoinGecko API terms; attribution required, free plans for personal use",
  redistribution: "unclear"
}

/** CoinGecko, the first source of coins, prices and global figures. */
export class CoinGecko extends Context.Service<
  CoinGecko,
  {
    /** The address that answers come from. */
    readonly origin: string
    /** The 250 largest coins. */
    readonly markets: Feed.DataSet<ReadonlyArray<Coin>>
    readonly global: Feed.DataSet<GlobalMarket>
    /** Hourly prices of seven days of the 250 largest. */
    readonly history: Feed.DataSet<ReadonlyArray<PriceHistory>>
    /** How long after a start the less urgent data (`history`, `registry`) had better wait. */
    readonly lessUrgentAfter: Duration.Duration
    /** Every id there is, about 17,000. */
    readonly registry: Feed.DataSet<ReadonlyArray<CoinEntry>>
    /** Its own quotes in other fiats for the 250 largest; `null` where the plan's budget has no room for them. */
    readonly quotes: Feed.DataSet<FiatQuotes> | null
    /** Page `n` (from 1) of the markets list, 250 rows; empty past the end. */
    readonly page: (n: number) => Effect.Effect<Snapshot.Snapshot<ReadonlyArray<Coin>>, SourceError>
    /** Up to 250 coins by id. Unknown ids are missing from the answer. */
    readonly coins: (ids: ReadonlyArray<string>) => Effect.Effect<Snapshot.Snapshot<ReadonlyArray<Coin>>, SourceError>
  }
>()("crypto-data-api/sources/market/CoinGecko") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<CoinGecko, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    CoinGecko,
    Effect.gen(function* () {
      const plan = yield* CoinGeckoPlan.make
      const client = yield* SourceClient.make({
        terms,
        baseUrl: plan.baseUrl,
        allowances: plan.allowances,
        headers: plan.headers,
        maxBytes: 8 * 1024 * 1024
      })

      const marketRows = Effect.fn("CoinGecko.marketRows")(function* (
        query: Record<string, string>,
        urgency: Budget.Urgency
      ) {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/coins/markets", {
            urlParams: { vs_currency: "usd", price_change_percentage: "1h,24h,7d", precision: "full", ...query }
          }),
          WireFormat.Rows,
          { urgency }
        )
        const { bad, good } = WireFormat.rows(MarketRow, body)
        yield* WireFormat.reportBad(client.name, "coins", bad)
        if (good.length === 0 && bad > 0) return yield* client.error(new Undecodable({ detail: "no usable coin" }))
        const value = good.map((row) => toCoin(row, retrievedAt))
        const observedAt = WireFormat.newest(value.map((coin) => coin.updated)) ?? retrievedAt
        return Snapshot.make({ value, source: client.name, observedAt, retrievedAt })
      })

      const page = (n: number, urgency: Budget.Urgency = "on_demand") =>
        marketRows({ order: "market_cap_desc", per_page: String(PAGE_SIZE), page: String(n) }, urgency)

      const firstPage = Effect.flatMap(page(1, "scheduled"), (snapshot) =>
        snapshot.value.length === 0
          ? Effect.fail(client.error(new Unusable({ detail: "an empty list of coins" })))
          : Effect.succeed(snapshot)
      )

      const markets = yield* client.dataSet("markets", {
        every: plan.marketsEvery,
        fetch: firstPage,
        schema: Schema.Array(Coin)
      })

      const global = yield* client.dataSet("global", {
        schema: GlobalMarket,
        every: plan.globalEvery,
        fetch: client.request(HttpClientRequest.get("/global"), GlobalBody).pipe(
          Effect.flatMap(({ body, retrievedAt }) => {
            const market_cap = WireFormat.positive(body.data.total_market_cap.usd)
            if (market_cap === null) return Effect.fail(client.error(new Unusable({ detail: "a market cap of 0" })))
            return Effect.succeed(
              Snapshot.make({
                value: {
                  market_cap,
                  volume_24h: body.data.total_volume.usd ?? null,
                  market_cap_change_24h: body.data.market_cap_change_percentage_24h_usd ?? null,
                  btc_dominance: body.data.market_cap_percentage.btc ?? null,
                  eth_dominance: body.data.market_cap_percentage.eth ?? null,
                  active_coins: body.data.active_cryptocurrencies ?? null
                },
                source: client.name,
                observedAt: DateTime.makeUnsafe(body.data.updated_at * 1000),
                retrievedAt
              })
            )
          })
        )
      })

      const history = yield* client.dataSet("history", {
        every: plan.historyEvery,
        schema: Schema.Array(PriceHistory),
        fetch: client
          .request(
            HttpClientRequest.get("/coins/markets", {
              urlParams: { vs_currency: "usd", order: "market_cap_desc", per_page: PAGE_SIZE, page: 1, sparkline: true }
            }),
            WireFormat.Rows
          )
          .pipe(
            Effect.flatMap(({ body, retrievedAt }) => {
              const value = WireFormat.rows(SparklineRow, body).good.flatMap((row) => toHistory(row, retrievedAt))
              const observedAt = WireFormat.newest(value.map(({ end }) => end))
              return observedAt === undefined
                ? Effect.fail(client.error(new Unusable({ detail: "no hourly prices" })))
                : Effect.succeed(Snapshot.make({ value, source: client.name, observedAt, retrievedAt }))
            })
          )
      })

      const registry = yield* client.dataSet("registry", {
        schema: Schema.Array(CoinEntry),
        every: "1 day",
        fetch: client.request(HttpClientRequest.get("/coins/list"), WireFormat.Rows).pipe(
          Effect.flatMap(({ body, retrievedAt }) => {
            const { good } = WireFormat.rows(ListRow, body)
            if (good.length === 0) return Effect.fail(client.error(new Unusable({ detail: "an empty registry" })))
            const value = good.map((row) => ({ id: row.id, symbol: row.symbol.toUpperCase(), name: row.name }))
            return Effect.succeed(Snapshot.make({ value, source: client.name, observedAt: retrievedAt, retrievedAt }))
          })
        )
      })

      const fetchQuotes = Effect.gen(function* () {
        const coins = yield* markets.get
        const ids = coins.value.map((coin) => coin.id).join(",")
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.get("/simple/price", { urlParams: { ids, ...quotesQuery } }),
          Schema.Record(Schema.String, Schema.Unknown)
        )
        const value = new Map(
          Object.entries(body).flatMap(([id, row]) =>
            WireFormat.rows(QuoteRow, [row]).good.map((quotes) => [id, toQuotes(quotes, retrievedAt)] as const)
          )
        )
        const times = [...value.values()].flatMap((quotes) => [...quotes.values()].map((quote) => quote.updated))
        return Snapshot.make({
          value,
          source: client.name,
          observedAt: WireFormat.newest(times) ?? retrievedAt,
          retrievedAt
        })
      })

      return CoinGecko.of({
        origin: client.origin,
        markets,
        global,
        history,
        lessUrgentAfter: Duration.fromInputUnsafe(plan.lessUrgentAfter),
        registry,
        quotes:
          plan.quotesEvery === null
            ? null
            : yield* client.dataSet("quotes", { every: plan.quotesEvery, fetch: fetchQuotes, schema: FiatQuotes }),
        page: (n) => client.guard("pages", page(n)),
        coins: (ids) =>
          client.guard("look-ups", marketRows({ ids: ids.join(","), per_page: String(PAGE_SIZE) }, "on_demand"))
      })
    })
  )

  static readonly layer: Layer.Layer<CoinGecko, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: CoinGecko["Service"]) => Layer.succeed(CoinGecko, service)
}
