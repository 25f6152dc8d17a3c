// The rates of `/v1/convert` between currencies by their codes, for programs that ask in other shapes. There is none of a fiat whose
// official rate alone is known, though people pay another: these shapes cannot say so.
import { type BigDecimal, Effect } from "effect"
import type { Basis } from "../../domain/Conversion.ts"
import { type Asset, type Conversions, NoPrice } from "../../services/Conversions.ts"
import { assetOf } from "./Quotes.ts"

export const make = (
  conversions: Pick<Conversions["Service"], "convert" | "rate" | "isMisquoted">,
  basis: Basis | undefined
) => {
  const orNoPrice =
    <A, E>(asked: (from: Asset, to: Asset) => Effect.Effect<A, E>) =>
    (from: string, to: string): Effect.Effect<A, E | NoPrice> =>
      Effect.suspend((): Effect.Effect<A, E | NoPrice> => {
        const misquoted = [from, to].find((code) => conversions.isMisquoted(code, basis))
        return misquoted === undefined
          ? asked(assetOf(from.toLowerCase()), assetOf(to.toLowerCase()))
          : Effect.fail(new NoPrice({ asset: misquoted }))
      })

  /** The rate of one currency in another; codes in upper case. */
  const rateOf = orNoPrice((from, to) => conversions.rate(from, to, basis))

  /** An amount of one currency in another. */
  const convert = (from: string, to: string, amount: BigDecimal.BigDecimal) =>
    orNoPrice((one, other) => conversions.convert(one, other, amount, basis))(from, to)

  /** The rate of a currency in others, by code. Those without a rate now are left out; where none has one, it fails as the first does. */
  const each = Effect.fnUntraced(function* (from: string, codes: ReadonlyArray<string>) {
    const [found, failures] = yield* Effect.partition(codes, (code) =>
      Effect.map(rateOf(from, code), (rate) => ({ ...rate, code }))
    )
    const [failure] = failures
    return found.length === 0 && failure !== undefined ? yield* failure : found
  })

  return { convert, each, rateOf }
}
