// Rates of pairs in the shape of a BTCPay Server. Every figure is a rate of `/v1/convert`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { btcPayAt } from "../../api/compat/BtcPayApi.ts"
import type { Basis } from "../../domain/Conversion.ts"
import { isVsCurrency, nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import { figure } from "../handlers/figure.ts"
import { refusing } from "../handlers/refusing.ts"
import { joined } from "../handlers/Stamp.ts"
import { jsonResponse } from "./CompatAnswer.ts"
import * as Rates from "./Rates.ts"
import { asciiLower } from "../../domain/asciiCase.ts"

export const btcPayHandlers = (basis: Basis | undefined) =>
  HttpApiBuilder.group(
    btcPayAt(basis),
    "btcpay",
    Effect.fn(function* (handlers) {
      const { rateOf } = Rates.make(yield* Conversions, basis)

      return handlers.handleAll({
        rates: Effect.fnUntraced(function* ({ query: { currencyPairs } }) {
          const pairs = currencyPairs
            .map((pair) => pair.split("_"))
            .filter((codes) => codes.every((code) => isVsCurrency(asciiLower(code))))
          const [found, failures] = yield* Effect.partition(pairs, ([cryptoCode = "", code = ""]) =>
            Effect.map(rateOf(cryptoCode, code), (found) => ({ ...found, cryptoCode, code }))
          )
          const away = failures.find(({ _tag }) => _tag === "Unavailable")
          if (found.length === 0 && away !== undefined) return yield* away
          const rows = found.map(({ code, cryptoCode, rate }) => ({
            name: nameOfCurrency(code),
            cryptoCode,
            currencyPair: `${cryptoCode}_${code}`,
            code,
            rate: figure(rate)
          }))
          return jsonResponse(rows, joined(found))
        }, refusing)
      })
    })
  )
