// The quoted fiats: the only code of the service that the page's script imports.
export { isQuotedFiat, quotedFiats } from "../../../domain/QuotedFiat.ts"
