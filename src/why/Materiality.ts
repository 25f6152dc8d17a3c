// Weighs whether an event is large enough to move the coin: the amount that the report names against the size of the
// coin.
import { type EventKind, has, MASKS } from "./Lexicon.ts"
import type { MoverCoin, Move } from "./WhyInput.ts"

/** What the word or letters behind a number multiply it by. */
const scaleOf = (unit: string): number =>
  /^(?:k|th)/.test(unit) ? 1e3 : unit.startsWith("m") ? 1e6 : unit.startsWith("b") ? 1e9 : 1e12

const AMOUNT = new RegExp(
  `(\\$|€|£)?\\s?(\\d[\\d,]*(?:\\.\\d+)?)(?:\\s?(k|mm|mn|m|bn|b|thousand|million|billion|trillion)\\b)?(?:\\s+(?:worth of\\s+)?(?:of\\s+)?(${MASKS.coin}|tokens?|coins?|dollars?|usd\\w?))?`,
  "g"
)

/** The largest amount that a masked text names, in USD, tokens at the price; `null` for none. Currencies are taken for dollars. */
const largestAmount = (text: string, price: number | null): number | null => {
  let largest: number | null = null
  for (const [, currency, digits = "", unit, what] of text.matchAll(AMOUNT)) {
    const isMoney = currency !== undefined || (what !== undefined && /^(?:dollars?|usd)/.test(what))
    const isTokens = !isMoney && what !== undefined && price !== null
    if (!isMoney && !isTokens) continue
    const value =
      Number(digits.replaceAll(",", "")) * (unit === undefined ? 1 : scaleOf(unit)) * (isTokens ? (price ?? 0) : 1)
    if (Number.isFinite(value) && (largest === null || value > largest)) largest = value
  }
  return largest
}

/**
 * A factor, 1 for an event that may move the coin, less for an amount that is too small a share of its market cap: under 0.3 % for exploits and whales, under 0.1 % for the rest.
 */
export const materiality = (kind: EventKind, text: string, coin: MoverCoin, move: Move): number => {
  if (!has("sized", kind)) return 1
  const amount = largestAmount(text, move.price)
  if (amount === null || coin.marketCap === null || amount === 0) return 1
  const share = amount / coin.marketCap
  // Liquidations and purchases by companies stand for more demand than the amount itself.
  const floor = kind === "exploit" || kind === "whale" ? 0.003 : 0.001
  return share >= floor ? 1 : share >= floor / 5 ? 0.6 : 0.3
}
