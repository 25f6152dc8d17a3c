// Who explains, and when: this process every five minutes, and sooner while something is still missing. Of several processes one
// does, and passes on what it shows with all that it remembers; the others show the same, and any of them can go on from there.
import { Clock, DateTime, Duration, Effect, Latch, Schema, Stream } from "effect"
import type { Snapshot } from "../domain/Snapshot.ts"
import { Replicas } from "../sources/dataset/Replicas.ts"
import * as SnapshotStore from "../sources/dataset/SnapshotStore.ts"
import { FRESH_SHARE } from "../why/WhyInput.ts"
import { VersionedRef } from "./refresh/Dependencies.ts"
import type { Unavailable } from "./refresh/Unavailable.ts"
import type { RunFacts } from "./WhyInputs.ts"
import { MarketView, marketViewOf } from "./WhyMarket.ts"
import * as WhyMemory from "./WhyMemory.ts"

const RUN_EVERY = Duration.minutes(5)

/** So long nothing new may come from the process whose turn it is, before this one explains for itself. */
const LATE = Duration.times(RUN_EVERY, 3)

/** Explanations made of older figures would be about another move. */
const OLD = Duration.minutes(30)

/** So long after a start, in milliseconds, feeds come in: until then runs are made often, and nobody is asked for more. */
const STARTING = 20_000

/** The same for hourly prices, which may have to wait for a small budget. */
const SETTLING = 180_000

/** The first run waits this long after a start, unless somebody asks: the lists of words take a while to prepare. */
const SERVE_FIRST = Duration.seconds(1)

/** While something is missing (feeds, hourly prices) runs come sooner. */
const pauseAfter = (uptime: number, isWhole: boolean): Duration.Duration => {
  if (uptime < STARTING) return Duration.seconds(isWhole ? 5 : 1)
  if (isWhole) return RUN_EVERY
  return uptime < SETTLING ? Duration.seconds(5) : Duration.minutes(1)
}

/** One run: the movers in order of size. */
export interface WhyRun {
  readonly market: MarketView
  readonly movers: ReadonlyArray<WhyMemory.MoverView>
}

/** What the last run was made of, and what it said. */
export interface Held {
  readonly facts: RunFacts
  readonly run: Snapshot<WhyRun>
}

/** What a run is given. */
export interface Round {
  /** Whether searches may be made. */
  readonly asks: boolean
  /** Nothing is shown yet. */
  readonly isFirst: boolean
  readonly memory: WhyMemory.WhyMemory
  /** Shows these explanations; more than once, where better ones come. */
  readonly show: (facts: RunFacts, movers: ReadonlyArray<WhyMemory.MoverView>) => Effect.Effect<void>
}

/** A run as it is passed on. What is said of the movers is in the memory. */
const Passed = Schema.Struct({
  market: MarketView,
  movers: Schema.Array(Schema.String),
  memory: WhyMemory.Saved,
  source: Schema.String,
  sourcesOk: Schema.Int,
  sourcesFailed: Schema.Array(Schema.String),
  freshShare: Schema.Finite
})

/** The lease, and the name under which runs are passed on. */
const LEASE = "WHY"
const NAME = "explanations"

/** Starts the rounds; they end with the scope. */
export const make = Effect.fnUntraced(function* (options: {
  /** Where the figures come from. Runs over figures from elsewhere are not ours. */
  readonly origin: string
  /** Figures older than this are no answer. */
  readonly maxAge: Duration.Duration
  readonly factsNow: (isFirst: boolean) => Effect.Effect<RunFacts, Unavailable>
  readonly run: (round: Round) => Effect.Effect<RunFacts, Unavailable>
}) {
  const startedAt = yield* Clock.currentTimeMillis
  const memory = WhyMemory.make()
  const first = yield* Latch.make(false)
  const asked = yield* Latch.make(false)
  const news = yield* Latch.make(false)
  const held = new VersionedRef<Held | undefined>(undefined)
  const others = yield* Replicas
  const kept =
    others === undefined
      ? undefined
      : yield* SnapshotStore.make("Explanations", { lease: LEASE, name: NAME, origin: options.origin, schema: Passed })
  /** When this process is to run again, epoch milliseconds. */
  let nextAt = 0

  const put = (facts: RunFacts, movers: ReadonlyArray<WhyMemory.MoverView>, market: MarketView) => {
    const stamp = isOldAt(facts.asOf, facts.observedAt) ? facts.observedAt : facts.asOf
    const source = `${facts.source} + news feeds`
    held.replace(
      { facts, run: { value: { market, movers: [...movers] }, source, observedAt: stamp, retrievedAt: facts.asOf } },
      DateTime.toEpochMillis(facts.observedAt) + Duration.toMillis(options.maxAge)
    )
    return first.open
  }

  const saved = kept?.restore ?? Effect.succeed("nothing" as const)

  const passOn = ({ facts, run }: Held) =>
    kept?.save({
      source: NAME,
      observedAt: DateTime.min(facts.observedAt, facts.asOf),
      retrievedAt: facts.asOf,
      value: {
        market: run.value.market,
        movers: run.value.movers.map(({ id }) => id),
        memory: memory.saved(),
        source: facts.source,
        sourcesOk: facts.gathered.sourcesOk,
        sourcesFailed: facts.gathered.sourcesFailed,
        freshShare: facts.gathered.freshShare
      }
    }) ?? Effect.void

  /** Shows what another process passed on; what it did not explain is told by the figures that this one holds. */
  const follow = Effect.gen(function* () {
    const passed = yield* saved
    if (typeof passed === "string") return
    const shown = held.value?.run.retrievedAt
    const isLate = Duration.isGreaterThanOrEqualTo(DateTime.distance(passed.retrievedAt, yield* DateTime.now), LATE)
    // It stopped coming, and this process has explained for itself since.
    if (isLate && shown !== undefined && DateTime.isLessThan(passed.retrievedAt, shown)) return
    const { market, memory: remembered, movers, source, ...coverage } = passed.value
    const known = held.value?.facts
    const isSameRun = known !== undefined && DateTime.Equivalence(known.asOf, passed.retrievedAt)
    const now = isSameRun ? known : yield* options.factsNow(known === undefined)
    memory.restore(remembered)
    const views = new Map(remembered.said.map(({ view }) => [view.id, view]))
    const facts = {
      ...now,
      asOf: passed.retrievedAt,
      observedAt: passed.observedAt,
      source,
      gathered: { ...now.gathered, ...coverage }
    }
    const listed = movers.flatMap((id) => views.get(id) ?? [])
    nextAt = DateTime.toEpochMillis(facts.asOf) + Duration.toMillis(pauseAfter(Infinity, isWhole(facts)))
    held.due = nextAt
    yield* put(facts, listed, market)
  }).pipe(Effect.catch(() => Effect.void))

  /** What was lost from where it is passed on, or is older there, is passed on again. */
  const restorePassed = Effect.gen(function* () {
    const passed = yield* saved
    const last = held.value
    if (last === undefined || passed === "unusable") return
    if (passed === "nothing" || DateTime.isLessThan(passed.retrievedAt, last.run.retrievedAt)) yield* passOn(last)
  })

  const turn = others === undefined ? Effect.succeed("mine" as const) : others.leaseState(LEASE)

  const run = Effect.fnUntraced(function* (isAnothers: boolean, began: number) {
    const facts = yield* options
      .run({
        asks: !isAnothers && began - startedAt >= STARTING,
        isFirst: held.value === undefined,
        memory,
        show: Effect.fnUntraced(function* (facts, movers) {
          // Whoever was frozen in the middle brings what is long outdated.
          if (!isAnothers && (yield* turn) === "anothers") return
          yield* put(facts, movers, marketViewOf(facts, movers))
          if (!isAnothers && held.value !== undefined) yield* passOn(held.value)
        })
      })
      .pipe(
        Effect.catch((failure) => Effect.as(Effect.logDebug(`explanations: ${failure.message}`), undefined)),
        // A bug in one run must not end all later ones.
        Effect.catchCause((cause) => Effect.as(Effect.logError("a run of explanations failed", cause), undefined))
      )
    const now = yield* Clock.currentTimeMillis
    const pause = Duration.toMillis(pauseAfter(began - startedAt, facts !== undefined && isWhole(facts)))
    nextAt = Math.max(now + 1000, began + pause)
    held.due = nextAt
  })

  /** Until when what is shown will do, unless another process has something newer. */
  const makesDoUntil = (whose: "anothers" | "alone"): number =>
    held.value === undefined || (whose === "alone" && !isWhole(held.value.facts))
      ? nextAt
      : Math.max(nextAt, DateTime.toEpochMillis(held.value.run.retrievedAt) + Duration.toMillis(LATE))

  const round = Effect.gen(function* () {
    yield* news.close
    const whose = yield* turn
    if (others !== undefined) {
      if (whose === "anothers" || held.value === undefined) yield* follow
      else if (whose === "mine") yield* restorePassed
    }
    const now = yield* Clock.currentTimeMillis
    const rest = (whose === "mine" ? nextAt : makesDoUntil(whose)) - now
    if (rest <= 0) return yield* run(whose === "anothers", now)
    yield* Effect.raceFirst(Effect.sleep(Math.min(rest, Duration.toMillis(RUN_EVERY))), news.await)
  })

  if (others !== undefined) {
    yield* others.changes(LEASE, NAME).pipe(
      Stream.runForEach(() => news.open),
      Effect.forkScoped({ startImmediately: true })
    )
  }
  yield* round.pipe(
    Effect.forever,
    (rounds) => Effect.andThen(Effect.timeoutOption(asked.await, SERVE_FIRST), rounds),
    Effect.forkScoped
  )

  return {
    held,
    memory,
    /** Somebody wants to know: the first run waits no longer. */
    ask: asked.open,
    /** There is something to show. */
    first: first.await
  }
})

/** Whether figures are too old to say anything of now. */
export const isOldAt = (asOf: DateTime.Utc, observedAt: DateTime.Utc): boolean =>
  DateTime.isLessThan(observedAt, DateTime.subtractDuration(asOf, OLD))

/** Whether a run had all that it is going to have. */
const isWhole = ({ gathered, market }: RunFacts): boolean =>
  market.history.size > 0 && (gathered.freshShare >= FRESH_SHARE || gathered.sourcesFailed.length === 0)
