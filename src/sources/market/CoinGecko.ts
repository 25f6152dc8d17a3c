// CoinGecko v3: markets, global figures, the registry of ids. Wire format: https://docs.coingecko.com (OpenAPI of 2026-06).
// A page has no time, so it gets that of its newest row; other rows may be hours older. Ranks are not unique.
import { DateTime, Duration, Effect, Schema } from "effect"
import { Coin } from "../../domain/Coin.ts"
import { ListedCoin } from "../../domain/CoinIndex.ts"
import { type Close, bucketCloses } from "../../history/model/Close.ts"
import type { Interval } from "../../history/model/Interval.ts"
import { GlobalMarket } from "../../domain/GlobalMarket.ts"
import * as Plausible from "../../domain/PlausibleMarket.ts"
import { closes as closesCheck } from "../../history/model/PlausiblePast.ts"
import { PriceHistory } from "../../domain/PriceHistory.ts"
import type { Urgency } from "../client/Budget.ts"
import * as CoinGeckoPlan from "./CoinGeckoPlan.ts"
import * as Wire from "./CoinGeckoWire.ts"
import type { DataSet } from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { type Fetched, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { isTruncated } from "../client/isTruncated.ts"
import * as WireFormat from "../client/WireFormat.ts"

/** Rows on a page of the markets list, and ids in a look-up: the API's maximum. */
export const PAGE_SIZE = 250

/** Daily closes go back this many days, the limit of public plans. */
export const CLOSES = 365

/**
 * Hourly closes go back this many hours: 20 days. Without a paid plan, CoinGecko returns hours for ranges of 2 to 90 days.
 */
export const HOURS = 480

/** The first source of coins, prices and global figures. */
export class CoinGecko extends SourceService<
  CoinGecko,
  {
    /** The base URL in use. */
    readonly origin: string
    /** The 250 largest coins. */
    readonly coins: DataSet<ReadonlyArray<Coin>>
    readonly global: DataSet<GlobalMarket>
    /** Hourly prices of the 250 largest coins over seven days. */
    readonly hourlyPrices: DataSet<ReadonlyArray<PriceHistory>>
    /** The delay of the first `hourlyPrices` and `registry` after a start, so that a small budget serves callers first. */
    readonly lessUrgentAfter: Duration.Duration
    /** All ids, about 17,000. */
    readonly registry: DataSet<ReadonlyArray<ListedCoin>>
    /** Page `n` (from 1) of the markets list, 250 rows; empty past the end. */
    readonly page: (n: number) => Fetched<ReadonlyArray<Coin>>
    /** Up to 250 coins by id. Unknown ids are missing from the answer. */
    readonly coinsById: (ids: ReadonlyArray<string>) => Fetched<ReadonlyArray<Coin>>
    /**
     * The closes in USD of the days that ended within the last {@link CLOSES} days, or of the last {@link HOURS} hours.
     */
    readonly closes: (id: string, interval: Interval, urgency: Urgency) => Fetched<ReadonlyArray<Close>>
  }
>()("crypto-data-api/sources/market/CoinGecko", catalog.COINGECKO, function* (connect) {
  const { allowances, baseUrl, headers, ...plan } = yield* CoinGeckoPlan.make
  const client = yield* connect({ allowances, baseUrl, headers, maxBytes: 8 * 1024 * 1024, maxValues: 500_000 })

  const marketRows = Effect.fn("CoinGecko.marketRows")(function* (query: Record<string, string>, urgency: Urgency) {
    const { body, ...times } = yield* client.get("/coins/markets", WireFormat.Rows(PAGE_SIZE), {
      query: { vs_currency: "usd", price_change_percentage: "1h,24h,7d", precision: "full", ...query },
      urgency
    })
    const good = yield* client.usable("coins", WireFormat.rows(Wire.MarketRow, body))
    return { value: good.map(Wire.toCoin), ...times }
  })

  const page = (n: number, urgency: Urgency = "on_demand") =>
    marketRows({ order: "market_cap_desc", per_page: String(PAGE_SIZE), page: String(n) }, urgency)

  const coins = yield* client.dataSet("markets", {
    every: plan.marketsEvery,
    // The larger coins change each minute, the others within five.
    lag: "5 minutes",
    fetch: Effect.filterOrFail(
      page(1, "scheduled"),
      ({ value }) => value.length > 0,
      () => client.error(new Unusable({ detail: "an empty list of coins" }))
    ),
    check: Plausible.coinList,
    schema: Schema.Array(Coin)
  })

  const global = yield* client.dataSet("global", {
    schema: GlobalMarket,
    check: Plausible.globalMarket,
    every: plan.globalEvery,
    fetch: client.get("/global", Wire.GlobalBody).pipe(
      Effect.map(({ body: { data }, retrievedAt }) => ({
        value: {
          market_cap: data.total_market_cap.usd,
          volume_24h: data.total_volume.usd ?? null,
          market_cap_change_24h: data.market_cap_change_percentage_24h_usd ?? null,
          btc_dominance: data.market_cap_percentage.btc ?? null,
          eth_dominance: data.market_cap_percentage.eth ?? null,
          active_coins: data.active_cryptocurrencies ?? null
        },
        observedAt: DateTime.makeUnsafe(data.updated_at * 1000),
        retrievedAt
      }))
    )
  })

  const hourlyPrices = yield* client.dataSet("history", {
    every: plan.historyEvery,
    schema: Schema.Array(PriceHistory),
    check: Plausible.priceHistories,
    fetch: Effect.map(
      client.get("/coins/markets", WireFormat.Rows(PAGE_SIZE), {
        query: { vs_currency: "usd", order: "market_cap_desc", per_page: PAGE_SIZE, page: 1, sparkline: true }
      }),
      ({ body, ...times }) => ({
        value: WireFormat.rows(Wire.SparklineRow, body).good.flatMap(Wire.toHistory),
        ...times
      })
    )
  })

  const registry: DataSet<ReadonlyArray<ListedCoin>> = yield* client.dataSet("registry", {
    schema: Schema.Array(ListedCoin),
    every: "1 day",
    fetch: Effect.gen(function* () {
      const { body, ...times } = yield* client.get("/coins/list", WireFormat.Rows(50_000), {
        query: { include_platform: true }
      })
      const value = WireFormat.rows(Wire.ListRow, body).good.map(Wire.toEntry)
      if (value.length === 0) return yield* client.error(new Unusable({ detail: "an empty registry" }))
      if (isTruncated(yield* registry.last, times.retrievedAt, (former) => value.length < former.length / 2)) {
        return yield* client.error(new Unusable({ detail: "less than half of the registry" }))
      }
      return { value, ...times }
    })
  })

  const fetchCloses = Effect.fn("CoinGecko.closes")(function* (id: string, interval: Interval, urgency: Urgency) {
    // A range of 20 days returns hours. Naming the hourly interval requires a paid plan.
    const span = interval === "day" ? { days: CLOSES, interval: "daily" } : { days: HOURS / 24 }
    const { body, ...times } = yield* client.get(`/coins/${encodeURIComponent(id)}/market_chart`, Wire.ChartBody, {
      query: { vs_currency: "usd", precision: "full", ...span },
      urgency
    })
    const prices = yield* client.usable("past prices", WireFormat.rows(Wire.ChartRow, body.prices))
    return { value: bucketCloses(interval, prices, times.observedAt.epochMilliseconds), ...times }
  })

  return {
    origin: client.origin,
    coins,
    global,
    hourlyPrices,
    lessUrgentAfter: Duration.fromInputUnsafe(plan.lessUrgentAfter),
    registry,
    page: (n) => client.lookUp("pages", Plausible.coinPage, page(n)),
    coinsById: (ids) =>
      client.lookUp(
        "look-ups",
        Plausible.coinsById,
        marketRows({ ids: ids.join(","), per_page: String(PAGE_SIZE) }, "on_demand")
      ),
    closes: (id, interval, urgency) => client.lookUp("past", closesCheck, fetchCloses(id, interval, urgency))
  }
}) {}
