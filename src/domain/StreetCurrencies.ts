// The currencies whose street rate is known to differ from the official one by more than 5 %, by ISO 4217 code. If the market of such a
// currency is not followed, its official rate is marked, and APIs that cannot show the mark omit it. The table has the largest difference in
// its source in percent of the official rate, null if the source has no figures, and in `about` the two rates it is computed from.
import streetCurrencies from "./streetCurrencies.json" with { type: "json" }

/** Whether a currency has a known street rate. `code`: in upper case. */
export const hasStreetRate = (code: string): boolean => Object.hasOwn(streetCurrencies, code)
