// Recent items that may explain a move: announcements, incidents, news. The share of fresh feeds is returned too, so
// that "nothing was found" differs from "the feeds did not answer".
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { type EvidenceItem, newestFirst } from "../domain/Evidence.ts"
import type { DataSet } from "../sources/dataset/DataSet.ts"
import { layerWith, type SourcesWith, sourcesWith } from "../sources/Sources.ts"
import { EVIDENCE_HOURS, FRESH_SHARE, type GatheredEvidence } from "../why/RunFacts.ts"
import * as Refresher from "./refresh/Refresher.ts"
import { whole } from "./refresh/Rows.ts"

/** A feed is fresh for this long after an answer, or for 1.5 of its interval if that is longer. */
const FRESH = Duration.minutes(30)

/** Older items are left out. */
const WINDOW = Duration.hours(EVIDENCE_HOURS)

/** Whether enough feeds are fresh to say that nothing was found. */
export const isCovered = ({ freshShare }: GatheredEvidence): boolean => freshShare >= FRESH_SHARE

const items = whole<ReadonlyArray<EvidenceItem>>()

const evidence = ["announcements", "hacks", "news"] as const

type Evidence = (typeof evidence)[number]

/** News, announcements and hacks of the last `EVIDENCE_HOURS`, from all sources that have some. */
export class EvidencePool extends Context.Service<
  EvidencePool,
  {
    /** The evidence gathered so far, and how many of its sources have answered lately. Never waits. */
    readonly gathered: Effect.Effect<GatheredEvidence>
  }
>()("crypto-data-api/services/EvidencePool") {
  static readonly layerNoDeps: Layer.Layer<EvidencePool, never, SourcesWith<Evidence>> = Layer.effect(
    EvidencePool,
    Effect.gen(function* () {
      const sources = yield* sourcesWith(...evidence)
      const polled = yield* Effect.forEach(
        sources.flatMap(({ dataSets, tier }) =>
          evidence.flatMap((name) => {
            const feed = dataSets[name]
            return feed === undefined ? [] : { feed, counts: tier === "primary" || tier === "tier1" }
          })
        ),
        ({ counts, feed }) => poll(feed, counts)
      )

      const gathered = Effect.gen(function* () {
        const now = yield* DateTime.now
        const looks = yield* Effect.forEach(polled, (lookAt) => lookAt(now))
        const horizon = DateTime.subtractDuration(now, WINDOW)
        const items = new Map(looks.flatMap((look) => look.items).map((item) => [item.id, item]))
        const asked = looks.filter(({ isOff }) => !isOff)
        const counted = asked.filter(({ counts }) => counts)
        return {
          items: [...items.values()]
            .filter(({ publishedAt }) => DateTime.isGreaterThanOrEqualTo(publishedAt, horizon))
            .sort(newestFirst),
          sourcesOk: asked.filter(({ isFresh }) => isFresh).length,
          sourcesFailed: asked.flatMap(({ isFresh, source }) => (isFresh ? [] : [source])),
          freshShare: counted.length === 0 ? 0 : counted.filter(({ isFresh }) => isFresh).length / counted.length
        }
      })

      return EvidencePool.of({ gathered })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerWith(...evidence)))

  static readonly layerTest = (service: EvidencePool["Service"]) => Layer.succeed(EvidencePool, service)
}

/**
 * Polls a feed. Returns its last items, whether it is switched off (then it counts neither as fresh nor as failed), and
 * whether it is fresh. `counts`: whether it counts for the share of fresh feeds.
 */
const poll = Effect.fnUntraced(function* (feed: DataSet<ReadonlyArray<EvidenceItem>>, counts: boolean) {
  const name = `news of ${feed.source}`
  const freshFor = Duration.max(FRESH, Duration.times(feed.every, 1.5))
  const { last } = yield* Refresher.make({ name, sources: [feed], rows: items, maxAge: WINDOW })
  return Effect.fnUntraced(function* (now: DateTime.Utc) {
    const held = Option.getOrUndefined(yield* last)
    return {
      source: feed.source,
      counts,
      items: held?.value ?? [],
      isOff: feed.isOff,
      isFresh: held !== undefined && Duration.isLessThan(DateTime.distance(held.retrievedAt, now), freshFor)
    }
  })
})
