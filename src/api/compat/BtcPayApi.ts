// The contract for programs that read the rates of a BTCPay Server: its path and shape, answered with the rates of `/v1/convert`.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { jsonNumber } from "../../domain/JsonNumber.ts"
import { isOtherUnit } from "../../domain/otherUnits.ts"
import { cacheable } from "../Described.ts"
import { jsonDialect } from "../Dialect.ts"
import { parameter } from "../Parameter.ts"
import { itemsIn, listOf } from "../Parameters.ts"
import { NoPrice, UnknownCoin } from "../Problems.ts"
import { compatContract } from "./CompatDocument.ts"
import { BASIS_TEXT, Currency, ofBasis } from "./Currency.ts"
import { documentedErrors, write } from "./plainErrors.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"

export const BTCPAY_BASE = "/compat/btcpay"

const MOST_PAIRS = 200
const EXAMPLE = "BTC_NGN,BTC_USD"

export const btcPay = jsonDialect(BTCPAY_BASE, write, true)

/** A pair as `BTC_EUR`, from that or from `BTCEUR`, in any case. */
const pairOf = (text: string): string | undefined => {
  const found = /^([a-z0-9]{2,10})_([a-z0-9]{2,10})$/i.exec(text) ?? /^([a-z]{3})([a-z]{3})$/i.exec(text)
  return found === null || found.slice(1).some(isOtherUnit) ? undefined : asciiUpper(`${found[1]}_${found[2]}`)
}

/** Pairs as `BTC_EUR`, each once. */
const Pairs = parameter(
  listOf(Schema.String, MOST_PAIRS, (text) => itemsIn(text).map(pairOf)),
  `1 to ${MOST_PAIRS} pairs separated by commas, such as ${EXAMPLE}`,
  { minLength: 6, examples: [EXAMPLE] }
)

const StoreId = parameter(Schema.String, "a store's id, which means nothing here")

const store = { ...ofBasis, storeId: Schema.optionalKey(StoreId) }
const pairsQuery = { currencyPairs: Pairs, ...store }

const Rate = Schema.Struct({
  name: Schema.String.annotate({ description: "The name of the second currency" }),
  cryptoCode: Schema.String,
  currencyPair: Schema.String,
  code: Schema.String,
  rate: jsonNumber("Units of the second currency for 1 of the first")
}).annotate({ identifier: "Rate" })

const Group = HttpApiGroup.make("btcpay", { topLevel: true })
  .add(
    HttpApiEndpoint.get("rates", "/api/rates", {
      query: pairsQuery,
      success: Schema.Array(Rate),
      error: [NoPrice, UnknownCoin]
    }).annotateMerge(
      cacheable("Rates of pairs", "Pairs of currencies that are not known, or have no rate now, are left out.")
    ),
    HttpApiEndpoint.get("wrappedRates", "/rates", {
      query: pairsQuery,
      success: Schema.Struct({ data: Schema.Array(Rate) }),
      error: [NoPrice, UnknownCoin]
    }).annotateMerge(cacheable("Rates of pairs, in a member", "As `/api/rates`, under `data`.")),
    HttpApiEndpoint.get("wrappedRate", "/rates/:base/:currency", {
      params: { base: Currency, currency: Currency },
      query: store,
      success: Schema.Struct({ data: Rate }),
      error: [NoPrice, UnknownCoin]
    }).annotateMerge(cacheable("The rate of a pair", "`/rates/BTC/NGN` is naira for 1 bitcoin."))
  )
  .annotate(OpenApi.Description, "Rates.")

export const BtcPayApi = compatContract(
  btcPay,
  {
    service: "BTCPay Server",
    version: "1",
    description:
      "The paths, shapes and errors of BTCPay Server's rates, with the rates of this service's `/v1/convert`. Currencies " +
      `are fiats, BTC, ETH, LTC, BCH, BNB, XRP, XLM, LINK, DOT and SOL. Not operated or endorsed by BTCPay Server. ${BASIS_TEXT}`,
    ...documentedErrors
  },
  Group
)
