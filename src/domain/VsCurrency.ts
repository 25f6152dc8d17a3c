// The currencies that programs made for CoinGecko may ask for figures in: the nine fiats, and coins that CoinGecko quotes in.
import { quotedFiats } from "./Fiat.ts"

/** Coins by the code that CoinGecko has for them as a currency. */
export const vsCoins = { btc: "bitcoin", eth: "ethereum" } as const

/** Every code, in lower case. */
export const vsCurrencies: ReadonlyArray<string> = [
  ...Object.keys(vsCoins),
  ...quotedFiats.map((fiat) => fiat.toLowerCase())
]

/** The id of the coin that a code stands for; none for a fiat. */
export const coinOfVs = (vs: string): string | undefined => (vs === "btc" || vs === "eth" ? vsCoins[vs] : undefined)
