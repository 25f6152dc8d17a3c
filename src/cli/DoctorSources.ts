// Fetches each data set of each source once, through the code that serves, and reports what came, or what went wrong and what an operator
// can do. The settings `MAX_AGE_*` decide what is too old, the service of P2P markets whether a venue has a rate.
import { Config, DateTime, Duration, Effect, Exit } from "effect"
import { OFFICIAL_FIAT, type OfficialRate } from "../domain/OfficialRate.ts"
import { TICKER_AGE } from "../domain/Pair.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import type { Venue } from "../domain/P2pRate.ts"
import type { PassedOver } from "../services/judge/Judge.ts"
import { NO_SOURCE } from "../services/NoSource.ts"
import { maxAges } from "../services/refresh/MaxAges.ts"
import type { DataSetName } from "../sources/catalog/SourceRecord.ts"
import { SourceError, TimedOut } from "../sources/client/SourceError.ts"
import * as Age from "../sources/dataset/Age.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import {
  type AnswerName,
  type Answering,
  type Answers,
  allSources,
  type Book,
  type BookAnswers
} from "../sources/Sources.ts"
import { type Finding, figure, findingIn, type Level, span } from "./DoctorFindings.ts"

const network: Readonly<Record<string, string>> = {
  ENOTFOUND: "The DNS does not know its name: check this machine's network and the source's _BASE_URL",
  EAI_AGAIN: "The DNS does not answer: check this machine's network",
  ECONNREFUSED: "Nothing listens there: check firewalls, proxies and the source's _BASE_URL",
  ENETUNREACH: "There is no route to it: check this machine's network",
  EHOSTUNREACH: "There is no route to it: check this machine's network"
}

/** The statuses of a source that does not serve this country, or this address. */
export const refusals: ReadonlySet<number> = new Set([403, 451])

/** What an operator can do about a failure; `undefined` where there is nothing to do but wait. */
const adviceOn = (reason: SourceError["reason"], id: string): string | undefined => {
  switch (reason._tag) {
    case "Unreachable":
      return network[reason.detail]
    case "BadStatus":
      if (refusals.has(reason.status)) {
        return `Check its key, if it has one, and whether it serves your country. SOURCES_DISABLED=${id} switches it off`
      }
      return reason.status === 401 ? "Check its key" : undefined
    case "RateLimited":
      return "Others at this address, or a running service, may have used up its calls"
    case "Undecodable":
      return "The source may have sent a block page, or changed its format"
    default:
      return undefined
  }
}

const venueReasons: Readonly<Record<string, string>> = {
  no_answer: "it did not answer",
  stale: "its book is stale",
  too_few_ads: "too few plausible ads on one side",
  inverted: "buy is far below sell: its sides seem swapped",
  spread_too_wide: "buy and sell are too far apart",
  crossed: "buy is a little below sell",
  unverified: "no merchant has a track record, so anyone could have set these prices",
  not_positive: "a price of 0 or less",
  out_of_range: "implausible prices"
}

/** A venue's reason in words. */
export const venueReason = (reason: string): string => venueReasons[reason] ?? reason

/** The longest wait for an answer, in seconds. */
const PATIENCE = 20

/** The same while no source has answered: probably there is no network. */
const PATIENCE_WITHOUT_ANSWER = 6

interface Kind<A> {
  readonly label: string
  readonly summaryOf: (value: A) => string
  readonly maxAge?: Config.Config<Duration.Duration>
}

const official: Kind<OfficialRate> = {
  label: "official rate",
  summaryOf: ({ date, rate }) => `${figure(rate)} ${OFFICIAL_FIAT} per USD of ${date}`,
  maxAge: maxAges.official
}

const news: Kind<ReadonlyArray<unknown>> = {
  label: "news",
  summaryOf: ({ length }) => (length === 1 ? "1 item" : `${length} items`)
}

const ads: Kind<BookAnswers["p2p"]> = {
  label: "ads",
  summaryOf: ({ length }) => (length === 0 ? "no ads (it may hide this market from this address)" : `${length} ads`),
  maxAge: maxAges.naira
}

const orderBook: Kind<BookAnswers["order_book"]> = {
  label: "order book",
  summaryOf: () => "both sides",
  maxAge: maxAges.naira
}

/** What the data sets of exchanges are called. */
export const TICKERS = "tickers"

/** What data sets are called here, how their values are summed up, and how old they may be. */
const kinds: { readonly [N in AnswerName]: Kind<Answers[N]> } = {
  tickers: {
    label: TICKERS,
    summaryOf: ({ length }) => `${figure(length)} pairs in dollars or stablecoins`,
    maxAge: Config.succeed(Duration.millis(TICKER_AGE))
  },
  coins: { label: "coins", summaryOf: ({ length }) => `${figure(length)} coins`, maxAge: maxAges.coins },
  global: {
    label: "global",
    summaryOf: ({ market_cap }) => `market cap ${figure(market_cap / 1e12)} T USD`,
    maxAge: maxAges.global
  },
  nfem: official,
  all_rates: official,
  official_rate: official,
  fx: { label: "fiat rates", summaryOf: ({ rates }) => `${Object.keys(rates).length} currencies`, maxAge: maxAges.fx },
  announcements: news,
  hacks: news,
  news
}

/** Not fetched: 8 MB, with a budget of four calls a day. */
const large: ReadonlySet<DataSetName> = new Set(["all_rates"])

/** What a data set brought, in what time. */
export interface FetchedDataSet {
  /** The source's name in `SOURCES_DISABLED`. */
  readonly id: string
  /** The key of the data set. */
  readonly key: string
  readonly source: string
  readonly label: string
  /** The fiat of a P2P market's book. */
  readonly market?: string
  readonly took: Duration.Duration
  readonly exit: Exit.Exit<Pick<Snapshot<string>, "observedAt" | "value">, SourceError>
  /** How old the data may be, where a setting says so. */
  readonly maxAge?: Duration.Duration
}

/** Whether a source has answered. */
interface Progress {
  hasAnswer: boolean
}

const timed = Effect.fnUntraced(function* <A>(
  progress: Progress,
  id: string,
  { get, key, source }: Pick<DataSet<A>, "get" | "key" | "source">,
  { label, maxAge, summaryOf }: Kind<A>
): Effect.fn.Return<FetchedDataSet, Config.ConfigError> {
  const after = (seconds: number) =>
    Effect.andThen(Effect.sleep(seconds * 1000), new SourceError({ source, reason: new TimedOut({ seconds }) }))
  const patience = Effect.catch(after(PATIENCE_WITHOUT_ANSWER), (failure) =>
    progress.hasAnswer ? after(PATIENCE - PATIENCE_WITHOUT_ANSWER) : Effect.fail(failure)
  )
  const [took, exit] = yield* get.pipe(
    Effect.tap(Effect.sync(() => (progress.hasAnswer = true))),
    Effect.map(({ observedAt, value }) => ({ observedAt, value: summaryOf(value) })),
    Effect.raceFirst(patience),
    Effect.exit,
    Effect.timed
  )
  return { id, key, source, label, took, exit, ...(maxAge !== undefined && { maxAge: yield* maxAge }) }
})

const fetchOne = <N extends AnswerName>(progress: Progress, id: string, dataSets: Answering, name: N) => {
  const dataSet = dataSets[name]
  return dataSet === undefined || large.has(name) ? [] : [timed(progress, id, dataSet, kinds[name])]
}

const fetchBook = (progress: Progress, id: string) => (book: Book) => {
  const fetched = book.name === "p2p" ? timed(progress, id, book.set, ads) : timed(progress, id, book.set, orderBook)
  return Effect.map(fetched, (set): FetchedDataSet => ({
    ...set,
    label: `${book.fiat} ${set.label}`,
    market: book.fiat
  }))
}

const isKind = (name: DataSetName): name is AnswerName => name in kinds

/** Fetches all at the same time. */
export const fetchAll = Effect.flatMap(allSources, (sources) => {
  const progress: Progress = { hasAnswer: false }
  return Effect.all(
    sources.flatMap(({ books, dataSets, source }) => [
      ...books.map(fetchBook(progress, source.id)),
      ...source.dataSets.filter(isKind).flatMap((name) => fetchOne(progress, source.id, dataSets, name))
    ]),
    { concurrency: "unbounded" }
  )
})

/** Failures that a missing network causes. */
const unreached: ReadonlySet<string> = new Set(["Unreachable", "TimedOut"])

/** The finding that no source can be reached; empty if one can. */
export const judgeNetwork = (fetched: ReadonlyArray<FetchedDataSet>): ReadonlyArray<Finding> => {
  const reasons = fetched.flatMap(({ exit }) =>
    Exit.isFailure(exit)
      ? exit.cause.reasons.flatMap((reason) => (reason._tag === "Fail" ? [reason.error.reason._tag] : ["fault"]))
      : ["answer"]
  )
  const tried = reasons.filter((reason) => reason !== "Disabled" && reason !== "OverBudget")
  const isOffline = tried.length > 1 && tried.every((reason) => unreached.has(reason))
  return isOffline ? [findingIn("network", "sources")("failing", NO_SOURCE)] : []
}

const whys: Readonly<Record<PassedOver["why"], string>> = {
  jump: "jumped",
  alone: "contradict two sources that agree",
  differs: "differ from another source and are further from what is known"
}

/** The most rows that are named. */
const NAMED = 5

/** How many rows are not believed, which, and why. Sources always differ in a few rows, so this alone is no fault. */
const unbelieved = (passedOver: ReadonlyArray<PassedOver>): string =>
  [...Map.groupBy(passedOver, ({ why }) => why)]
    .map(([why, rows]) => {
      const names = rows.map(({ key }) => key).filter((key) => key !== "")
      const named =
        names.length === 0 ? "" : ` (${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ", …" : ""})`
      return `; not believed: ${rows.length}${named}, which ${whys[why]}`
    })
    .join("")

/**
 * The finding on one data set. `venue` is what its market made of it, where it is a book. `isOffline`: no source can be reached, and the
 * finding on the network says what to do.
 */
export const judge = (
  fetched: FetchedDataSet,
  venue: Venue | undefined,
  now: DateTime.Utc,
  passedOver: ReadonlyArray<PassedOver> = [],
  isOffline = false
): Finding => {
  const { exit, id, label, market, maxAge, source, took } = fetched
  const finding = findingIn("sources", `${source} ${label}`)
  if (Exit.isFailure(exit)) return finding(...onFailure(source, id, exit, isOffline))
  const { observedAt, value } = exit.value
  const age = DateTime.distance(observedAt, now)
  const times = `observed ${span(age)} ago (in ${figure(Duration.toSeconds(took))} s)`
  const text = `${value}${quoted(venue, market)}, ${times}${unbelieved(passedOver)}`
  if (maxAge !== undefined && !Age.isServable(exit.value, maxAge, now)) {
    return finding("degraded", `${text}: too old to serve, the limit is ${span(maxAge)}`)
  }
  const reason = venue?.reason ?? null
  return reason === null ? finding("ok", text) : finding("degraded", `${text}: ${venueReason(reason)}`)
}

const quoted = (venue: Venue | undefined, fiat = ""): string =>
  venue === undefined || venue.buy === null || venue.sell === null
    ? ""
    : `, buy ${figure(venue.buy)}, sell ${figure(venue.sell)} ${fiat}`

const onFailure = (
  source: string,
  id: string,
  { cause }: Exit.Failure<unknown, SourceError>,
  isOffline: boolean
): [level: Level, text: string] => {
  const failure = cause.reasons.find((reason) => reason._tag === "Fail")?.error
  if (failure === undefined) {
    return ["degraded", "failed because of a bug in this program. Run with LOG_LEVEL=Debug and report it"]
  }
  if (failure.reason._tag === "Disabled") return ["off", "switched off (SOURCES_DISABLED)"]
  if (failure.reason._tag === "OverBudget") {
    const seconds = Math.ceil(failure.reason.retryAfter)
    return ["off", `not queried: its call budget is used up. Try again in ${seconds} s`]
  }
  const message = failure.message.slice(failure.message.startsWith(source) ? source.length + 1 : 0)
  const advice = isOffline ? undefined : adviceOn(failure.reason, id)
  return ["degraded", advice === undefined ? message : `${message}. ${advice}`]
}
