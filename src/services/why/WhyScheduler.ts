// Owns the state of the explanations and decides when they are made: soon after a start, every five minutes, and sooner
// while something is missing. A failed run does not affect the next one. Each replica explains for itself, from the feeds
// that all replicas share.
import { Clock, DateTime, Duration, Effect, Latch, Ref } from "effect"
import { loop } from "../../domain/loop.ts"
import type { Explanation } from "../../domain/Explanation.ts"
import { candidatesAt, moversIn } from "../../why/Movers.ts"
import { isComplete, type RunFacts } from "../../why/RunFacts.ts"
import * as RunState from "../../why/RunState.ts"
import { type ReadonlyVersionedRef, VersionedRef } from "../refresh/Dependencies.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import { explainAll, inSlices } from "./ExplainMovers.ts"
import type { VolumeRatios } from "./VolumeRatios.ts"

export interface WhyScheduler {
  /** What is served; `undefined` before the first run. */
  readonly shown: ReadonlyVersionedRef<RunState.Shown | undefined>
  /** The whole state, including what is not shown. */
  readonly state: Effect.Effect<RunState.RunState>
  /** Starts the first run without further delay. */
  readonly ask: Effect.Effect<void>
  /** Waits until something is shown. */
  readonly first: Effect.Effect<void>
}

/** What the scheduler explains from. */
export interface WhySources {
  /** Figures observed longer ago are not served. */
  readonly maxAge: Duration.Duration
  /** The current facts. The first run waits up to 500 ms for totals and hourly prices. */
  readonly facts: (isFirst: boolean) => Effect.Effect<RunFacts, Unavailable>
  readonly volumeRatios: VolumeRatios
}

/** After a start the first run waits this long, unless a request asks: the word lists take a while to prepare. */
const SERVE_FIRST = Duration.seconds(1)

/** Between the starts of two runs. */
const RUN_EVERY = Duration.minutes(5)

/** How long after a start feeds arrive, in milliseconds: until then runs are frequent. */
const STARTING = 20_000

/** The same for hourly prices, which may have to wait for a small budget. */
const SETTLING = 180_000

/** How long after a run began the next is due. `uptime`: milliseconds from the start of the process to that run. */
export const pauseAfter = (uptime: number, complete: boolean): Duration.Duration => {
  if (uptime < STARTING) return Duration.seconds(complete ? 5 : 1)
  if (complete) return RUN_EVERY
  return Duration.seconds(uptime < SETTLING ? 5 : 60)
}

/** Starts the runs; they end with the scope. */
export const make = Effect.fnUntraced(function* (sources: WhySources) {
  const startedAt = yield* Clock.currentTimeMillis
  const state = yield* Ref.make(RunState.initial)
  const shown = new VersionedRef<RunState.Shown | undefined>(undefined)
  const asked = yield* Latch.make(false)
  const first = yield* Latch.make(false)

  /** Shows explanations to requests. */
  const show = Effect.fnUntraced(function* (facts: RunFacts, movers: ReadonlyArray<Explanation>) {
    const next = yield* Ref.updateAndGet(state, (now) => RunState.show(now, facts, movers))
    shown.replace(next.shown, DateTime.toEpochMillis(facts.observedAt) + Duration.toMillis(sources.maxAge))
    yield* first.open
  })

  /** Whether everything was there to explain from. */
  const run = Effect.gen(function* () {
    const facts = yield* sources.facts(shown.value === undefined)
    const candidates = yield* inSlices(facts.market.coins.coins, candidatesAt(facts.market, facts.asOf))
    const listed = shown.value?.run.value.movers.map(({ id }) => id)
    const ids = moversIn(new Set(listed), candidates)
    const coins = ids.flatMap((id) => facts.market.coins.byId.get(id) ?? [])
    yield* show(facts, yield* explainAll(coins, facts, yield* sources.volumeRatios(ids)))
    return isComplete(facts)
  }).pipe(
    Effect.withSpan("WhyScheduler.run"),
    Effect.catch((failure) => Effect.as(Effect.logDebug(`explanations: ${failure.message}`), false)),
    // A bug in one run must not end all later ones.
    Effect.catchCause((cause) => Effect.as(Effect.logError("a run of explanations failed", cause), false))
  )

  const round = Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const pause = Duration.toMillis(pauseAfter(began - startedAt, yield* run))
    const now = yield* Clock.currentTimeMillis
    const wait = Math.max(1000, began + pause - now)
    shown.due = now + wait
    yield* Effect.sleep(wait)
  })

  const begin = Effect.timeoutOption(asked.await, SERVE_FIRST)
  yield* Effect.forkScoped(Effect.andThen(begin, loop("explanations", 0, round)))

  return { shown, state: Ref.get(state), ask: asked.open, first: first.await } satisfies WhyScheduler
})
