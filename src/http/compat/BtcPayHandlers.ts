// Rates of pairs in the shape of a BTCPay Server. Every figure is a rate of `/v1/convert`.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BtcPayApi } from "../../api/compat/BtcPayApi.ts"
import type { Basis } from "../../domain/Conversion.ts"
import { isVsCurrency, nameOfCurrency } from "../../domain/VsCurrency.ts"
import { Conversions } from "../../services/Conversions.ts"
import { figure } from "../handlers/figure.ts"
import { refusing } from "../handlers/refusing.ts"
import { joined } from "../handlers/Stamp.ts"
import { jsonResponse } from "./CompatAnswer.ts"
import * as Rates from "./Rates.ts"
import { asciiLower } from "../../domain/asciiCase.ts"

interface PairsQuery {
  readonly basis: Basis
  readonly currencyPairs: ReadonlyArray<string>
}

export const BtcPayHandlers = HttpApiBuilder.group(
  BtcPayApi,
  "btcpay",
  Effect.fn(function* (handlers) {
    const conversions = yield* Conversions

    const rowOf = Effect.fnUntraced(function* (cryptoCode: string, code: string, basis: Basis) {
      const found = yield* Rates.make(conversions, basis).rateOf(cryptoCode, code)
      const currencyPair = `${cryptoCode}_${code}`
      return { row: { name: nameOfCurrency(code), cryptoCode, currencyPair, code, rate: figure(found.rate) }, found }
    })

    /** The rates of pairs. Pairs without a rate are omitted; fails only if all are, and a source is unavailable. */
    const rowsOf = Effect.fnUntraced(function* ({ basis, currencyPairs }: PairsQuery) {
      const pairs = currencyPairs
        .map((pair) => pair.split("_"))
        .filter((codes) => codes.every((code) => isVsCurrency(asciiLower(code))))
      const [rows, failures] = yield* Effect.partition(pairs, ([cryptoCode = "", code = ""]) =>
        rowOf(cryptoCode, code, basis)
      )
      const away = failures.find(({ _tag }) => _tag === "Unavailable")
      if (rows.length === 0 && away !== undefined) return yield* away
      return { data: rows.map(({ row }) => row), stamp: joined(rows.map(({ found }) => found)) }
    })

    return handlers.handleAll({
      rates: ({ query }) => Effect.map(rowsOf(query), ({ data, stamp }) => jsonResponse(data, stamp)).pipe(refusing),
      wrappedRates: ({ query }) =>
        Effect.map(rowsOf(query), ({ data, stamp }) => jsonResponse({ data }, stamp)).pipe(refusing),
      wrappedRate: ({ params: { base, currency }, query: { basis } }) =>
        Effect.map(rowOf(base, currency, basis), ({ found, row }) => jsonResponse({ data: row }, found)).pipe(refusing)
    })
  })
)
