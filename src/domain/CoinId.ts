// Ids of coins in CoinGecko's registry. Any text can be one: `_`, `--3`, ids with dots and ids beyond ASCII exist.
import { asciiLower } from "./asciiCase.ts"

/** The id of USDT. Every price from a P2P market goes through it. */
export const USDT = "tether"

export const USDC = "usd-coin"

/** Normalizes a caller's id: any case of ASCII letters and any Unicode normalization form is accepted. */
export const coinIdOf = (text: string): string => asciiLower(text).normalize("NFC")

/** The most characters of an id, percent-encoded where it is sent to sources. The registry's longest id has about 80. */
export const LONGEST_ID = 200

/**
 * Whether an id can be sent to sources, where up to 250 ids share a URL, separated by commas. Ids that are too long, that
 * contain commas, blanks or control characters, or that `coinIdOf` would change are unknown without a request.
 */
export const isAskable = (id: string): boolean =>
  /^[^\p{C}\p{Z},]+$/u.test(id) && encodeURIComponent(id).length <= LONGEST_ID && coinIdOf(id) === id
