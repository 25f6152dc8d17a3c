// Failures of services, and queries that no answer fits, as problems.
import { Effect, type Result, Schema } from "effect"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import type { UnknownCoin } from "../../services/Coins.ts"
import type { NoPrice } from "../../services/Conversions.ts"
import type { NoData } from "../../services/history/Past.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"
import { invalid, refuse } from "../response/Problem.ts"

/** Characters of a caller's text that an error repeats. */
const LONGEST_REPEATED = 80

/** A caller's text for an error: shortened, without control and formatting characters. */
const repeated = (text: string): string => {
  const visible = text.slice(0, 4 * LONGEST_REPEATED).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
  const characters = Array.from(visible)
  return characters.length <= LONGEST_REPEATED ? visible : `${characters.slice(0, LONGEST_REPEATED).join("")}…`
}

const didYouMean = (suggestions: UnknownCoin["suggestions"]): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.map(({ id }) => id).join(", ")}?`

/** 404 for a coin, by the words that name it. */
const unknownCoin = (subject: string, suggestions: UnknownCoin["suggestions"]) =>
  refuse({
    code: "unknown_coin",
    detail: `No coin has the ${subject}.${didYouMean(suggestions)}`,
    members: { suggestions }
  })

/** 404 for a contract that no coin has. */
export const unknownContract = (platform: string, { id, suggestions }: UnknownCoin) =>
  unknownCoin(`contract "${repeated(id)}" on "${repeated(platform)}"`, suggestions)

/** 404 for the parameter of a conversion that names no asset. */
export const unknownAsset = (parameter: "from" | "to", { id, suggestions }: UnknownCoin) => {
  const detail = `"${repeated(id)}" is neither a coin's id nor a fiat's code.${didYouMean(suggestions)}`
  return refuse({ code: "unknown_asset", detail, members: { errors: [{ parameter, detail }], suggestions } })
}

/** 404 for currencies of which no rate is known. */
export const unknownRate = refuse({ code: "no_price", detail: "No rate of this currency is known." })

/** A parameter that is no allowed value now, such as a day in the future. */
export class InvalidQuery extends Schema.TaggedError<InvalidQuery>()("InvalidQuery", {
  parameter: Schema.String,
  detail: Schema.String
}) {}

/** A fiat without a P2P market that is followed; `followed` are the codes of those that are. */
export class UnknownMarket extends Schema.TaggedError<UnknownMarket>()("UnknownMarket", {
  followed: Schema.Array(Schema.String)
}) {}

/** The value, or the 400 for the parameter at fault. */
export const orInvalid = <A>(
  result: Result.Result<A, { readonly parameter: string; readonly detail: string }>
): Effect.Effect<A, InvalidQuery> => Effect.mapError(Effect.fromResult(result), (fault) => new InvalidQuery(fault))

const refusals = {
  InvalidQuery: ({ detail, parameter }: InvalidQuery) => refuse(invalid([{ parameter, detail }])),
  UnknownCoin: ({ id, suggestions }: UnknownCoin) => unknownCoin(`id "${repeated(id)}"`, suggestions),
  UnknownMarket: ({ followed }: UnknownMarket) => {
    const detail = `No P2P market of this fiat is followed here; those of ${followed.join(", ")} are.`
    const suggestions = followed.map((code) => ({ id: code, symbol: code, name: nameOfCurrency(code) }))
    return refuse({ code: "unknown_asset", detail, members: { errors: [{ parameter: "fiat", detail }], suggestions } })
  },
  NoPrice: ({ asset }: NoPrice) =>
    refuse({ code: "no_price", detail: `${repeated(asset)} exists, but no source has a price for it.` }),
  NoData: ({ first, last }: NoData) =>
    refuse({
      code: "no_data",
      detail: "What was asked for was not observed in the 7 days before the time that at names.",
      members: { coverage: { from: first, to: last } }
    }),
  Unavailable: ({ isOff, message, retryAfter }: Unavailable) =>
    refuse({
      code: "source_unavailable",
      detail: isOff === true ? `${message}.` : `${message}. Ask again in ${retryAfter} s.`,
      headers: { "retry-after": String(retryAfter) }
    })
}

/** Answers failures of services, and invalid queries, with their problems. All waits of the answer end together. */
export const refusing = <A, R>(
  answered: Effect.Effect<A, InvalidQuery | UnknownCoin | UnknownMarket | NoPrice | NoData | Unavailable, R>
) => Patience.shared(Effect.catchTags(answered, refusals))
