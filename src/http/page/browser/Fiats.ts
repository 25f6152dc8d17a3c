// The quoted fiats and the spellings of other units: the only code of the service that the page's script imports.
export { isOtherUnit, otherUnit } from "../../../domain/otherUnits.ts"
export { quotedFiats } from "../../../domain/QuotedFiat.ts"
