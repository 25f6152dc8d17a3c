// The rates of `/v1/convert` between currencies by their codes, for programs that ask in other shapes.
import { type BigDecimal, Effect } from "effect"
import type { Basis } from "../../domain/Conversion.ts"
import type { Conversions } from "../../services/Conversions.ts"
import { assetOf, one } from "./Quotes.ts"

export const make = (conversions: Pick<Conversions["Service"], "convert">, basis: Basis | undefined) => {
  /** An amount of one currency in another; codes in upper case. */
  const convert = (from: string, to: string, amount: BigDecimal.BigDecimal = one) =>
    conversions.convert(assetOf(from.toLowerCase()), assetOf(to.toLowerCase()), amount, basis)

  /** 1 of a currency in others, by code. Those without a rate now are left out; where none has one, it fails as the first does. */
  const each = Effect.fnUntraced(function* (from: string, codes: ReadonlyArray<string>) {
    const [found, failures] = yield* Effect.partition(codes, (code) =>
      Effect.map(convert(from, code), (conversion) => ({ ...conversion, code }))
    )
    const [failure] = failures
    return found.length === 0 && failure !== undefined ? yield* failure : found
  })

  return { convert, each }
}
