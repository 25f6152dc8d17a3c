// Owns the state of the explanations and decides when they are made. Of several processes, the one that has the turn
// explains and shares its state. The others show the same, and any of them can continue from there. A failed run does
// not affect the next one.
import { Clock, DateTime, Duration, Effect, Latch, Option, Ref } from "effect"
import { loop } from "../../domain/loop.ts"
import type { Explanation } from "../../domain/Explanation.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import { alone, renewing, Replicas, type Turn } from "../../sources/dataset/Replicas.ts"
import * as SnapshotStore from "../../sources/dataset/SnapshotStore.ts"
import { candidatesAt } from "../../why/MoverCandidates.ts"
import { isComplete, type RunFacts } from "../../why/RunFacts.ts"
import * as RunState from "../../why/RunState.ts"
import { type ReadonlyVersionedRef, VersionedRef } from "../refresh/Dependencies.ts"
import type { Unavailable } from "../refresh/Unavailable.ts"
import { explainAll, inSlices } from "./ExplainMovers.ts"
import { dueAt, pauseAfter } from "./RunSchedule.ts"
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
  /** The origin of the figures: runs over figures of another origin are not taken over. */
  readonly origin: string
  /** Figures observed longer ago are not served. */
  readonly maxAge: Duration.Duration
  /** The current facts. The first run waits up to 500 ms for totals and hourly prices. */
  readonly facts: (isFirst: boolean) => Effect.Effect<RunFacts, Unavailable>
  readonly volumeRatios: VolumeRatios
}

/** After a start the first run waits this long, unless a request asks: the word lists take a while to prepare. */
const SERVE_FIRST = Duration.seconds(1)

/** Milliseconds between checks for a run of another process. */
const LOOK_EVERY = 1000

/** The name under which runs are shared, and the most bytes of one. A usual one has 100,000. */
const NAME = "explanations"
const MOST_BYTES = 4 * 1024 * 1024

/** Starts the runs; they end with the scope. */
export const make = Effect.fnUntraced(function* (sources: WhySources) {
  const startedAt = yield* Clock.currentTimeMillis
  const state = yield* Ref.make(RunState.initial)
  const shown = new VersionedRef<RunState.Shown | undefined>(undefined)
  const asked = yield* Latch.make(false)
  const first = yield* Latch.make(false)
  const isAlone = (yield* Replicas) === alone
  const store = isAlone
    ? SnapshotStore.none
    : yield* SnapshotStore.make("Explanations", {
        name: NAME,
        origin: sources.origin,
        schema: RunState.PassedRun,
        most: MOST_BYTES
      })
  /** The saved run. `isNews`: another process saved it, and it is not shown yet. */
  let passed: Snapshot<RunState.PassedRun> | "nothing" | "unusable" = "nothing"
  let isNews = false

  /** Takes or renews the turn, which lasts while this process keeps looking. */
  const look = Effect.map(store.look(true), ({ found, turn }): Turn => {
    if (found !== "known") {
      passed = found
      isNews = true
    }
    return turn
  })

  /** Updates the state, and shows the run to requests if it is new. */
  const advance = Effect.fnUntraced(function* (step: (state: RunState.RunState) => RunState.RunState) {
    const next = yield* Ref.updateAndGet(state, step)
    if (next.shown !== undefined && next.shown !== shown.value) {
      const observedAt = DateTime.toEpochMillis(next.shown.facts.observedAt)
      shown.replace(next.shown, observedAt + Duration.toMillis(sources.maxAge))
      yield* first.open
    }
    shown.due = next.nextAt
    return next
  })

  const passOn = Effect.flatMap(Ref.get(state), (now) => {
    const next = RunState.passedOf(now)
    if (next === undefined) return Effect.void
    passed = next
    return store.save(next)
  })

  /** Shows explanations, and shares them. Does neither if another process has the turn by now. */
  const show = Effect.fnUntraced(function* (facts: RunFacts, movers: ReadonlyArray<Explanation>, passes: boolean) {
    if (passes && (yield* look) === "other") return
    yield* advance((now) => RunState.show(now, facts, movers))
    if (passes) yield* passOn
  })

  /** One run. `passes`: it is shared with all processes, not for this one only. */
  const run = Effect.fn("WhyScheduler.run")(function* (passes: boolean) {
    const facts = yield* sources.facts(shown.value === undefined)
    const candidates = yield* inSlices(facts.market.coins.coins, candidatesAt(facts.market, facts.asOf))
    const ids = yield* Ref.modify(state, (now) => RunState.select(now, candidates, facts.asOf))
    const coins = ids.flatMap((id) => facts.market.coins.byId.get(id) ?? [])
    yield* show(facts, yield* explainAll(coins, facts, yield* sources.volumeRatios(ids)), passes)
    return isComplete(facts)
  })

  const runAndPlan = Effect.fnUntraced(function* (passes: boolean, began: number) {
    const complete = yield* run(passes).pipe(
      Effect.catch((failure) => Effect.as(Effect.logDebug(`explanations: ${failure.message}`), false)),
      // A bug in one run must not end all later ones.
      Effect.catchCause((cause) => Effect.as(Effect.logError("a run of explanations failed", cause), false))
    )
    const earliest = (yield* Clock.currentTimeMillis) + 1000
    const planned = began + Duration.toMillis(pauseAfter(began - startedAt, complete))
    yield* advance((now) => ({ ...now, nextAt: Math.max(earliest, planned) }))
  })

  /** Shows a run of another process, completed by this process's own facts. */
  const follow = Effect.fnUntraced(function* (passed: Snapshot<RunState.PassedRun>) {
    const held = shown.value
    const isSameRun = held !== undefined && DateTime.Equivalence(held.facts.asOf, passed.retrievedAt)
    const own = isSameRun ? held.facts : yield* sources.facts(held === undefined)
    yield* advance((now) => {
      const next = RunState.takeOver(now, passed, own)
      const pause = pauseAfter(Infinity, next.shown !== undefined && isComplete(next.shown.facts))
      return { ...next, nextAt: DateTime.toEpochMillis(passed.retrievedAt) + Duration.toMillis(pause) }
    })
  })

  /**
   * Shows the shared run if it is later than the current one. Shares the current one if that is later, or if nothing is
   * saved. So all processes come to show the same. Of two states of one run, that of the process with the turn counts.
   */
  const exchange = Effect.fnUntraced(function* (whose: Turn) {
    const held = shown.value?.facts.asOf
    if (passed === "unusable") return
    if (passed === "nothing") return yield* passOn
    if (held !== undefined && DateTime.isGreaterThan(held, passed.retrievedAt)) return yield* passOn
    const isSameRun = held !== undefined && DateTime.Equivalence(held, passed.retrievedAt)
    if (!isNews || (isSameRun && whose !== "other")) return
    // A process without figures of its own cannot show it yet; the next round tries again.
    isNews = Option.isNone(yield* Effect.option(follow(passed)))
  })

  const round = Effect.gen(function* () {
    const whose = yield* look
    if (whose !== "unknown" && !isAlone) yield* exchange(whose)
    const now = yield* Clock.currentTimeMillis
    const rest = dueAt(yield* Ref.get(state), whose) - now
    if (rest <= 0) return yield* renewing(look)(runAndPlan(whose !== "other", now))
    yield* Effect.sleep(Math.min(rest, isAlone ? rest : LOOK_EVERY))
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logError("a round of explanations failed", cause), Effect.sleep("1 second"))
    )
  )

  const begin = Effect.timeoutOption(asked.await, SERVE_FIRST)
  yield* Effect.forkScoped(Effect.andThen(begin, loop("explanations", 0, round)))

  return { shown, state: Ref.get(state), ask: asked.open, first: first.await } satisfies WhyScheduler
})
