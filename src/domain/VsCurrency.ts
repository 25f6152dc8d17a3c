// The currencies that programs made for other services ask for figures in: fiats, and the coins that CoinGecko quotes in.
import { isoCurrencies } from "./Fiat.ts"
import { quotedFiats } from "./QuotedFiat.ts"
import { asciiUpper } from "./asciiCase.ts"

/** Coins by their code as a currency. */
export const vsCoins = { btc: "bitcoin", eth: "ethereum" } as const

/** The id of the coin with this code (in lower case); none for a fiat. */
export const coinOfVs = (vs: string): string | undefined => (vs === "btc" || vs === "eth" ? vsCoins[vs] : undefined)

/** The codes that are always quoted, in lower case: the coins, and the fiats of `/v1/price`. */
export const steadyCurrencies: ReadonlyArray<string> = [
  ...Object.keys(vsCoins),
  ...quotedFiats.map((fiat) => fiat.toLowerCase())
]

/** Whether a code in lower case is that of a coin or of a fiat in use. */
export const isVsCurrency = (vs: string): boolean => coinOfVs(vs) !== undefined || isoCurrencies.has(asciiUpper(vs))

const coinNames: Readonly<Record<string, string>> = { BTC: "Bitcoin", ETH: "Ether" }

const names = new Intl.DisplayNames("en", { type: "currency" })

/** The English name of a fiat or a coin by its code in upper case, such as `Kenyan Shilling`. */
export const nameOfCurrency = (code: string): string => coinNames[code] ?? names.of(code) ?? code
