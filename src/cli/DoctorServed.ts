// Reports what callers would get now: runs the services themselves, and lists what they serve and what they refuse to
// serve.
import { DateTime, Effect, Layer, Schedule } from "effect"
import { quotedFiats } from "../domain/QuotedFiat.ts"
import { usualMarket } from "../domain/P2pMarket.ts"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Coins } from "../services/Coins.ts"
import { EvidencePool, isCovered } from "../services/EvidencePool.ts"
import { ExchangeRates } from "../services/ExchangeRates.ts"
import { GlobalMarkets } from "../services/GlobalMarkets.ts"
import type { Market, MarketRate } from "../services/MarketRate.ts"
import { P2pMarkets } from "../services/P2pMarkets.ts"
import { OFFICIAL_FIAT } from "../domain/OfficialRate.ts"
import { OfficialRates } from "../services/OfficialRates.ts"
import { type AnswerName, dataSetsOf } from "../sources/Sources.ts"
import { figure, findingIn, type Level, span } from "./DoctorFindings.ts"
import { venueReason } from "./DoctorSources.ts"

export const layer = Layer.mergeAll(
  Coins.layer,
  EvidencePool.layer,
  ExchangeRates.layer,
  GlobalMarkets.layer,
  OfficialRates.layer,
  P2pMarkets.layer
)

const finding = (name: string, level: Level, text: string) => findingIn("served", name)(level, text)

const orNothing = (name: string, paths: string) =>
  Effect.orElseSucceed(() => finding(name, "failing", `no fresh data. These return 503: ${paths}`))

/** Who serves, since when, and whether that is a fallback for the first source of these data sets. */
const servedBy = Effect.fnUntraced(function* <N extends AnswerName>(
  { observedAt, source }: Snapshot<unknown>,
  ...dataSets: ReadonlyArray<N>
) {
  const [first] = yield* dataSetsOf(...dataSets)
  const text = `by ${source}, ${span(DateTime.distance(observedAt, yield* DateTime.now))} old`
  return source.split(" + ").includes(first.source)
    ? ({ level: "ok", text } as const)
    : ({ level: "degraded", text: `${text}, fallback for ${first.source}` } as const)
})

const coins = Effect.gen(function* () {
  const snapshot = yield* (yield* Coins).list
  const { level, text } = yield* servedBy(snapshot, "coins")
  return finding("coins, prices", level, `${snapshot.value.coins.length} coins ${text}`)
}).pipe(orNothing("coins, prices", "/v1/coins, /v1/price and conversions of coins"))

const global = Effect.gen(function* () {
  const { level, text } = yield* servedBy(yield* (yield* GlobalMarkets).current, "global")
  return finding("global", level, text)
}).pipe(orNothing("global", "/v1/global"))

const fx = Effect.gen(function* () {
  const snapshot = yield* (yield* ExchangeRates).current
  const { level, text } = yield* servedBy(snapshot, "fx")
  const { rates } = snapshot.value
  const missing = quotedFiats.filter((fiat) => !(fiat in rates))
  return missing.length > 0
    ? finding("fiat rates", "failing", `${text}, without ${missing.join(", ")}`)
    : finding("fiat rates", level, `${Object.keys(rates).length} ${text}`)
}).pipe(orNothing("fiat rates", "/v1/fx, conversions of fiats, and prices that need a fiat rate"))

const official = Effect.gen(function* () {
  const current = yield* (yield* OfficialRates).current
  if (current._tag === "Missing") {
    return finding(
      "official rate",
      "failing",
      `none: /v1/p2p/${OFFICIAL_FIAT.toLowerCase()} has neither an official rate nor a premium`
    )
  }
  const { level, text } = yield* servedBy(current.snapshot, "nfem", "all_rates", "official_rate")
  const { date, rate } = current.snapshot.value
  return finding("official rate", level, `${figure(rate)} ${OFFICIAL_FIAT} per USD of ${date} ${text}`)
})

const market = (fiat: string, { rate }: Market) => {
  const isUsual = fiat === usualMarket.fiat
  const without = isUsual ? `everything in ${fiat}` : `${fiat} with basis=p2p or customer`
  const [name, lost] = [`${fiat} P2P`, isUsual ? "failing" : "degraded"] as const
  return Effect.match(rate, {
    onFailure: () => finding(name, lost, `no fresh data. These return 503: ${pathOf(fiat)}, ${without}`),
    onSuccess: ({ value: { buy, confidence, mid, premium, reason, sell, used, venues } }) => {
      if (buy === null || sell === null || mid === null) {
        const why = (reason ?? "").split(", ").map(venueReason).join(", ")
        return finding(
          name,
          lost,
          `no rate (${why}): ${pathOf(fiat)} has null for it, and ${without} returns 503${adsOf(venues)}`
        )
      }
      const over = premium === null ? "" : `, ${figure(premium)} % over the official rate`
      const text = `buy ${figure(buy)}, sell ${figure(sell)} by ${used.join(" + ")}${over}, confidence ${confidence}${adsOf(venues)}`
      const hasP2p = venues.some(({ kind, venue }) => kind === "p2p" && used.includes(venue))
      if (!hasP2p) return finding(name, "degraded", `${text}: order books only, no P2P venue has a rate`)
      return finding(name, confidence === "low" ? "degraded" : "ok", text)
    }
  })
}

/** How many ads each P2P venue has, and how many of these count. */
const adsOf = (venues: MarketRate["venues"]): string => {
  const text = venues.flatMap(({ adsRejected, adsUsed, kind, venue }) => {
    if (kind !== "p2p") return []
    const all = Object.values(adsRejected).reduce((sum, count) => sum + count, adsUsed ?? 0)
    return all === 0 ? `${venue} none` : `${venue} ${adsUsed} of ${all} usable`
  })
  return text.length === 0 ? "" : `; ads: ${text.join(", ")}`
}

const pathOf = (fiat: string): string => `/v1/p2p/${fiat.toLowerCase()}`

const markets = Effect.flatMap(P2pMarkets, ({ followed }) =>
  Effect.all(
    [...followed].map(([fiat, followed]) => market(fiat, followed)),
    { concurrency: "unbounded" }
  )
)

/** What the service makes of each venue's book, by the market's fiat. */
export const venues: Effect.Effect<ReadonlyMap<string, MarketRate["venues"]>, never, P2pMarkets> = Effect.flatMap(
  P2pMarkets,
  ({ followed }) =>
    Effect.forEach(followed, ([fiat, { rate }]) =>
      Effect.match(rate, {
        onFailure: () => [fiat, []] as const,
        onSuccess: ({ value }) => [fiat, value.venues] as const
      })
    )
).pipe(Effect.map((found) => new Map(found)))

const explanations = Effect.gen(function* () {
  const { gathered } = yield* EvidencePool
  // Its data sets have just been fetched; the pool adopts them one by one.
  const found = yield* gathered.pipe(
    Effect.repeat({
      until: ({ sourcesFailed }) => sourcesFailed.length === 0,
      schedule: Schedule.spaced("100 millis"),
      times: 20
    })
  )
  const { sourcesFailed, sourcesOk } = found
  const all = sourcesOk + sourcesFailed.length
  const text = `/v1/why has evidence from ${sourcesOk} of ${all} sources`
  if (all === 0) return finding("explanations", "off", text)
  if (sourcesOk === 0) return finding("explanations", "failing", text)
  return isCovered(found)
    ? finding("explanations", "ok", text)
    : finding("explanations", "degraded", `${text}: too few to conclude that nothing explains a move`)
})

export const judge = Effect.map(
  Effect.all([coins, global, official, fx, explanations, markets], { concurrency: "unbounded" }),
  ([coins, global, official, fx, explanations, markets]) => [coins, global, ...markets, official, fx, explanations]
)
