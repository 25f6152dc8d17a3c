// The fiats that prices are quoted in, as the page offers them: that of the usual P2P market first.
import { isQuotedFiat, type QuotedFiat, quotedFiats } from "../../../domain/QuotedFiat.ts"

export const fiats: ReadonlySet<QuotedFiat> = new Set(["NGN", ...quotedFiats])

/** Seconds after which what a fiat's rate is part of is stale: the rate is that of the last working day. */
export const STALE_AFTER = 4 * 86_400

/** Whether a code, in any case, is one of them. */
export const isFiat = isQuotedFiat
