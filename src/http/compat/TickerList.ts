// `/coins/{id}/tickers`: the pairs of a coin on exchanges, with their figures in USD, bitcoin and ether.
import { DateTime, Effect } from "effect"
import { CoinTickers, Ticker } from "../../api/coingecko/Answers.ts"
import type { QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { CoinTicker } from "../../domain/CoinTickers.ts"
import { fiatMeasures } from "../../domain/SpotMarket.ts"
import type { Coins } from "../../services/Coins.ts"
import { exchangeIds } from "../../services/exchangeIds.ts"
import { computed, figure } from "../handlers/figure.ts"
import { joined, stampOfTickers } from "../handlers/Stamp.ts"
import { inVs, jsonResponse } from "./CompatAnswer.ts"
import type { DollarRate, Quoting } from "./Quotes.ts"

/** Rows on a page. */
const PAGE = 100

const coinIds = new Map<string, string>(fiatMeasures)

const inThree = (usd: number | null, rateOf: DollarRate) => ({
  btc: inVs(usd, rateOf("btc")),
  eth: inVs(usd, rateOf("eth")),
  usd: computed(usd)
})

/** Percent of the ask; `null` if the bid is above the ask, because such a pair is not trading. */
const spreadOf = ({ ask, bid }: CoinTicker): number | null =>
  ask === null || bid === null || bid > ask ? null : ((ask - bid) / ask) * 100

const row = (ticker: CoinTicker, identifier: string, { id, market_cap }: Coin, rateOf: DollarRate) => {
  const { base, exchange, last, price, quote, turnover, unit } = ticker
  const observed = DateTime.formatIso(DateTime.makeUnsafe(ticker.observedAt))
  const ofBase = price === null ? null : price * unit
  return shaped(Ticker, {
    base,
    target: quote,
    market: { name: exchange, identifier, has_trading_incentive: null },
    last: figure(last),
    volume: computed(turnover === null || ofBase === null ? null : turnover / ofBase),
    converted_last: inThree(ofBase, rateOf),
    converted_volume: inThree(turnover, rateOf),
    bid_ask_spread_percentage: computed(spreadOf(ticker)),
    timestamp: observed,
    last_fetch_at: observed,
    is_stale: ticker.reason === "stale",
    coin_id: id,
    target_coin_id: coinIds.get(quote) ?? null,
    coin_mcap_usd: figure(market_cap)
  })
}

/** Pairs arrive the heaviest first. */
const orders: Readonly<Record<string, (tickers: ReadonlyArray<CoinTicker>) => ReadonlyArray<CoinTicker>>> = {
  trust_score_asc: (tickers) => tickers.toReversed(),
  volume_desc: (tickers) => tickers.toSorted((a, b) => (b.turnover ?? -1) - (a.turnover ?? -1)),
  volume_asc: (tickers) => tickers.toSorted((a, b) => (a.turnover ?? Infinity) - (b.turnover ?? Infinity))
}

export const make = Effect.fnUntraced(function* (coins: Coins["Service"], quoting: Quoting) {
  const ids = yield* exchangeIds
  const identifierOf = ({ exchange }: CoinTicker): string => ids.get(exchange) ?? exchange

  return Effect.fnUntraced(function* (id: string, { exchange_ids, order, page }: QueryOf<"tickers">) {
    const coin = yield* coins.coin(id)
    const found = yield* coins.tickers(coin.value.id)
    const { parts, rateOf } = yield* quoting.dollarRates(["btc", "eth"])
    const wanted = found.filter((ticker) => exchange_ids?.includes(identifierOf(ticker)) ?? true)
    const rows = (orders[order]?.(wanted) ?? wanted).slice((page - 1) * PAGE, page * PAGE)
    const tickers = rows.map((ticker) => row(ticker, identifierOf(ticker), coin.value, rateOf))
    return jsonResponse(
      shaped(CoinTickers, { name: coin.value.name, tickers }),
      joined([stampOfTickers(found, coin), ...parts])
    )
  })
})
