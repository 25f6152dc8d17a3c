// Words for conversions without a rate, and for those whose rate is not the one that people pay.
import type { Conversion, Figure, Problem } from "./Answers.ts"
import { coins, nameOf, shortMoney } from "./Figures.ts"
import type { Asset } from "./Route.ts"

export interface Pair {
  readonly from: Asset
  readonly to: Asset
}

/** Why there is no result, for who knows no API. `mid`: the rate of the pair. */
export const lackOf = (
  { available, code, detail = "", fiat = "", title }: Problem,
  { from, to }: Pair,
  basis: "customer" | "mid" | "official",
  mid: Figure | undefined
): string => {
  if (code === "too_thin" && available !== undefined) {
    const isTarget = to.asked === `fiat:${fiat}` && mid !== undefined
    const part = isTarget ? ` (${coins(Number(available) / Number(mid))} ${from.symbol})` : ""
    return `P2P offers cover about ${shortMoney(fiat)(available)}${part} of it now. Try a smaller amount.`
  }
  // The problem names the currency by its code.
  const named = new Set(detail.split(/\W+/))
  const currency = [to, from].find(({ asked, symbol }) => asked.startsWith("fiat:") && named.has(symbol))
  if (code === "no_price" && currency !== undefined) {
    return `No ${basis === "official" ? "official rate" : "rate"} of the ${currency.name} is known today.`
  }
  return detail === "" ? title : detail
}

/**
 * Says that a conversion uses the official rate of a fiat that people exchange at another rate, because the market of that fiat is not
 * followed; `undefined` for other conversions.
 */
export const onlyOfficial = (legs: Conversion["legs"]): string | undefined => {
  const fiats = legs
    .filter(({ street }) => street === "not_followed")
    .map(({ from, to }) => nameOf(from === "USD" ? to : from))
  return fiats.length === 0
    ? undefined
    : `at the official rate of the ${fiats.join(" and the ")}. People pay another rate, which is not known here`
}
