// Ids of coins in CoinGecko's registry. Any text can be one: `_`, `--3`, ids with dots and ids beyond ASCII exist.
import { asciiLower } from "./asciiCase.ts"

/** The id of USDT, through which every price by a P2P market goes. */
export const USDT = "tether"

/** The id of USDC. */
export const USDC = "usd-coin"

/** The id that a caller means: ids are read in any case of ASCII letters and in any Unicode normalization form. */
export const coinIdOf = (text: string): string => asciiLower(text).normalize("NFC")

/** The most percent-encoded characters of an id that is sent to sources. The registry's longest id has about 80. */
const LONGEST = 200

/**
 * Whether sources can be asked for an id: up to 250 of them share a URL, separated by commas. Ids with commas, blanks,
 * control characters or more characters, and those that `coinIdOf` would change, are unknown without a request.
 */
export const isAskable = (id: string): boolean =>
  /^[^\p{C}\p{Z},]+$/u.test(id) && encodeURIComponent(id).length <= LONGEST && coinIdOf(id) === id
