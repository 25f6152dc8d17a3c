// What is quoted now, for programs made for CoinGecko. Every figure is that of the services behind `/v1`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Found } from "../../api/coingecko/Answers.ts"
import { CoinGeckoApi } from "../../api/coingecko/CoinGeckoApi.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import type { Coin } from "../../domain/Coin.ts"
import { vsCurrencies } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { joined, refusing, stampOf } from "../handlers/Answer.ts"
import { using } from "../handlers/HandlerLayer.ts"
import { coinShape } from "./CoinShape.ts"
import { answered, answering } from "./CompatAnswer.ts"
import { exchangeRates } from "./exchangeRates.ts"
import { globalMarket } from "./globalMarket.ts"
import { marketList } from "./marketList.ts"
import { imageOf } from "./MarketRow.ts"
import * as Quotes from "./Quotes.ts"
import { simplePrice } from "./simplePrice.ts"

const MOST_FOUND = 25

export const NowHandlers = HttpApiBuilder.group(
  CoinGeckoApi,
  "coingecko",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const fx = yield* ExchangeRates
    const globalMarkets = yield* GlobalMarkets
    const quoting = Quotes.make(conversions, coins)

    return handlers.handleAll({
      ping: () => Effect.succeed(answered({ gecko_says: "(V3) To the Moon!" })),
      vsCurrencies: () => Effect.succeed(answered(vsCurrencies)),
      simplePrice: ({ query }) => simplePrice(conversions, quoting, query).pipe(answering),
      list: ({ query }) =>
        coins.registry.pipe(
          Effect.map((registry) =>
            answered(
              registry.value.map(({ id, name, platforms, symbol }) => ({
                id,
                symbol: symbol.toLowerCase(),
                name,
                ...(query.include_platform === true && { platforms: platforms ?? {} })
              })),
              stampOf(registry)
            )
          ),
          refusing
        ),
      markets: ({ query }) => marketList(coins, conversions, quoting, query).pipe(answering),
      coin: ({ params, query }) =>
        Effect.gen(function* () {
          const coin = yield* coins.coin(params.id)
          const platforms = yield* coins.platforms(params.id)
          const vss = query.market_data === false ? [] : vsCurrencies
          const quotes = yield* quoting.quotes([coin], vss)
          const { parts, rates } = yield* Quotes.dollarRates(conversions, vss)
          const used = vss.flatMap((vs) => quotes(coin, vs) ?? [])
          return answered(
            coinShape(coin, platforms, { quotes, rates }, query),
            joined([stampOf(coin), ...used, ...parts])
          )
        }).pipe(answering),
      search: ({ query }) =>
        Effect.gen(function* () {
          const found = yield* coins.search(query.query, MOST_FOUND)
          const list = yield* Effect.option(coins.list)
          const listed = list._tag === "Some" ? list.value.value.byId : new Map<string, Coin>()
          const rows = found.value.map(({ coin: { id, name, symbol }, rank }) => {
            const image = listed.get(id)?.image ?? null
            return {
              id,
              name,
              api_symbol: id,
              symbol,
              market_cap_rank: rank,
              thumb: imageOf(image, "thumb"),
              large: imageOf(image, "large")
            }
          })
          return answered(shaped(Found, { coins: rows }), stampOf(found))
        }).pipe(answering),
      global: () => globalMarket(conversions, globalMarkets).pipe(answering),
      exchangeRates: () => exchangeRates({ coins, conversions, fx }).pipe(answering)
    })
  })
).pipe(using(Coins, Conversions, ExchangeRates, GlobalMarkets))
