// What is quoted now, for programs made for CoinGecko. Every figure is that of the services behind `/v1`.
import { Effect, Option, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Found, GlobalData } from "../../api/coingecko/Answers.ts"
import { CoinGeckoApi } from "../../api/coingecko/CoinGeckoApi.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import { vsCoins, vsCurrencies } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import { figure, joined, refusing, stampOf } from "../handlers/Answer.ts"
import { EndpointMiddleware } from "../handlers/EndpointMiddleware.ts"
import { coinShape } from "./CoinShape.ts"
import { answered, answering, imageOf, inEach, inVs } from "./CompatAnswer.ts"
import data from "./data/currencies.json" with { type: "json" }
import { marketList } from "./marketList.ts"
import * as Quotes from "./Quotes.ts"
import { simplePrice } from "./simplePrice.ts"

const MOST_FOUND = 25

/** Names and units of CoinGecko's currencies. */
const currencies: Readonly<Record<string, ReadonlyArray<string>>> = data

const coinNames = [
  ["btc", "Bitcoin", "BTC"],
  ["eth", "Ether", "ETH"]
] as const

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
      simplePrice: ({ query }) => simplePrice(quoting, query).pipe(answering),
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
      markets: ({ query }) => marketList(coins, quoting, query).pipe(answering),
      coin: Effect.fnUntraced(function* ({ params, query }) {
        const coin = yield* coins.coin(params.id)
        const platforms = yield* coins.platforms(params.id)
        const vss = query.market_data === false ? [] : vsCurrencies
        const quotes = yield* quoting.quotes([coin], vss)
        const { parts, rateOf } = yield* quoting.dollarRates(vss)
        const used = vss.flatMap((vs) => quotes(coin, vs) ?? [])
        return answered(
          coinShape(coin, platforms, { quotes, rateOf }, query),
          joined([stampOf(coin), ...used, ...parts])
        )
      }, answering),
      search: Effect.fnUntraced(function* ({ query }) {
        const found = yield* coins.search(query.query, MOST_FOUND)
        const listed = yield* Effect.option(coins.list)
        const rows = found.value.map(({ coin: { id, name, symbol }, rank }) => {
          const image = Option.getOrUndefined(listed)?.value.byId.get(id)?.image ?? null
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
      }, answering),
      global: Effect.fnUntraced(function* () {
        const global = yield* globalMarkets.current
        const { observedAt, value } = global
        const { parts, rateOf } = yield* quoting.dollarRates(vsCurrencies)
        const money = (usd: number | null) => inEach((vs) => inVs(usd, rateOf(vs)))
        const shares = Object.entries({ btc: figure(value.btc_dominance), eth: figure(value.eth_dominance) })
        return answered(
          {
            data: shaped(GlobalData, {
              active_cryptocurrencies: figure(value.active_coins),
              total_market_cap: money(value.market_cap),
              total_volume: money(value.volume_24h),
              market_cap_percentage: Object.fromEntries(shares.filter(([, share]) => share !== null)),
              market_cap_change_percentage_24h_usd: figure(value.market_cap_change_24h),
              updated_at: Math.floor(observedAt.epochMilliseconds / 1000)
            })
          },
          joined([stampOf(global), ...parts])
        )
      }, answering),
      // 1 bitcoin: the nine fiats are the prices of `/v1/price`, the others the conversions of `/v1/convert`.
      exchangeRates: Effect.fnUntraced(function* () {
        const bitcoin = yield* coins.coin(vsCoins.btc)
        const quotes = yield* quoting.quotes([bitcoin], vsCurrencies)
        const published = yield* Effect.match(fx.current, {
          onFailure: () => ({}),
          onSuccess: ({ value }) => value.rates
        })
        const converted = (code: string) =>
          conversions.convert({ _tag: "Coin", id: vsCoins.btc }, { _tag: "Fiat", code }, Quotes.one).pipe(
            Effect.map(({ rate, source, updated }) => ({ price: rate, source, updated })),
            Effect.orElseSucceed(() => undefined)
          )

        const rows: Array<readonly [code: string, row: object]> = []
        const parts = [stampOf(bitcoin)]
        for (const [code, name, unit] of coinNames) {
          const quote = quotes(bitcoin, code)
          if (quote === undefined) continue
          parts.push(quote)
          rows.push([code, { name, unit, value: figure(quote.price), type: "crypto" }])
        }
        for (const [code, [name, unit]] of Object.entries(currencies)) {
          const fiat = code.toUpperCase()
          const isQuoted = vsCurrencies.includes(code)
          const quote = isQuoted ? quotes(bitcoin, code) : fiat in published ? yield* converted(fiat) : undefined
          if (quote === undefined) continue
          parts.push(quote)
          rows.push([code, { name, unit, value: figure(quote.price), type: "fiat" }])
        }
        return answered({ rates: Object.fromEntries(rows) }, joined(parts))
      }, answering)
    })
  })
).pipe(Layer.provide(EndpointMiddleware))
