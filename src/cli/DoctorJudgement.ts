// What is to be thought of what the sources said. A source that is wrong by itself is degraded, because another stands in; the
// answers that would be served say whether one does.
import { DateTime, Duration, Exit, type Option } from "effect"
import type { Coin } from "../domain/Coin.ts"
import { quotedFiats } from "../domain/Fiat.ts"
import type { FxRates } from "../domain/FxRates.ts"
import type { GlobalMarket } from "../domain/GlobalMarket.ts"
import { orderBookQuote, quoteFromBook, type VenueQuote } from "../domain/NairaRate.ts"
import type { OfficialRate } from "../domain/OfficialRate.ts"
import type { OrderBookTop } from "../domain/OrderBook.ts"
import type { P2pAd } from "../domain/P2pAd.ts"
import { estimateBook } from "../domain/P2pBook.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import type { SourceError } from "../sources/client/SourceError.ts"
import { type Finding, figure, type Level, span } from "./DoctorFindings.ts"
import type { Outcome, Probe, Probes } from "./DoctorSources.ts"

/** How far the naira's price between people may stand from the official rate, a share of it. */
const MAGNITUDE = 0.35

/** What is said of a value: that it is fine, or what is wrong with it. */
export interface Opinion {
  readonly level: Level
  readonly text: string
}

/** All well. */
export const fine = (text: string): Opinion => ({ level: "ok", text })
const doubtful = (text: string): Opinion => ({ level: "degraded", text })

/** Data observed longer ago than this is taken only where there is no better, if at all. */
const freshFor = {
  coins: Duration.hours(1),
  global: Duration.hours(6),
  book: Duration.minutes(15),
  daily: Duration.days(7)
} as const

/** The findings on all sources. `now` by our clock. */
export const judgeSources = (probes: Probes, now: DateTime.Utc): ReadonlyArray<Finding> => {
  const official = [probes.nfem.exit, probes.frankfurterOfficial.exit].flatMap((exit) =>
    Exit.isSuccess(exit) ? [exit.value.value.rate] : []
  )[0]
  const judge = <A>(
    probe: Probe<A>,
    what: string,
    lifetime: Duration.Duration,
    opinion: (value: A) => Opinion
  ): Finding => ({ area: "sources", name: `${probe.source} ${what}`, ...judged(probe, lifetime, opinion, now) })
  const p2p = (ads: ReadonlyArray<P2pAd>) => judgeAds(ads, official)
  const book = (top: OrderBookTop) => judgeQuote(orderBookQuote("", top), official)

  return [
    judge(probes.geckoCoins, "coins", freshFor.coins, judgeCoins),
    judge(probes.geckoGlobal, "global", freshFor.global, judgeGlobal),
    judge(probes.paprikaCoins, "coins", freshFor.coins, judgeCoins),
    judge(probes.paprikaGlobal, "global", freshFor.global, judgeGlobal),
    judge(probes.loreCoins, "coins", freshFor.coins, judgeCoins),
    judge(probes.loreGlobal, "global", freshFor.global, judgeGlobal),
    judge(probes.bybit, "ads", freshFor.book, p2p),
    judge(probes.bitget, "ads", freshFor.book, p2p),
    judge(probes.quidax, "order book", freshFor.book, book),
    judge(probes.luno, "order book", freshFor.book, book),
    judge(probes.nfem, "official rate", freshFor.daily, judgeOfficial),
    judge(probes.frankfurterOfficial, "official rate", freshFor.daily, judgeOfficial),
    judge(probes.frankfurterFx, "fiat rates", freshFor.daily, judgeFx),
    judge(probes.currencyApiFx, "fiat rates", freshFor.daily, judgeFx)
  ]
}

/** What is to be thought of one outcome; of a value by `opinion`. */
export const judged = <A>(
  { exit, source, took }: Outcome<A>,
  lifetime: Duration.Duration,
  opinion: (value: A) => Opinion,
  now: DateTime.Utc
): Opinion => {
  if (Exit.isFailure(exit)) {
    const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
    if (failure === undefined) return doubtful("failed for a reason of our own; run with LOG_LEVEL=Debug and report it")
    if (failure.reason._tag === "Disabled") return { level: "off", text: "switched off (SOURCES_DISABLED)" }
    if (failure.reason._tag === "OverBudget") {
      const seconds = Math.ceil(failure.reason.retryAfter)
      return {
        level: "off",
        text: `not asked: running services have used its budget of calls; try again in ${seconds} s`
      }
    }
    const message = failure.message.slice(failure.message.startsWith(source) ? source.length + 1 : 0)
    const advice = adviceOn(failure.reason)
    return doubtful(advice === undefined ? message : `${message}. ${advice}`)
  }
  const { level, text } = opinion(exit.value.value)
  const age = DateTime.distance(exit.value.observedAt, now)
  const told = `${text}, observed ${span(age)} ago (in ${figure(Duration.toSeconds(took))} s)`
  return Duration.isLessThanOrEqualTo(age, lifetime)
    ? { level, text: told }
    : doubtful(`${told}: too old to be of use; fresh is within ${span(lifetime)}`)
}

const network: Readonly<Record<string, string>> = {
  ENOTFOUND: "Its name is not known to the DNS: check this machine's network and the source's _BASE_URL",
  EAI_AGAIN: "The DNS does not answer: check this machine's network",
  ECONNREFUSED: "Nobody listens there: check a firewall or proxy in between and the source's _BASE_URL",
  ENETUNREACH: "There is no way there: check this machine's network",
  EHOSTUNREACH: "There is no way there: check this machine's network"
}

/** What an operator can do about it, where that is more than to wait. */
const adviceOn = (reason: SourceError["reason"]): string | undefined => {
  switch (reason._tag) {
    case "Unreachable":
      return network[reason.detail]
    case "BadStatus":
      return reason.status === 401 || reason.status === 403
        ? "It refuses this address or the key: check the key, if it has one, and whether it serves your country"
        : undefined
    case "RateLimited":
      return "Others may share this address, or a running service has used its calls"
    case "Undecodable":
      return "A block page looks like this, and so does a format that has changed"
    default:
      return undefined
  }
}

/** A list of coins. */
export const judgeCoins = (coins: ReadonlyArray<Coin>): Opinion => fine(`${figure(coins.length)} coins`)

/** The market as a whole. */
export const judgeGlobal = (market: GlobalMarket): Opinion =>
  fine(`market cap ${figure(market.market_cap / 1e12)} T USD`)

/** An official rate. */
export const judgeOfficial = ({ date, rate }: OfficialRate): Opinion => fine(`${figure(rate)} NGN per USD of ${date}`)

/** Fiat rates: the nine that prices are quoted in have to be among them. */
export const judgeFx = ({ rates }: FxRates): Opinion => {
  const missing = quotedFiats.filter((fiat) => !(fiat in rates))
  const text = `${Object.keys(rates).length} currencies`
  return missing.length === 0 ? fine(text) : doubtful(`${text}, but not ${missing.join(", ")}`)
}

const reasons: Readonly<Record<string, string>> = {
  too_few_ads: "too few believable ads on a side for a rate",
  inverted: "buy is below sell: its sides are swapped",
  spread_too_wide: "buy and sell are too far apart to be one market",
  crossed: "buy is a little below sell",
  unverified: "no merchant has a record, so anybody could have moved it",
  one_sided: "one side is empty",
  not_positive: "a price of 0 or less",
  out_of_range: "prices that are no naira prices of a dollar"
}

/** A venue's ads: sides the right way round, and prices in naira. Judged without a reference, which would hide the latter. */
export const judgeAds = (ads: ReadonlyArray<P2pAd>, official: number | undefined): Opinion => {
  if (ads.length === 0) return doubtful("no ads: it shows no naira market to this address")
  const quote = quoteFromBook("", estimateBook(ads, { asset: "USDT", fiat: "NGN", reference: null }))
  const { level, text } = judgeQuote(quote, official)
  return { level, text: `${ads.length} ads, ${text}` }
}

/** A venue's quote. */
export const judgeQuote = ({ buy, mid, reason, sell }: VenueQuote, official: number | undefined): Opinion => {
  const why = reason === null ? undefined : (reasons[reason] ?? reason)
  if (buy === null || sell === null || mid === null) return doubtful(`no rate: ${why ?? "no reason given"}`)
  const text = `buy ${figure(buy)}, sell ${figure(sell)} NGN`
  const strayed = magnitude(mid, official)
  if (strayed !== undefined) return doubtful(`${text}: ${strayed}`)
  return why === undefined ? fine(text) : doubtful(`${text}: ${why}`)
}

/** What is wrong with a price between people that is of another size than the official rate. */
export const magnitude = (mid: number, official: number | undefined): string | undefined =>
  official === undefined || Math.abs(mid / official - 1) <= MAGNITUDE
    ? undefined
    : `${figure(mid / official)} times the official rate of ${figure(official)}; it cannot be more than ${MAGNITUDE * 100} % away`

/** How a held snapshot is told of. */
export const toldOf = <A>(
  held: Option.Option<Snapshot<A>>,
  now: DateTime.Utc
): { readonly source: string; readonly value: A; readonly age: string } | undefined =>
  held._tag === "None"
    ? undefined
    : {
        source: held.value.source,
        value: held.value.value,
        age: span(DateTime.distance(held.value.observedAt, now))
      }
