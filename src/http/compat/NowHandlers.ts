// CoinGecko's endpoints for current data. All figures come from the services behind `/v1`.
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AssetPlatform, Found, GlobalData } from "../../api/coingecko/Answers.ts"
import { CoinGeckoApi, type QueryOf } from "../../api/coingecko/CoinGeckoApi.ts"
import { shaped } from "../../api/coingecko/shaped.ts"
import { BITCOIN, coinOfVs, nameOfCurrency, unitOf } from "../../domain/VsCurrency.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { GlobalMarkets } from "../../services/GlobalMarkets.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import { figure } from "../handlers/figure.ts"
import { refusing } from "../handlers/refusing.ts"
import { joined, stampOf } from "../handlers/Stamp.ts"
import { coinOfContract } from "./coinOfContract.ts"
import { coinShape } from "./CoinShape.ts"
import { jsonResponse, imageOf, inEachOf, inVs } from "./CompatAnswer.ts"
import * as Currencies from "./Currencies.ts"
import data from "./data/currencies.json" with { type: "json" }
import { marketList } from "./marketList.ts"
import * as Quotes from "./Quotes.ts"
import { simplePrice, tokenPrice } from "./simplePrice.ts"
import * as TickerList from "./TickerList.ts"

const MOST_FOUND = 25

/** CoinGecko's names and units of fiats. */
const listed: Readonly<Record<string, ReadonlyArray<string>>> = data

/** A row of `/exchange_rates`, with CoinGecko's name and unit if it has them. */
const rateRow = (vs: string, rate: number) => {
  const code = vs.toUpperCase()
  const [name = nameOfCurrency(code), unit = code] = listed[vs] ?? []
  return { name, unit, value: figure(rate), type: coinOfVs(unitOf(vs).of) === undefined ? "fiat" : "crypto" }
}

export const NowHandlers = HttpApiBuilder.group(
  CoinGeckoApi,
  "coingecko",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const globalMarkets = yield* GlobalMarkets
    const conversions = yield* Conversions
    const quoting = Quotes.make(conversions)
    const currencies = Currencies.withParts(Currencies.make(yield* ExchangeRates, conversions))

    const tickers = yield* TickerList.make(coins, quoting)

    const coinAnswer = Effect.fnUntraced(function* (id: string, query: QueryOf<"coin">) {
      const coin = yield* coins.coin(id)
      const platforms = yield* coins.platforms(id)
      const vss = query.market_data === false ? [] : yield* currencies.all
      const quotes = yield* quoting.quotes([coin], vss)
      const { parts, rateOf } = yield* quoting.dollarRates(vss)
      const used = vss.flatMap((vs) => quotes(coin, vs) ?? [])
      return jsonResponse(
        coinShape(coin, platforms, { quotes, rateOf, inEach: inEachOf(vss) }, query),
        joined([stampOf(coin), ...used, ...parts])
      )
    })

    return handlers.handleAll({
      ping: () => Effect.succeed(jsonResponse({ gecko_says: "(V3) To the Moon!" })),
      vsCurrencies: () => Effect.map(currencies.all, (vss) => jsonResponse(vss)).pipe(Patience.shared),
      simplePrice: ({ query }) => simplePrice(quoting, currencies, query).pipe(refusing),
      tokenPrice: ({ params, query }) => tokenPrice(coins, quoting, currencies, params.platform, query).pipe(refusing),
      list: ({ query }) =>
        coins.registry.pipe(
          Effect.map((registry) =>
            jsonResponse(
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
      markets: ({ query }) => marketList(coins, quoting, currencies, query).pipe(refusing),
      platforms: () =>
        coins.registry.pipe(
          Effect.map((registry) => {
            const ids = new Set(registry.value.flatMap(({ platforms }) => Object.keys(platforms ?? {})))
            const named = [...ids].filter((id) => id !== "").toSorted()
            return jsonResponse(
              named.map((id) => shaped(AssetPlatform, { id, name: id })),
              stampOf(registry)
            )
          }),
          refusing
        ),
      coin: ({ params: { id }, query }) => coinAnswer(id, query).pipe(refusing),
      contract: ({ params: { contract_address: address, id: platform }, query }) =>
        coinOfContract(coins, platform, address).pipe(
          Effect.flatMap((id) => coinAnswer(id, query)),
          refusing
        ),
      tickers: ({ params: { id }, query }) => tickers(id, query).pipe(refusing),
      search: Effect.fnUntraced(function* ({ query }) {
        const found = yield* coins.search(query.query, MOST_FOUND)
        const list = yield* Effect.option(coins.list)
        const rows = found.value.map(({ coin: { id, name, symbol }, rank }) => {
          const image = Option.getOrUndefined(list)?.value.byId.get(id)?.image ?? null
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
        return jsonResponse(shaped(Found, { coins: rows }), stampOf(found))
      }, refusing),
      global: Effect.fnUntraced(function* () {
        const global = yield* globalMarkets.current
        const { observedAt, value } = global
        const vss = yield* currencies.all
        const { parts, rateOf } = yield* quoting.dollarRates(vss)
        const money = (usd: number | null) => inEachOf(vss)((vs) => inVs(usd, rateOf(vs)))
        const shares = Object.entries({ btc: figure(value.btc_dominance), eth: figure(value.eth_dominance) })
        return jsonResponse(
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
      }, refusing),
      exchangeRates: Effect.fnUntraced(function* () {
        const bitcoin = yield* coins.coin(BITCOIN)
        const vss = yield* currencies.all
        const quotes = yield* quoting.quotes([bitcoin], vss)
        const rows = vss.flatMap((vs) => {
          const quote = quotes(bitcoin, vs)
          return quote === undefined ? [] : [{ ...quote, vs }]
        })
        const rates = rows.map(({ price, vs }) => [vs, rateRow(vs, price)] as const)
        return jsonResponse({ rates: Object.fromEntries(rates) }, joined([stampOf(bitcoin), ...rows]))
      }, refusing)
    })
  })
)
