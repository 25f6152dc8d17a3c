// The sources of evidence for explanations, each asked once. None of them stands in for another: the more answer, the more there
// is to explain with.
import { type DateTime, Duration, Effect, Exit, Layer } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { BitgetAnnouncements } from "../sources/news/BitgetAnnouncements.ts"
import { BybitAnnouncements } from "../sources/news/BybitAnnouncements.ts"
import { DefiLlama } from "../sources/news/DefiLlama.ts"
import { Gdelt } from "../sources/news/Gdelt.ts"
import { KucoinAnnouncements } from "../sources/news/KucoinAnnouncements.ts"
import { NewsFeeds } from "../sources/news/NewsFeeds.ts"
import { OkxAnnouncements } from "../sources/news/OkxAnnouncements.ts"
import { SourceLabel } from "../sources/catalog/SourceTerms.ts"
import type { Finding } from "./DoctorFindings.ts"
import { fine, judged } from "./DoctorJudgement.ts"
import { type Outcome, outcomeOf } from "./DoctorSources.ts"

/** Feeds hold the news of the last four days. */
const LIFETIME = Duration.days(4)

type Outcomes = ReadonlyArray<Outcome<ReadonlyArray<EvidenceItem>>>

/** Asks them all, at the same time. */
export const probe = Effect.gen(function* () {
  const label = yield* SourceLabel
  const gdelt = yield* Gdelt
  const feeds = [
    (yield* OkxAnnouncements).announcements,
    (yield* KucoinAnnouncements).announcements,
    (yield* BitgetAnnouncements).announcements,
    (yield* BybitAnnouncements).announcements,
    (yield* DefiLlama).hacks,
    ...(yield* NewsFeeds).feeds.map(({ items }) => items)
  ]
  return yield* Effect.all(
    [
      ...feeds.map((feed) => outcomeOf(feed.source, feed.get)),
      outcomeOf(label(Gdelt.terms.name), gdelt.search("Bitcoin"))
    ],
    { concurrency: "unbounded" }
  )
})

/** The findings on each. */
export const judgeSources = (outcomes: Outcomes, now: DateTime.Utc): ReadonlyArray<Finding> =>
  outcomes.map((outcome) => ({
    area: "sources",
    name: `${outcome.source} news`,
    ...judged(outcome, LIFETIME, (items) => fine(`${items.length} items`), now)
  }))

/** What they are good for together. */
export const judgeServed = (outcomes: Outcomes): Finding => {
  const asked = outcomes.filter(({ exit }) => !isDisabled(exit)).length
  const answering = outcomes.filter(({ exit }) => Exit.isSuccess(exit)).length
  return {
    area: "served",
    name: "explanations",
    level: asked === 0 ? "off" : answering === 0 ? "failing" : 2 * answering < asked ? "degraded" : "ok",
    text: `/v1/why has evidence from ${answering} of ${asked} sources`
  }
}

const isDisabled = (exit: Outcomes[number]["exit"]): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error.reason._tag === "Disabled")

/** The sources as they serve. */
export const layerSources = Layer.mergeAll(
  BitgetAnnouncements.layerNoDeps,
  BybitAnnouncements.layerNoDeps,
  DefiLlama.layerNoDeps,
  Gdelt.layerNoDeps,
  KucoinAnnouncements.layerNoDeps,
  NewsFeeds.layerNoDeps,
  OkxAnnouncements.layerNoDeps
)
