// The currencies that are quoted now: coins used as currencies, the fiats of `/v1/fx` and those of followed markets. A fiat is omitted
// if people pay a street rate but only the official rate is known, because these shapes cannot say which rate they show.
import { Effect } from "effect"
import { asciiUpper } from "../../domain/asciiCase.ts"
import type { Basis } from "../../domain/Conversion.ts"
import type { FxRates } from "../../domain/FxRates.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { quotedFiats } from "../../domain/QuotedFiat.ts"
import { partCodes, steadyCurrencies, unitOf } from "../../domain/VsCurrency.ts"
import type { Conversions } from "../../services/Conversions.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"

const isSteady = (vs: string): boolean => steadyCurrencies.includes(vs)

export const make = <E>(
  { current }: { readonly current: Effect.Effect<Snapshot<FxRates>, E> },
  { fiatsWithMarkets, isMisquoted }: Pick<Conversions["Service"], "isMisquoted" | "fiatsWithMarkets">,
  basis?: Basis
) => {
  /** Those that need no fiat rate, in upper case. */
  const withoutRate = new Set([...quotedFiats, ...fiatsWithMarkets(basis)])

  /** The fiats, in upper case: those that need no fiat rate, and those of `/v1/fx`. */
  const fiats: Effect.Effect<ReadonlyArray<string>> = Effect.match(current, {
    onFailure: () => [...withoutRate],
    onSuccess: ({ value }) =>
      [...new Set([...withoutRate, ...Object.keys(value.rates)])].filter((code) => !isMisquoted(code, basis))
  })

  const all = Effect.map(fiats, (codes) => [
    ...new Set([...steadyCurrencies, ...codes.map((code) => code.toLowerCase())])
  ])

  /** The codes (lower case) that are quoted. Fails if none of them is always quoted and there are no fiat rates yet. */
  const known = (vss: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>, E> => {
    if (vss.every(isSteady)) return Effect.succeed(vss)
    const steady = vss.filter(isSteady)
    return Effect.matchEffect(current, {
      onFailure: (failure) => (steady.length === 0 ? Effect.fail(failure) : Effect.succeed(steady)),
      onSuccess: ({ value }) =>
        Effect.succeed(
          vss.filter((vs) => {
            const code = asciiUpper(vs)
            return isSteady(vs) || ((code in value.rates || withoutRate.has(code)) && !isMisquoted(code, basis))
          })
        )
    })
  }

  return { all, fiats, known }
}

/** The same with bits and sats, the fractions of a bitcoin that CoinGecko quotes in. */
export const withParts = <E>({ all, fiats, known }: ReturnType<typeof make<E>>) => ({
  fiats,
  all: Effect.map(all, (vss) => [...vss, ...partCodes]),
  known: (vss: ReadonlyArray<string>) =>
    Effect.map(known(vss.map((vs) => unitOf(vs).of)), (held) => vss.filter((vs) => held.includes(unitOf(vs).of)))
})

export type Currencies = ReturnType<typeof make<Unavailable>>
