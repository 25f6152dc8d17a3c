// Rates of pairs in the shape of a BTCPay Server. Every figure is a rate of `/v1/convert`.
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { btcPayAt } from "../../api/compat/BtcPayApi.ts"
import type { Basis } from "../../domain/Conversion.ts"
import { isVsCurrency, nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"
import { figure, joined, type Stamp } from "../handlers/Answer.ts"
import { answered, answering } from "./CompatAnswer.ts"
import * as Rates from "./Rates.ts"

export const btcPayHandlers = (basis: Basis | undefined) =>
  HttpApiBuilder.group(
    btcPayAt(basis),
    "btcpay",
    Effect.fn(function* (handlers) {
      const { convert } = Rates.make(yield* Conversions, basis)

      return handlers.handleAll({
        rates: Effect.fnUntraced(function* ({ query: { currencyPairs } }) {
          const rows: Array<object> = []
          const parts: Array<Stamp> = []
          let away: Unavailable | undefined
          for (const currencyPair of currencyPairs) {
            const [cryptoCode = "", code = ""] = currencyPair.split("_")
            if (!isVsCurrency(cryptoCode.toLowerCase()) || !isVsCurrency(code.toLowerCase())) continue
            const found = yield* Effect.result(convert(cryptoCode, code))
            if (Result.isSuccess(found)) {
              parts.push(found.success)
              rows.push({
                name: nameOfCurrency(code),
                cryptoCode,
                currencyPair,
                code,
                rate: figure(found.success.rate)
              })
            } else if (found.failure._tag === "Unavailable") away ??= found.failure
          }
          return rows.length === 0 && away !== undefined ? yield* away : answered(rows, joined(parts))
        }, answering)
      })
    })
  )
