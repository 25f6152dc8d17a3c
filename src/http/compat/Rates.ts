// The rates of `/v1/convert` by currency code, for the compat APIs. A fiat has no rate here if people pay a street rate but only the
// official rate is known, because these shapes cannot say which rate they show.
import { type BigDecimal, Effect } from "effect"
import type { Basis } from "../../domain/Conversion.ts"
import { type Asset, type Conversions, NoPrice } from "../../services/Conversions.ts"
import { assetOf } from "./Quotes.ts"

export const make = (conversions: Pick<Conversions["Service"], "convert" | "rate" | "isMisquoted">, basis: Basis) => {
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

  /** The rates of a currency in others. Those without a rate now are omitted; if all are, it fails with the first failure. */
  const each = Effect.fnUntraced(function* (from: string, codes: ReadonlyArray<string>) {
    const [found, failures] = yield* Effect.partition(codes, (code) =>
      Effect.map(rateOf(from, code), (rate) => ({ ...rate, code }))
    )
    const [failure] = failures
    return found.length === 0 && failure !== undefined ? yield* failure : found
  })

  return { convert, each, rateOf }
}
