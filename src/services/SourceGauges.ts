// Gauges of the data sets, as `/v1/sources` shows them. The age of data depends on the time of reading, so each scrape sets them.
import { DateTime, Effect, Metric } from "effect"
import { SourceStatus } from "./SourceStatus.ts"

const gauge = (name: string, description: string) => (attributes: Readonly<Record<string, string>>) =>
  Metric.gauge(name, { description, attributes })

const age = gauge("cda_data_set_age_seconds", "Seconds since the data was observed, by the source's clock")
const lastSuccess = gauge(
  "cda_data_set_last_success_timestamp_seconds",
  "When the source last delivered the data, in seconds since 1970"
)
const state = gauge(
  "cda_data_set_state",
  "1 for the current state of the data set (ok, failing, resting, disabled, idle), 0 for the others"
)

const ADDED_FEEDS = "NEWS_FEEDS"

const STATES = ["ok", "failing", "resting", "disabled", "idle"] as const

/** Makes the effect that sets the gauges of every data set. One that was never fetched has no age, only a state. */
export const make = Effect.gen(function* () {
  const status = yield* SourceStatus
  return Effect.gen(function* () {
    const { sources } = yield* status.current
    const feeds = new Map<string, number>()
    for (const { data_sets, id: source, link } of sources) {
      const nth = (feeds.get(link) ?? 0) + 1
      if (source === ADDED_FEEDS) feeds.set(link, nth)
      for (const set of data_sets) {
        const labels = {
          source,
          data_set: set.name,
          ...(set.market !== undefined && { market: set.market }),
          // All feeds that the operator added have one id. Their addresses may contain secrets.
          ...(source === ADDED_FEEDS && { feed: nth === 1 ? link : `${link} ${nth}` })
        }
        if (set.age !== null) yield* Metric.update(age(labels), set.age)
        if (set.last_success !== null) {
          yield* Metric.update(lastSuccess(labels), DateTime.toEpochMillis(set.last_success) / 1000)
        }
        for (const each of STATES) {
          yield* Metric.update(state({ ...labels, state: each }), each === set.state ? 1 : 0)
        }
      }
    }
  })
})
