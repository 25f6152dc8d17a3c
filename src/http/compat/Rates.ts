// The rates of `/v1/convert` between currencies by their codes, for programs that ask in other shapes. There is none of a fiat whose
// official rate alone is known, though people pay another: these shapes cannot say so.
import { type BigDecimal, Effect } from "effect"
import type { Basis } from "../../domain/Conversion.ts"
import { type Conversions, NoPrice } from "../../services/Conversions.ts"
import { assetOf, one } from "./Quotes.ts"

export const make = (
  conversions: Pick<Conversions["Service"], "convert" | "isMisquoted">,
  basis: Basis | undefined
) => {
  /** An amount of one currency in another; codes in upper case. */
  const convert = (from: string, to: string, amount: BigDecimal.BigDecimal = one) =>
    Effect.suspend(() => {
      const misquoted = [from, to].find((code) => conversions.isMisquoted(code, basis))
      return misquoted === undefined
        ? conversions.convert(assetOf(from.toLowerCase()), assetOf(to.toLowerCase()), amount, basis)
        : Effect.fail(new NoPrice({ asset: misquoted }))
    })

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
