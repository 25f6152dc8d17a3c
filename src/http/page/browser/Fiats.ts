// The fiats that prices are quoted in, as the page offers them: that of the usual P2P market first.
import { isQuotedFiat, type QuotedFiat, quotedFiats } from "../../../domain/QuotedFiat.ts"

export const fiats: ReadonlySet<QuotedFiat> = new Set(["NGN", ...quotedFiats])

/** Whether a code, in any case, is one of them. */
export const isFiat = isQuotedFiat
