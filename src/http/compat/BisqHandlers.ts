// Bitcoin in every currency in the shape of Bisq's price nodes. Every figure is a rate of `/v1/convert`.
import { Effect, Order } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BisqApi } from "../../api/compat/BisqApi.ts"
import { BITCOIN } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import { ExchangeRates } from "../../services/ExchangeRates.ts"
import { figure } from "../handlers/figure.ts"
import { refusing } from "../handlers/refusing.ts"
import { joined } from "../handlers/Stamp.ts"
import { jsonResponse } from "./CompatAnswer.ts"
import * as Currencies from "./Currencies.ts"
import * as Rates from "./Rates.ts"

/** The coins that people trade for bitcoin there. */
const COINS = { BCH: "bitcoin-cash", DOGE: "dogecoin", ETH: "ethereum", LTC: "litecoin", XMR: "monero" }

const byCode = Order.mapInput(Order.String, ({ currencyCode }: { readonly currencyCode: string }) => currencyCode)

export const BisqHandlers = HttpApiBuilder.group(
  BisqApi,
  "bisq",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions
    const rates = yield* ExchangeRates
    return handlers.handleAll({
      getAllMarketPrices: Effect.fnUntraced(function* ({ query: { basis } }) {
        const fiats = yield* Currencies.make(rates, conversions, basis).fiats
        const found = yield* Rates.make(conversions, basis).each("BTC", fiats)
        const [coins] = yield* Effect.partition(Object.entries(COINS), ([code, id]) =>
          Effect.map(conversions.rate({ _tag: "Coin", id }, { _tag: "Coin", id: BITCOIN }, basis), (rate) => ({
            ...rate,
            code
          }))
        )
        const all = [...found, ...coins]
        const data = all.map(({ code, rate, source, updated }) => ({
          currencyCode: code,
          price: figure(rate),
          timestampSec: updated.epochMilliseconds,
          provider: source
        }))
        const stamp = joined(all)
        const body = { ratesTs: stamp?.updated.epochMilliseconds ?? 0, ratesCount: data.length }
        return jsonResponse({ ...body, data: data.toSorted(byCode) }, stamp)
      }, refusing)
    })
  })
)
