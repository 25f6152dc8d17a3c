// Snapshots and service failures as HTTP answers: `{ data, meta }`, or a problem.
import { Clock, DateTime, Effect, Option, type Result, Schema } from "effect"
import { Caller } from "../../api/Caller.ts"
import { jsonFigure, type Written } from "../../domain/JsonNumber.ts"
import { derived } from "../../domain/Decimal.ts"
import type { Coin } from "../../domain/Coin.ts"
import type { CoinList } from "../../domain/CoinList.ts"
import { nameOfCurrency } from "../../domain/VsCurrency.ts"
import { joinSources, type Snapshot } from "../../domain/Snapshot.ts"
import type { Coins, UnknownCoin } from "../../services/Coins.ts"
import type { Missing, NoPrice } from "../../services/Conversions.ts"
import { momentOf, type Moment, startOf } from "../../history/model/Moment.ts"
import type { HistoryOf } from "../../history/service/Histories.ts"
import type { NoData } from "../../history/service/Past.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import type { Unavailable } from "../../services/refresh/Unavailable.ts"
import { invalid, refuse } from "../response/Problem.ts"

/** Source and time of an answer. */
export interface Stamp {
  readonly source: string
  readonly updated: DateTime.Utc
}

export const stampOf = ({ observedAt, source }: Snapshot<unknown>): Stamp => ({ source, updated: observedAt })

/** Source and time of several parts together; the oldest time counts. None where there is no part. */
export const joined = (parts: ReadonlyArray<Stamp>): Stamp | undefined => {
  const [first] = parts
  if (first === undefined) return undefined
  const sources = new Set<string>()
  let { updated } = first
  for (const part of parts) {
    sources.add(part.source)
    if (part.updated.epochMilliseconds < updated.epochMilliseconds) updated = part.updated
  }
  return { source: joinSources(sources), updated }
}

/** The stamp of some coins: of the list, and of those that were looked up beside it. */
export const stampOfCoins = (list: Snapshot<CoinList>, coins: ReadonlyArray<Snapshot<Coin>>): Stamp =>
  joined([list, ...coins.filter(({ value }) => list.value.byId.get(value.id) !== value)].map(stampOf)) ?? stampOf(list)

/** The stamp where nothing is recorded, at the time that was asked for, epoch milliseconds. */
export const ownRecordAt = (time: number): Stamp => ({ source: "own record", updated: DateTime.makeUnsafe(time) })

/** Source and time of a history; where it has no point, the start of what was asked for, epoch milliseconds. */
export const stampOfHistory = ({ source, updated }: HistoryOf<unknown>, start: number): Stamp =>
  Option.match(updated, { onNone: () => ownRecordAt(start), onSome: (newest) => ({ source, updated: newest }) })

/** A figure in its source's digits; `null` where it is not known. */
export const figure = (value: number | null | undefined): Written | null =>
  value === null || value === undefined || !Number.isFinite(value) ? null : jsonFigure(value)

/** A computed figure, rounded for publication. */
export const computed = (value: number | null | undefined): Written | null =>
  figure(value === null || value === undefined ? null : derived(value))

/** `{ data, meta }` for the current caller. */
export const answer = <A>(data: A, { source, updated }: Stamp) =>
  Effect.map(Caller, ({ tier }) => ({ data, meta: { source, updated, tier } }))

/** A coin with its contract addresses and what each source says of it, stamped with its own time. */
export const coinDetail = (coins: Coins["Service"], coin: Snapshot<Coin>) =>
  Effect.gen(function* () {
    const [platforms, quotes] = [yield* coins.platforms(coin.value.id), yield* coins.said(coin)]
    return yield* answer({ ...coin.value, platforms, quotes }, stampOf(coin))
  })

const codes = {
  UnknownCoin: "unknown_coin",
  NoPrice: "no_price",
  Unavailable: "source_unavailable"
} as const

/** Why an answer about several coins lacks one of them: a member of `missing`. */
export const missingCoin = ({ failure, id }: Missing) => ({
  id,
  code: failure._tag === "Unavailable" && failure.isUnobserved ? ("no_data" as const) : codes[failure._tag],
  suggestions: failure._tag === "UnknownCoin" ? failure.suggestions : []
})

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

/** Answers at the moment that `at` names, or now where there is none. */
export const atMoment = <A, E, E2>(
  { at, max_age }: { readonly at?: string; readonly max_age?: number },
  now: Effect.Effect<A, E>,
  then: (moment: Moment) => Effect.Effect<A, E2>
): Effect.Effect<A, E | E2 | InvalidQuery> => {
  const moment = at === undefined ? undefined : Option.getOrUndefined(momentOf(at))
  if (moment === undefined) return now
  if (max_age !== undefined) {
    return Effect.fail(new InvalidQuery({ parameter: "max_age", detail: "must not be given together with at" }))
  }
  return Effect.flatMap(Clock.currentTimeMillis, (time): Effect.Effect<A, E2 | InvalidQuery> =>
    startOf(moment) > time
      ? Effect.fail(new InvalidQuery({ parameter: "at", detail: "must not be in the future" }))
      : then(moment)
  )
}
