// The state of every source: its terms, and the last success and failure of each data set. Reading it calls no source.
import { type Config, Context, DateTime, Duration, Effect, Layer } from "effect"
import * as Age from "../sources/dataset/Age.ts"
import type { DataSetStatus } from "../sources/dataset/DataSet.ts"
import { SourceClocks } from "../sources/client/SourceClocks.ts"
import { Judgements } from "./judge/Judgements.ts"
import { disabledSources } from "../sources/client/SourceSettings.ts"
import { SourceLabel, type SourceTerms } from "../sources/catalog/SourceRecord.ts"
import { type AllSources, allSources, layerAllSources, type SourceDataSets, watchedIn } from "../sources/Sources.ts"

/** `resting`: calls are withheld for a while; `idle`: not polled lately, such as data that only helps another data set. */
export type State = "ok" | "failing" | "resting" | "disabled" | "idle"

/** One data set of a source. `updated` is when its data was observed, and `age` its seconds since then. */
export interface DataSetState {
  readonly name: string
  /** The fiat of a P2P market, if the source has a data set for each. */
  readonly market?: string
  readonly state: State
  readonly last_success: DateTime.Utc | null
  readonly updated: DateTime.Utc | null
  readonly age: number | null
  /** The last failure since the start, in words; a success may have followed it. */
  readonly last_error: string | null
  readonly last_error_at: DateTime.Utc | null
  /** Its rows that are not believed now, such as prices that jumped or contradict other sources. */
  readonly passed_over: number
}

/** One source, by its public name, with its data sets; its state is the worst of theirs. */
export interface Source extends Omit<SourceTerms, "baseUrl" | "olderBaseUrls"> {
  readonly enabled: boolean
  readonly state: State
  readonly data_sets: ReadonlyArray<DataSetState>
}

/** All sources, and when the newest success was. */
export interface Sources {
  readonly sources: ReadonlyArray<Source>
  readonly updated: DateTime.Utc
  /** By how many seconds this machine's clock is ahead of the sources' clocks, if it is wrong; negative: behind. */
  readonly clock_ahead?: number | undefined
}

/** A data set that was not refreshed for this many of its intervals is `idle`. */
const IDLE_AFTER = 3

/** The state of every source. */
export class SourceStatus extends Context.Service<
  SourceStatus,
  {
    readonly current: Effect.Effect<Sources>
  }
>()("crypto-data-api/services/SourceStatus") {
  static readonly layerNoDeps: Layer.Layer<SourceStatus, Config.ConfigError, AllSources> = Layer.effect(
    SourceStatus,
    Effect.gen(function* () {
      const label = yield* SourceLabel
      const clocks = yield* SourceClocks
      const { passedOverOf } = yield* Judgements
      const disabled = yield* disabledSources
      const all = yield* allSources
      const started = yield* DateTime.now

      const source = Effect.fnUntraced(function* (all: SourceDataSets, now: DateTime.Utc): Effect.fn.Return<Source> {
        const { isInUse, source } = all
        const { attribution, id, licence, link, name, redistribution } = source
        const enabled = isInUse && !disabled.has(id)
        const data_sets = yield* Effect.forEach(watchedIn(all), (watched) =>
          dataSet(watched, enabled, now, passedOverOf)
        )
        const state = enabled
          ? (order.find((state) => data_sets.some((set) => set.state === state)) ?? "idle")
          : "disabled"
        return { id, name: label(name), attribution, link, licence, redistribution, enabled, state, data_sets }
      })

      const current = Effect.gen(function* () {
        const now = yield* DateTime.now
        const sources = yield* Effect.forEach(all, (one) => source(one, now))
        const successes = sources.flatMap(({ data_sets }) =>
          data_sets.flatMap(({ last_success }) => last_success ?? [])
        )
        const clock_ahead = clocks.wrongBy()
        return { sources, clock_ahead, updated: successes.length === 0 ? started : successes.reduce(DateTime.max) }
      })

      return SourceStatus.of({ current })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(layerAllSources))

  static readonly layerTest = (service: SourceStatus["Service"]) => Layer.succeed(SourceStatus, service)
}

type WatchedSet = ReturnType<typeof watchedIn>[number]

const dataSet = (
  { market, name, set }: WatchedSet,
  enabled: boolean,
  now: DateTime.Utc,
  passedOverOf: (key: string) => ReadonlyArray<unknown>
): Effect.Effect<DataSetState> =>
  Effect.map(set.status, (status) => {
    const { failed, snapshot } = status
    const isTold = failed !== null && failed.reason !== "Disabled"
    return {
      name,
      ...(market !== undefined && { market }),
      state: enabled ? stateOf(status, set.every, now) : "disabled",
      last_success: snapshot?.retrievedAt ?? null,
      updated: snapshot?.observedAt ?? null,
      age: snapshot === null ? null : Math.round(Duration.toSeconds(DateTime.distance(snapshot.observedAt, now))),
      last_error: isTold ? failed.message : null,
      last_error_at: isTold ? failed.at : null,
      passed_over: passedOverOf(set.key).length
    }
  })

/** Reasons for withheld calls: open circuit, pause requested by the source, budget spent. */
export const withheld: ReadonlySet<string> = new Set(["Suspended", "RateLimited", "OverBudget"])

const stateOf = ({ failed, snapshot }: DataSetStatus, every: Duration.Duration, now: DateTime.Utc): State => {
  // A success ahead of our clock is older than a failure since that was set back.
  const isFailing =
    snapshot === null ||
    Age.isAhead(snapshot, now) ||
    (failed !== null && DateTime.isGreaterThan(failed.at, snapshot.retrievedAt))
  if (failed !== null && isFailing) return withheld.has(failed.reason) ? "resting" : "failing"
  if (snapshot === null) return "idle"
  const age = DateTime.distance(snapshot.retrievedAt, now)
  return Duration.isLessThan(age, Duration.times(every, IDLE_AFTER)) ? "ok" : "idle"
}

/** States, worst first. */
const order: ReadonlyArray<State> = ["failing", "resting", "ok", "idle"]
