// Everything published lately that may explain a move: announcements of exchanges, records of incidents, news. It also
// tells how many of the feeds that matter are fresh, so that "nothing was found" differs from "the feeds did not
// answer".
import { type Config, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
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
        const states = yield* Effect.forEach(polled, ({ last }) => last)
        const isOff = yield* Effect.forEach(polled, ({ feed }) => wasSwitchedOff(feed))
        const isFresh = states.map(
          (held, n) =>
            Option.isSome(held) &&
            isOff[n] !== true &&
            Duration.isLessThan(DateTime.distance(held.value.retrievedAt, now), polled[n]?.fresh ?? FRESH)
        )
        const counted = polled.flatMap(({ counts }, n) => (counts && isOff[n] !== true ? [isFresh[n] === true] : []))
        const items = new Map(
          states.flatMap((held) => (Option.isSome(held) ? held.value.value : [])).map((item) => [item.id, item])
        )
        const horizon = DateTime.subtractDuration(now, WINDOW)
        return {
          items: [...items.values()]
            .filter(({ publishedAt }) => DateTime.isGreaterThanOrEqualTo(publishedAt, horizon))
            .sort(
              (a, b) => b.publishedAt.epochMilliseconds - a.publishedAt.epochMilliseconds || (a.id < b.id ? -1 : 1)
            ),
          sourcesOk: isFresh.filter(Boolean).length,
          sourcesFailed: polled.flatMap(({ feed }, n) =>
            isFresh[n] === true || isOff[n] === true ? [] : [feed.source]
          ),
          freshShare: counted.length === 0 ? 0 : counted.filter(Boolean).length / counted.length
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

const poll = ({ counts, feed }: { readonly feed: DataSet<ReadonlyArray<EvidenceItem>>; readonly counts: boolean }) =>
  Effect.map(
    Refresher.make({ name: `news of ${feed.source}`, sources: [feed], maxAge: WINDOW, grace: WINDOW }),
    ({ last }) => ({ last, feed, counts, fresh: freshFor(feed) })
  )

/** A source that the operator switched off is neither searched nor missed. */
const wasSwitchedOff = ({ status }: DataSet<unknown>): Effect.Effect<boolean> =>
  Effect.map(status, ({ failed }) => failed?.reason === "Disabled")
