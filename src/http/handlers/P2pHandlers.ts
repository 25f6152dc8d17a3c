// `/v1/naira`, `/v1/p2p` and `/v1/p2p/{fiat}`. Figures are rounded only here.
import { BigDecimal, DateTime, Effect, Record, Result, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { P2pMarket, P2pMarketRow, Quote } from "../../api/P2pApi.ts"
import { derived, percentAbove } from "../../domain/Decimal.ts"
import { type CustomerSide, quoteFor as fillingOf } from "../../domain/P2pDepth.ts"
import { pairOf, usualMarket } from "../../domain/P2pMarket.ts"
import type { Market, MarketRate, PastMarketRate } from "../../services/MarketRate.ts"
import type { Venue } from "../../domain/P2pRate.ts"
import { Naira } from "../../services/Naira.ts"
import { P2pMarkets } from "../../services/P2pMarkets.ts"
import type { Moment } from "../../history/model/Moment.ts"
import { Past } from "../../services/history/Past.ts"
import * as Patience from "../../services/refresh/Patience.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { csv } from "../response/Csv.ts"
import { note } from "../response/Notes.ts"
import { atMoment } from "./atMoment.ts"
import { answer } from "./Envelope.ts"
import { recordAnswer, type Row, rowOf, type TableFormat, textOptions } from "./Format.ts"
import { InvalidQuery, refusing, UnknownMarket } from "./refusing.ts"
import { joined, stampOf } from "./Stamp.ts"

export const NairaHandlers = HttpApiBuilder.group(
  Api,
  "naira",
  Effect.fn(function* (handlers) {
    const { rate } = yield* Naira
    const past = yield* Past
    return handlers.handleAll({
      naira: ({ query }) =>
        rateFor(query, rate, (moment) => past.p2p(moment, usualMarket.fiat)).pipe(
          Effect.flatMap((snapshot) => rateAnswer("USDT/NGN", snapshot, query)),
          refusing
        )
    })
  })
)

export const P2pHandlers = HttpApiBuilder.group(
  Api,
  "p2p",
  Effect.fn(function* (handlers) {
    const { followed } = yield* P2pMarkets
    const past = yield* Past
    return handlers.handleAll({
      p2pMarkets: ({ query }) => Patience.shared(listed(followed, query.format)),
      p2pMarket: Effect.fnUntraced(function* ({ params: { fiat }, query }) {
        const { rate } = yield* marketIn(followed, fiat)
        return yield* rateAnswer(pairOf(fiat), yield* rateFor(query, rate, (moment) => past.p2p(moment, fiat)), query)
      }, refusing)
    })
  })
)

interface RateQuery {
  readonly at?: string
  readonly amount?: BigDecimal.BigDecimal
  readonly side: CustomerSide
  readonly format: TableFormat
}

/** A market's rate; in CSV without its venues, the quote for an amount in columns of its own. */
const rateAnswer = Effect.fnUntraced(function* <P extends string>(
  pair: P,
  snapshot: Snapshot<PastMarketRate>,
  query: RateQuery
) {
  yield* note({ confidence: snapshot.value.confidence })
  const data = { pair, ...shown(snapshot.value), ...quoteFor(snapshot.value, query) }
  return yield* recordAnswer(query.format, stampOf(snapshot), data, query.amount === undefined ? rateRow : quoteRow)
})

const rateRow = rowOf(P2pMarket.mapFields(Struct.omit(["venues", "quote"])))
const amountRow = rowOf(Quote)
const ofQuote = (member: string) => `quote_${member}`

/** With the members of the quote as `quote_side`, `quote_amount` and so on. */
const quoteRow: Row<typeof P2pMarket.Type> = {
  columns: [...rateRow.columns, ...amountRow.columns.map(ofQuote)],
  cells: ({ quote, ...rate }) => ({
    ...rateRow.cells(rate),
    ...(quote !== undefined && Record.mapKeys(amountRow.cells(quote), ofQuote))
  })
}

/** The rate now or at a moment. Fails for an `amount` together with `at`. */
const rateFor = <A, E, E2>(
  query: RateQuery,
  now: Effect.Effect<A, E>,
  then: (moment: Moment) => Effect.Effect<A, E2>
) =>
  query.at !== undefined && query.amount !== undefined
    ? Effect.fail(
        new InvalidQuery({
          parameter: "amount",
          detail: "must not be given together with at: the advertisements of the past are not recorded"
        })
      )
    : atMoment(query, now, then)

/** The quote for an amount; empty without one. */
const quoteFor = ({ buy, depth, mid, reason, sell }: PastMarketRate, { amount, side }: RateQuery) => {
  if (amount === undefined) return {}
  const asked = { side, amount }
  if (buy === null || sell === null || mid === null || depth === undefined) {
    return { quote: { ...asked, rate: null, filled: 0, ads: 0, merchants: 0, distance: null, reason } }
  }
  const wanted = { amount: BigDecimal.toNumberUnsafe(amount), unit: "fiat" } as const
  const { ads, filled, rate } = fillingOf({ buy, sell }, depth, side, wanted)
  const [distance, why] =
    rate === null ? [null, "too_thin"] : [derived(percentAbove(derived(rate), derived(mid))), null]
  return {
    quote: { ...asked, rate: rounded(rate), filled: derived(filled), ads, merchants: ads, distance, reason: why }
  }
}

export const marketIn = (followed: ReadonlyMap<string, Market>, fiat: string): Effect.Effect<Market, UnknownMarket> => {
  const market = followed.get(fiat)
  return market === undefined
    ? Effect.fail(new UnknownMarket({ fiat, followed: [...followed.keys()] }))
    : Effect.succeed(market)
}

/** All markets, stamped with the newest observation. A market without a rate has a reason. */
const listed = Effect.fnUntraced(function* (followed: ReadonlyMap<string, Market>, format: TableFormat) {
  const rates = yield* Effect.forEach(
    followed,
    ([fiat, { rate }]) => Effect.map(Effect.result(rate), (result) => ({ fiat, result })),
    { concurrency: "unbounded" }
  )
  const known = rates.flatMap(({ result }) => (Result.isSuccess(result) ? [result.success] : []))
  const stamp = joined(known.map(stampOf)) ?? { source: "crypto-data-api", updated: yield* DateTime.now }
  const updated = known.map(({ observedAt }) => observedAt).reduce(DateTime.max, stamp.updated)
  const markets = rates.map(({ fiat, result }) => marketRow(fiat, result))
  if (format === "json") return yield* answer({ markets }, { ...stamp, updated })
  return HttpServerResponse.text(
    csv(listRow.columns, markets.map(listRow.cells)),
    textOptions(format, { ...stamp, updated })
  )
})

const listRow = rowOf(P2pMarketRow)

const marketRow = (fiat: string, result: Result.Result<Snapshot<MarketRate>, unknown>) => {
  const names = { fiat, pair: pairOf(fiat) }
  if (Result.isFailure(result)) {
    const nothing = {
      buy: null,
      sell: null,
      mid: null,
      spread: null,
      official: null,
      official_date: null,
      premium: null
    }
    return {
      ...names,
      ...nothing,
      confidence: "low" as const,
      reason: "no_answer",
      method: null,
      updated: null,
      source: null
    }
  }
  const { observedAt, source, value } = result.success
  const { official_source: _, venues: __, ...figures } = shown(value)
  return { ...names, ...figures, confidence: value.confidence, updated: observedAt, source }
}

const rounded = (figure: number | null): number | null => (figure === null ? null : derived(figure))

const shown = (rate: PastMarketRate) => {
  const published = rate.official._tag === "Published" ? rate.official.snapshot : undefined
  const reasons = [rate.reason, rate.official._tag === "Missing" ? rate.official.reason : null]
  return {
    buy: rounded(rate.buy),
    sell: rounded(rate.sell),
    mid: rounded(rate.mid),
    spread: rounded(rate.spread),
    official: published?.value.rate ?? null,
    official_date: published?.value.date ?? null,
    official_source: published?.source ?? null,
    premium: rounded(rate.premium),
    confidence: rate.confidence,
    reason: reasons.filter((reason) => reason !== null).join("; ") || null,
    method: rate.method,
    venues: rate.venues.map(shownVenue)
  }
}

const shownVenue = (venue: Venue) => ({
  venue: venue.venue,
  kind: venue.kind,
  buy: rounded(venue.buy),
  sell: rounded(venue.sell),
  mid: rounded(venue.mid),
  ads_used: venue.adsUsed,
  ads_rejected: venue.adsRejected,
  updated: venue.updated,
  reason: venue.reason
})
