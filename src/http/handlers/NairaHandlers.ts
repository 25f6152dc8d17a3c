// `/v1/naira`. Figures are rounded here and nowhere before.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { derived } from "../../domain/Decimal.ts"
import { Naira, type NairaRate, type Venue } from "../../services/Naira.ts"
import { Past } from "../../history/service/Past.ts"
import { answer, atMoment, refusing, stampOf } from "./Answer.ts"

export const NairaHandlers = HttpApiBuilder.group(
  Api,
  "naira",
  Effect.fn(function* (handlers) {
    const naira = yield* Naira
    const past = yield* Past
    return handlers.handleAll({
      naira: ({ query }) =>
        atMoment(query, naira.rate, (moment) => past.p2p(moment, "NGN")).pipe(
          Effect.flatMap((held) => answer(shown(held.value), stampOf(held))),
          refusing
        )
    })
  })
)

const rounded = (figure: number | null): number | null => (figure === null ? null : derived(figure))

const shown = (rate: NairaRate) => {
  const published = rate.official._tag === "Published" ? rate.official.snapshot : undefined
  const reasons = [rate.reason, rate.official._tag === "Missing" ? rate.official.reason : null]
  return {
    pair: "USDT/NGN" as const,
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
