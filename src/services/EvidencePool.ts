// Everything published lately that may explain a move: announcements of exchanges, records of incidents, news. It also
// tells how many of the feeds that matter are fresh, so that "nothing was found" differs from "the feeds did not
// answer".
import { type Config, Context, DateTime, Duration, Effect, Layer, Option, type Scope } from "effect"
import type { EvidenceItem } from "../domain/Evidence.ts"
import { BitgetAnnouncements } from "../sources/news/BitgetAnnouncements.ts"
import { BybitAnnouncements } from "../sources/news/BybitAnnouncements.ts"
import { DefiLlama } from "../sources/news/DefiLlama.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { KucoinAnnouncements } from "../sources/news/KucoinAnnouncements.ts"
import { NewsFeeds } from "../sources/news/NewsFeeds.ts"
import { OkxAnnouncements } from "../sources/news/OkxAnnouncements.ts"
import type { GatheredEvidence } from "../why/RunFacts.ts"
import { EVIDENCE_HOURS } from "../why/WhyInput.ts"
import * as Refresher from "./refresh/Refresher.ts"

/** A feed that has not answered for this long is not fresh; one that is read less often has 1.5 of its interval. */
const FRESH = Duration.minutes(30)

const freshFor = ({ every }: DataSet<unknown>): Duration.Duration => Duration.max(FRESH, Duration.times(every, 1.5))

/** Nothing older takes part in an explanation. */
const WINDOW = Duration.hours(EVIDENCE_HOURS)

/** The pool of evidence. */
export class EvidencePool extends Context.Service<
  EvidencePool,
  {
    readonly gathered: Effect.Effect<GatheredEvidence>
  }
>()("crypto-data-api/services/EvidencePool") {
  static readonly layerNoDeps: Layer.Layer<
    EvidencePool,
    never,
    OkxAnnouncements | KucoinAnnouncements | BitgetAnnouncements | BybitAnnouncements | DefiLlama | NewsFeeds
  > = Layer.effect(
    EvidencePool,
    Effect.gen(function* () {
      const announcing = [
        (yield* OkxAnnouncements).announcements,
        (yield* KucoinAnnouncements).announcements,
        (yield* BitgetAnnouncements).announcements,
        (yield* BybitAnnouncements).announcements
      ]
      const { feeds } = yield* NewsFeeds
      const { hacks } = yield* DefiLlama
      const polled = yield* Effect.forEach(
        [
          ...announcing.map((feed) => ({ feed, counts: true })),
          { feed: hacks, counts: true },
          ...feeds.map(({ items, tier }) => ({ feed: items, counts: tier === "primary" || tier === "tier1" }))
        ],
        poll
      )

      const gathered = Effect.gen(function* () {
        const now = yield* DateTime.now
        const looks = yield* Effect.forEach(polled, (one) => lookAt(one, now))
        const horizon = DateTime.subtractDuration(now, WINDOW)
        // What a source said before it was switched off still counts as said.
        const items = new Map(looks.flatMap((look) => look.items).map((item) => [item.id, item]))
        const asked = looks.filter(({ isOff }) => !isOff)
        const counted = asked.filter(({ counts }) => counts)
        return {
          items: [...items.values()]
            .filter(({ publishedAt }) => DateTime.isGreaterThanOrEqualTo(publishedAt, horizon))
            .sort(
              (a, b) => b.publishedAt.epochMilliseconds - a.publishedAt.epochMilliseconds || (a.id < b.id ? -1 : 1)
            ),
          sourcesOk: asked.filter(({ isFresh }) => isFresh).length,
          sourcesFailed: asked.flatMap(({ isFresh, source }) => (isFresh ? [] : [source])),
          freshShare: counted.length === 0 ? 0 : counted.filter(({ isFresh }) => isFresh).length / counted.length
        }
      })

      return EvidencePool.of({ gathered })
    })
  )

  static readonly layer: Layer.Layer<EvidencePool, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide([
      OkxAnnouncements.layer,
      KucoinAnnouncements.layer,
      BitgetAnnouncements.layer,
      BybitAnnouncements.layer,
      DefiLlama.layer,
      NewsFeeds.layer
    ])
  )

  static readonly layerTest = (service: EvidencePool["Service"]) => Layer.succeed(EvidencePool, service)
}

/** A feed that is read regularly. `counts`: whether it counts for how much was searched. */
interface Polled {
  readonly feed: DataSet<ReadonlyArray<EvidenceItem>>
  readonly counts: boolean
  readonly last: Refresher.Refresher<ReadonlyArray<EvidenceItem>>["last"]
}

const poll = ({ counts, feed }: Omit<Polled, "last">): Effect.Effect<Polled, never, Scope.Scope> =>
  Effect.map(
    Refresher.make({ name: `news of ${feed.source}`, sources: [feed], maxAge: WINDOW, grace: WINDOW }),
    ({ last }) => ({ counts, feed, last })
  )

/**
 * What a feed said last, whether it is switched off (then it is neither searched nor missed), and whether it is fresh.
 */
const lookAt = Effect.fnUntraced(function* ({ counts, feed, last }: Polled, now: DateTime.Utc) {
  const held = yield* last
  const { failed } = yield* feed.status
  return {
    source: feed.source,
    counts,
    items: Option.isSome(held) ? held.value.value : [],
    isOff: failed?.reason === "Disabled",
    isFresh: Option.isSome(held) && Duration.isLessThan(DateTime.distance(held.value.retrievedAt, now), freshFor(feed))
  }
})
