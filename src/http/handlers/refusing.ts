// Maps service errors and invalid queries to the contract's problems. An endpoint that does not declare one of its problems in `error`
// does not compile.
import { Effect, type Result, Schema } from "effect"
import * as Problems from "../../api/Problems.ts"
import { currenciesNamed, pairNamed, correctionOf } from "../../domain/currenciesNamed.ts"
import { visible } from "../../domain/visible.ts"
import { isInUse } from "../../domain/Fiat.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import type { UnknownCoin } from "../../services/Coins.ts"
import { plain } from "../../domain/Decimal.ts"
import type { NoPrice, TooThin } from "../../services/Conversions.ts"
import type { NoData } from "../../services/history/Past.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"

/** The most characters of a caller's text that an error repeats. */
const LONGEST_REPEATED = 80

/** A caller's text for an error: shortened, without control and formatting characters. */
const repeated = (text: string): string => {
  const cleaned = visible(text.slice(0, 4 * LONGEST_REPEATED))
  const characters = Array.from(cleaned)
  return characters.length <= LONGEST_REPEATED ? cleaned : `${characters.slice(0, LONGEST_REPEATED).join("")}…`
}

/** A sentence if the name is the ticker of suggested coins, else empty. */
const tickerOf = (name: string, suggestions: UnknownCoin["suggestions"]): string => {
  const ids = suggestions.filter(({ symbol }) => symbol === name.toUpperCase()).map(({ id }) => id)
  return ids.length === 0 ? "" : ` Tickers are not ids: ${repeated(name)} is the ticker of ${ids.join(", ")}.`
}

const MOST_SUGGESTED = 5

const didYouMean = (suggestions: UnknownCoin["suggestions"]): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.map(({ id }) => id).join(", ")}?`

/** A parameter whose value is not allowed now, such as a day in the future. */
export class InvalidQuery extends Schema.TaggedError<InvalidQuery>()("InvalidQuery", {
  parameter: Schema.String,
  detail: Schema.String
}) {}

/** A fiat whose P2P market is not followed. `followed`: the codes of those that are. */
export class UnknownMarket extends Schema.TaggedError<UnknownMarket>()("UnknownMarket", {
  fiat: Schema.optionalKey(Schema.String),
  followed: Schema.Array(Schema.String)
}) {}

export class UnknownContract extends Schema.TaggedError<UnknownContract>()("UnknownContract", {
  platform: Schema.String,
  address: Schema.String,
  suggestions: Schema.Array(Problems.Suggestion)
}) {}

/** A parameter of a conversion that names no asset. */
export class UnknownName extends Schema.TaggedError<UnknownName>()("UnknownName", {
  parameter: Schema.Literals(["from", "to"]),
  name: Schema.String,
  suggestions: Schema.Array(Problems.Suggestion)
}) {}

/** No rate of these currencies is known. */
export class NoRate extends Schema.TaggedError<NoRate>()("NoRate", {}) {}

/** A fiat code that another one has replaced. */
export class RetiredCode extends Schema.TaggedError<RetiredCode>()("RetiredCode", { code: Schema.String }) {}

/** An unknown path that the router took for an endpoint with a path parameter. */
export class UnknownPath extends Schema.TaggedError<UnknownPath>()("UnknownPath", {}) {}

export const orInvalid = <A>(
  result: Result.Result<A, { readonly parameter: string; readonly detail: string }>
): Effect.Effect<A, InvalidQuery> => Effect.mapError(Effect.fromResult(result), (fault) => new InvalidQuery(fault))

/** The problem of each failure. */
const problems = {
  InvalidQuery: ({ detail, parameter }: InvalidQuery) =>
    new Problems.InvalidParameter({ detail: `${parameter} ${detail}`, errors: [{ parameter, detail }] }),
  UnknownCoin: ({ id, suggestions }: UnknownCoin) =>
    unknownCoin(`id "${repeated(id)}"`, suggestions, fiatMeant(id), `${tickerOf(id, suggestions)}${pairOf(id)}`),
  UnknownContract: ({ address, platform, suggestions }: UnknownContract) =>
    unknownCoin(`contract "${repeated(address)}" on "${repeated(platform)}"`, suggestions),
  UnknownName: ({ name, parameter, suggestions }: UnknownName) => {
    const old = correctionOf(name)
    const codes = currenciesNamed(name).map(currency)
    const ticker = tickerOf(name, suggestions)
    const both = ticker === "" ? [...codes, ...suggestions] : [...suggestions, ...codes]
    const all = (old === undefined ? both : codes).slice(0, MOST_SUGGESTED)
    return unknownAsset(
      parameter,
      old ?? `"${repeated(name)}" is neither a coin's id nor a fiat's code.${didYouMean(all)}${ticker}${pairOf(name)}`,
      all
    )
  },
  UnknownMarket: ({ fiat = "", followed }: UnknownMarket) =>
    unknownAsset(
      "fiat",
      `${fiatMeant(fiat)}No P2P market of this fiat is followed here; those of ${followed.join(", ")} are.`,
      followed.map(currency)
    ),
  NoPrice: ({ asset }: NoPrice) =>
    new Problems.NoPrice({
      detail: isInUse(asset)
        ? `No rate of ${asset} is known on this basis.`
        : `${repeated(asset)} exists, but no source has a price for it.`
    }),
  RetiredCode: ({ code }: RetiredCode) =>
    unknownAsset("currency", correctionOf(code) ?? "", currenciesNamed(code).map(currency)),
  UnknownPath: (_failure: UnknownPath) => new Problems.NotFound({ detail: "No such path." }),
  NoRate: (_failure: NoRate) => new Problems.NoPrice({ detail: "No rate of this currency is known." }),
  NoData: ({ first, last, why }: NoData) =>
    new Problems.NoData({
      detail: why ?? "Nothing was observed in the 7 days before the time in at.",
      coverage: { from: first, to: last }
    }),
  TooThin: ({ available, fiat }: TooThin) =>
    new Problems.TooThin({
      detail: `The current advertisements fill ${plain(available)} ${fiat} of the amount. Ask for less, or again in 60 s.`,
      fiat,
      available
    }),
  Unavailable: ({ isOff, message, retryAfter }: Unavailable) =>
    Problems.SourceUnavailable.after(
      isOff === true ? undefined : retryAfter,
      isOff === true ? `${message}.` : `${message}. Ask again in ${retryAfter} s.`
    )
}

const currency = (code: string) => ({ id: code, symbol: code, name: nameOfCurrency(code) })

/** A sentence if the name is a fiat's: its code, or what replaced the code and when. Else empty. */
const fiatMeant = (name: string): string => {
  const codes = currenciesNamed(name)
  const text =
    correctionOf(name) ?? (codes.length === 0 ? undefined : `"${repeated(name)}" names the fiat ${codes.join(", ")}.`)
  return text === undefined ? "" : `${text} `
}

/** A sentence if the name is an exchange's pair, else empty. */
const pairOf = (name: string): string => {
  const pair = pairNamed(name)
  return pair === undefined ? "" : ` It looks like a pair: name its sides apart, ${pair[0]} and ${pair[1]}.`
}

const unknownCoin = (subject: string, suggestions: UnknownCoin["suggestions"], before = "", after = "") =>
  new Problems.UnknownCoin({
    detail: `${before}No coin has the ${subject}.${didYouMean(suggestions)}${after}`,
    suggestions
  })

const unknownAsset = (parameter: string, detail: string, suggestions: UnknownCoin["suggestions"]) =>
  new Problems.UnknownAsset({ detail, errors: [{ parameter, detail }], suggestions })

type Table = typeof problems
type FailureOf<Tag extends keyof Table> = Parameters<Table[Tag]>[0]
type ProblemOf<Tag extends keyof Table> = ReturnType<Table[Tag]>

const table: { readonly [Tag in keyof Table]: (failure: FailureOf<Tag>) => ProblemOf<Tag> } = problems

/** Fails with the contract's problems. All waits of the answer share their deadlines. */
export const refusing = <A, R, Tag extends keyof Table>(
  answered: Effect.Effect<A, FailureOf<Tag> & { readonly _tag: Tag }, R>
): Effect.Effect<A, ProblemOf<Tag>, R> =>
  Patience.shared(Effect.mapError(answered, (failure) => table[failure._tag](failure)))
