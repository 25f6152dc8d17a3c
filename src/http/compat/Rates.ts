// The rates of `/v1/convert` between currencies by their codes, for programs that ask in other shapes.
import { type BigDecimal, Effect, Result } from "effect"
import type { Basis } from "../../domain/Conversion.ts"
import type { Conversion, Conversions } from "../../services/Conversions.ts"
import type { Failure } from "../../services/RatePaths.ts"
import { assetOf, one } from "./Quotes.ts"

/** A rate by the code of the currency that it is in. */
export type RateIn = readonly [code: string, conversion: Conversion]

export const make = (conversions: Pick<Conversions["Service"], "convert">, basis: Basis | undefined) => {
  /** An amount of one currency in another; codes in upper case. */
  const convert = (from: string, to: string, amount: BigDecimal.BigDecimal = one) =>
    conversions.convert(assetOf(from.toLowerCase()), assetOf(to.toLowerCase()), amount, basis)

  /** 1 of a currency in others. Those without a rate now are left out; where none has one, it fails as the first does. */
  const each = Effect.fnUntraced(function* (from: string, codes: ReadonlyArray<string>) {
    const found: Array<RateIn> = []
    let failure: Failure | undefined
    for (const code of codes) {
      const result = yield* Effect.result(convert(from, code))
      if (Result.isSuccess(result)) found.push([code, result.success])
      else failure ??= result.failure
    }
    return found.length === 0 && failure !== undefined ? yield* failure : found
  })

  return { convert, each }
}
