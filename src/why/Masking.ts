// Replaces names in a text by what they are, so that a pattern can tell what was done to the coin from what was done to
// another, whatever the coin is called.
import { isUsdStablecoin } from "./CoinNames.ts"
import { MASKS } from "./Lexicon.ts"
import { type Field, isCoin, isStrongForm, nounFollows } from "./Scanning.ts"

/** A field in lower case with the coin (`null`: none), other coins and exchanges masked. */
export const masked = (field: Field, coinId: string | null): string => {
  let text = ""
  let at = 0
  for (const { start, end, value } of field.names) {
    if (start < at || value.role === "phrase") continue
    const here = field.names.filter((match) => match.start === start && match.end === end)
    const isOwn = here.some((match) => match.value.coinId === coinId && match.value.role !== "venue")
    const isExchange = here.some((match) => match.value.role === "exchange" || match.value.role === "venue")
    const isOther = here.some(
      (match) =>
        isCoin(match.value) &&
        (!match.value.ambiguous || isStrongForm(field.text, match) || nounFollows(field, match.end))
    )
    const mask = isOwn ? MASKS.coin : isExchange ? MASKS.exch : isOther ? MASKS.other : null
    if (mask === null) continue
    // A stablecoin's name tells what it is: its price is its peg.
    text += field.lower.slice(at, start) + mask + (isUsdStablecoin(value.surface) ? " stablecoin" : "")
    at = end
  }
  return text + field.lower.slice(at)
}
