// The currencies of the compat APIs: fiats, and the coins that CoinGecko quotes in.
import { isInUse } from "./Fiat.ts"
import { quotedFiats } from "./QuotedFiat.ts"
import { asciiUpper } from "./asciiCase.ts"

export const BITCOIN = "bitcoin"

/** Coin ids by currency code: those of CoinGecko's list that are among the largest coins, whose prices are always cached. */
const coinsByCode: ReadonlyMap<string, string> = new Map([
  ["btc", BITCOIN],
  ["eth", "ethereum"],
  ["ltc", "litecoin"],
  ["bch", "bitcoin-cash"],
  ["bnb", "binancecoin"],
  ["xrp", "ripple"],
  ["xlm", "stellar"],
  ["link", "chainlink"],
  ["dot", "polkadot"],
  ["sol", "solana"]
])

/** The id of the coin with this code (lower case); `undefined` for a fiat. */
export const coinOfVs = (vs: string): string | undefined => coinsByCode.get(vs)

/** The fractions of a bitcoin that CoinGecko quotes in, with their number per bitcoin. */
const bitcoinParts: Readonly<Record<string, number>> = { bits: 1_000_000, sats: 100_000_000 }

/** The codes of {@link bitcoinParts}, in lower case. */
export const partCodes: ReadonlyArray<string> = Object.keys(bitcoinParts)

/** The currency of a code (lower case). `count`: units of the code in one unit of the currency. */
export const unitOf = (vs: string): { readonly of: string; readonly count: number } => {
  const count = Object.hasOwn(bitcoinParts, vs) ? bitcoinParts[vs] : undefined
  return count === undefined ? { of: vs, count: 1 } : { of: "btc", count }
}

/** The codes (lower case) that are always quoted: the coins, and the fiats of `/v1/price`. */
export const steadyCurrencies: ReadonlyArray<string> = [
  ...coinsByCode.keys(),
  ...quotedFiats.map((fiat) => fiat.toLowerCase())
]

/** Whether a code (lower case) is that of a coin or of a fiat in use. */
export const isVsCurrency = (vs: string): boolean => coinOfVs(vs) !== undefined || isInUse(asciiUpper(vs))

const coinNames: Readonly<Record<string, string>> = {
  BTC: "Bitcoin",
  ETH: "Ether",
  LTC: "Litecoin",
  BCH: "Bitcoin Cash",
  BNB: "Binance Coin",
  XRP: "XRP",
  XLM: "Lumens",
  LINK: "Chainlink",
  DOT: "Polkadot",
  SOL: "Solana"
}

const names = new Intl.DisplayNames("en", { type: "currency" })

/** The English name of a fiat or a coin by its code in upper case, such as `Kenyan Shilling`. */
export const nameOfCurrency = (code: string): string => coinNames[code] ?? names.of(code) ?? code

/** The currency's sign, such as ₦; `null` if it has none. */
export const signOf = (code: string): string | null => {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")
  return parts === undefined || parts.value === code ? null : parts.value
}
