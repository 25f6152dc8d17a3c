// Currencies and their basis in the parameters of programs made for other services.
import { Schema } from "effect"
import { asciiLower, asciiUpper } from "../../domain/asciiCase.ts"
import { isOtherUnit } from "../../domain/otherUnits.ts"
import { isVsCurrency } from "../../domain/VsCurrency.ts"
import { BASES } from "../../domain/Conversion.ts"
import { parameter, readAs } from "../Parameter.ts"
import { FiatBasis } from "../Parameters.ts"

/** The query of an endpoint whose path may begin with a basis. */
export const ofBasis = { basis: FiatBasis }

/** What the documents say of it. */
export const BASIS_TEXT =
  `\`${BASES.join("`, `")}\` may stand as a segment of its own after the base address: which rate of the fiats with a P2P market ` +
  "is used, as `basis` of `/v1/convert` says."

/** The code of a fiat, or of a coin that serves as a currency: read in any case, returned in upper case. */
export const Currency = parameter(
  readAs(
    Schema.String.check(Schema.makeFilter((text: string) => !isOtherUnit(text) && isVsCurrency(asciiLower(text)))),
    asciiUpper,
    Schema.String
  ),
  "a fiat's code, or one of BTC, ETH, LTC, BCH, BNB, XRP, XLM, LINK, DOT and SOL",
  { minLength: 3, maxLength: 4, examples: ["KES"] }
)
