// The fiats that prices are quoted in: the one part of the service that the page's script has too.
export { isQuotedFiat, quotedFiats } from "../../../domain/QuotedFiat.ts"
