// Counters of refreshes and look-ups. `question` is the name of a refresher, a label that users know.
import { Effect, Metric } from "effect"
import { counter } from "../../sources/client/SourceMetrics.ts"

const answersOf = counter(
  "cda_question_answers_total",
  "Polls of the preferred source of a question, by the source that serves after it"
)
const fallBacksOf = counter(
  "cda_question_fallbacks_total",
  "Polls of the preferred source after which another source serves instead"
)
const unansweredOf = counter(
  "cda_question_unanswered_total",
  "Polls of the preferred source after which no source has a usable answer"
)
const lookUpsOf = counter(
  "cda_lookups_total",
  "Look-ups on behalf of callers: hit, answered from the cache; miss, asked of a source"
)

const passedOverOf = counter(
  "cda_question_passed_over_total",
  "Figures of a source that were not believed: jump, implausible beside the one before; alone, against two sources that agree; differs, a first answer further from what is known than another source"
)

export const passedOver = (
  labels: { readonly question: string; readonly source: string; readonly why: string },
  count: number
): Effect.Effect<void> => Metric.update(passedOverOf(labels), count)

export const ofQuestion = (question: string) => {
  const unanswered = unansweredOf({ question })
  return {
    /** Begins the counters at 0 for these sources, the preferred one first. */
    begin: (sources: ReadonlyArray<string>): Effect.Effect<void> =>
      Effect.all(
        [
          unanswered,
          ...sources.map((served_by) => answersOf({ question, served_by })),
          ...sources.slice(1).map((served_by) => fallBacksOf({ question, served_by })),
          ...sources.flatMap((source) =>
            ["jump", "alone", "differs"].map((why) => passedOverOf({ question, source, why }))
          )
        ].map((begun) => Metric.update(begun, 0)),
        { discard: true }
      ),
    /** `served_by` is the source's public name; `isFirst`: it is the preferred source. */
    answered: (served_by: string, isFirst: boolean): Effect.Effect<void> => {
      const counted = Metric.update(answersOf({ question, served_by }), 1)
      return isFirst ? counted : Effect.andThen(counted, Metric.update(fallBacksOf({ question, served_by }), 1))
    },
    unanswered: Metric.update(unanswered, 1)
  }
}

export const ofLookUps = Effect.fnUntraced(function* (cache: string) {
  const hits = lookUpsOf({ cache, outcome: "hit" })
  const misses = lookUpsOf({ cache, outcome: "miss" })
  for (const begun of [hits, misses]) yield* Metric.update(begun, 0)
  return (isHeld: boolean): Effect.Effect<void> => Metric.update(isHeld ? hits : misses, 1)
})
