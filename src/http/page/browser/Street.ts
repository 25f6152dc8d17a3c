// Words for conversions whose rate is not the one that people pay.
import type { Conversion } from "./Answers.ts"
import { nameOf } from "./Figures.ts"

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
