// The currencies that programs made for other services ask for figures in: fiats, and the coins that CoinGecko quotes in.
import { isInUse } from "./Fiat.ts"
import { quotedFiats } from "./QuotedFiat.ts"
import { asciiUpper } from "./asciiCase.ts"

export const BITCOIN = "bitcoin"

/** Coins by their code as a currency: those of CoinGecko's list that are among the largest, which are always held. */
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

/** The id of the coin with this code (in lower case); none for a fiat. */
export const coinOfVs = (vs: string): string | undefined => coinsByCode.get(vs)

/** Parts of a bitcoin that CoinGecko quotes in, and how many of them are one. */
const bitcoinParts: Readonly<Record<string, number>> = { bits: 1_000_000, sats: 100_000_000 }

/** Their codes, in lower case. */
export const partCodes: ReadonlyArray<string> = Object.keys(bitcoinParts)

/** The currency that a code in lower case counts in, and how many of the code are one of that. */
export const unitOf = (vs: string): { readonly of: string; readonly count: number } => {
  const count = Object.hasOwn(bitcoinParts, vs) ? bitcoinParts[vs] : undefined
  return count === undefined ? { of: vs, count: 1 } : { of: "btc", count }
}

/** The codes that are always quoted, in lower case: the coins, and the fiats of `/v1/price`. */
export const steadyCurrencies: ReadonlyArray<string> = [
  ...coinsByCode.keys(),
  ...quotedFiats.map((fiat) => fiat.toLowerCase())
]

/** Whether a code in lower case is that of a coin or of a fiat in use. */
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

/** The currency's sign, such as ₦; `null` where it has none. */
export const signOf = (code: string): string | null => {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" })
    .formatToParts(0)
    .find(({ type }) => type === "currency")
  return parts === undefined || parts.value === code ? null : parts.value
}
