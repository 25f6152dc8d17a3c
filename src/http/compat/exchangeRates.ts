// `/exchange_rates`: 1 bitcoin in coins and fiats, in CoinGecko's list of currencies. The nine fiats are the prices of
// `/v1/price`, the others the conversions of `/v1/convert`.
import { BigDecimal, Effect } from "effect"
import { quotedFiats } from "../../domain/Fiat.ts"
import { vsCoins } from "../../domain/VsCurrency.ts"
import type { Coins } from "../../services/Coins.ts"
import type { Conversions } from "../../services/Conversions.ts"
import type { ExchangeRates } from "../../services/ExchangeRates.ts"
import { figure, joined, stampOf } from "../handlers/Answer.ts"
import { answered } from "./CompatAnswer.ts"
import data from "./data/currencies.json" with { type: "json" }
import * as Quotes from "./Quotes.ts"

const one = BigDecimal.fromBigInt(1n)

const BITCOIN = vsCoins.btc

/** Names and units of CoinGecko's currencies. */
const currencies: Readonly<Record<string, ReadonlyArray<string>>> = data

const coinNames = [
  ["btc", "Bitcoin", "BTC"],
  ["eth", "Ether", "ETH"]
] as const

export const exchangeRates = Effect.fnUntraced(function* (services: {
  readonly coins: Coins["Service"]
  readonly conversions: Conversions["Service"]
  readonly fx: ExchangeRates["Service"]
}) {
  const { coins, conversions, fx } = services
  const bitcoin = yield* coins.coin(BITCOIN)
  const quoted = quotedFiats.map((fiat) => fiat.toLowerCase())
  const quotes = yield* Quotes.make(conversions, coins).quotes([bitcoin], [...coinNames.map(([vs]) => vs), ...quoted])
  const published = yield* Effect.match(fx.current, { onFailure: () => ({}), onSuccess: ({ value }) => value.rates })

  const rows: Array<readonly [code: string, row: object]> = []
  const parts = [stampOf(bitcoin)]
  for (const [code, name, unit] of coinNames) {
    const quote = quotes(bitcoin, code)
    if (quote !== undefined) rows.push([code, { name, unit, value: figure(quote.price), type: "crypto" }])
  }
  for (const [code, [name, unit]] of Object.entries(currencies)) {
    const quote = quoted.includes(code)
      ? quotes(bitcoin, code)
      : code.toUpperCase() in published
        ? yield* conversions
            .convert({ _tag: "Coin", id: BITCOIN }, { _tag: "Fiat", code: code.toUpperCase() }, one)
            .pipe(
              Effect.map(({ rate, source, updated }) => ({ price: rate, source, updated })),
              Effect.orElseSucceed(() => undefined)
            )
        : undefined
    if (quote === undefined) continue
    parts.push(quote)
    rows.push([code, { name, unit, value: figure(quote.price), type: "fiat" }])
  }
  return answered({ rates: Object.fromEntries(rows) }, joined(parts))
})
