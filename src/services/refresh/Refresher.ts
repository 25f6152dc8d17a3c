// Keeps the answer to one question ready: its sources are walked on a jittered schedule, and the last good snapshot is served,
// with its true time, until it is older than the question allows. A failed refresh never ends the later ones.
import { Clock, DateTime, Duration, Effect, Latch, Option, Random, type Scope, Stream } from "effect"
import * as Jumps from "../../domain/JumpFilter.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "../../sources/dataset/Age.ts"
import { VersionedRef, read } from "./Dependencies.ts"
import * as Patience from "./Patience.ts"
import * as RefreshMetrics from "./RefreshMetrics.ts"
import * as SourceWalk from "./SourceWalk.ts"
import { Unavailable } from "./Unavailable.ts"

export interface Refresher<out A> {
  /**
   * The snapshot held, if it is young enough. Waits for a source only before the first refresh has come to a result, and then
   * as long as {@link Patience.waitFor} allows.
   */
  readonly answer: Effect.Effect<Snapshot<A>, Unavailable>
  /** The snapshot held, if it is young enough. Never waits. */
  readonly current: Effect.Effect<Option.Option<Snapshot<A>>>
  /** The last good snapshot, however old. */
  readonly last: Effect.Effect<Option.Option<Snapshot<A>>>
  /** Completes when the first refresh has come to a result, or one was restored. */
  readonly decided: Effect.Effect<void>
}

/** Compares a new snapshot with the one held. Figures that it holds back keep their former value in `snapshot`. */
export type JumpFilter<A> = (
  held: Snapshot<A>,
  next: Snapshot<A>,
  pending: Jumps.Pending
) => { readonly snapshot: Snapshot<A>; readonly heldBack: ReadonlySet<string>; readonly pending: Jumps.Pending }

/** The pause after a walk in which no source had usable data; it doubles up to {@link LONGEST_RETRY}. */
const FIRST_RETRY = Duration.seconds(1)

const LONGEST_RETRY = Duration.seconds(10)

/** After a start that restored a servable snapshot the first walk is this much later, so that requests go first. */
const SERVE_FIRST = Duration.seconds(1)

/** Starts the refreshes; they stop with the scope. */
export const make = <A>(
  options: SourceWalk.WalkOptions<A> & {
    readonly review?: JumpFilter<A>
    /** When the first refresh begins; default: at once. */
    readonly startAfter?: Duration.Input
  }
): Effect.Effect<Refresher<A>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { name, review, sources, startAfter } = options
    const maxAge = Duration.fromInputUnsafe(options.maxAge)
    const every = sources[0].every
    const metrics = RefreshMetrics.ofQuestion(name)
    const origin = new VersionedRef<Snapshot<A> | undefined>(undefined)
    const decided = yield* Latch.make(false)
    let seen: Snapshot<A> | undefined
    let pending = Jumps.nothingPending
    let failures = 0

    const keep = (snapshot: Snapshot<A>) =>
      Effect.andThen(
        Effect.sync(() => origin.replace(snapshot, Age.servableUntil(snapshot, maxAge))),
        decided.open
      )

    const serve = Effect.fnUntraced(function* (next: Snapshot<A>) {
      if (next === seen) return
      seen = next
      const held = origin.value
      if (review === undefined || held === undefined) {
        yield* keep(next)
        return
      }
      const reviewed = review(held, next, pending)
      pending = reviewed.pending
      if (reviewed.heldBack.size > 0) {
        const some = [...reviewed.heldBack].slice(0, 5).join(", ")
        yield* Effect.logWarning(
          `${name}: ${next.source} changed ${reviewed.heldBack.size} figures out of all proportion, held back until confirmed (${some})`
        )
      }
      yield* keep(reviewed.snapshot)
      if (reviewed.heldBack.size > 0 && held.source === next.source) {
        seen = reviewed.snapshot
        yield* sources.find(({ source }) => source === next.source)?.amend(reviewed.snapshot) ?? Effect.void
      }
    })

    const walk = SourceWalk.make(options, serve)

    /** One refresh, and the pause until the next. */
    const refresh = Effect.gen(function* () {
      const isHeld = origin.value !== undefined && (yield* Clock.currentTimeMillis) <= origin.goodUntil
      const { retryAfter, served } = yield* walk(!isHeld)
      failures = served === undefined ? failures + 1 : 0
      yield* served === undefined ? metrics.unanswered : metrics.answered(served.source.source, served.isFirst)
      return retryAfter
    }).pipe(
      // A bug in one refresh must not end all later ones.
      Effect.catchDefect((defect) =>
        Effect.logError(`${name}: a bug in a refresh, what is held stays`, defect).pipe(
          Effect.andThen(metrics.unanswered),
          Effect.andThen(Effect.sync(() => (failures += 1))),
          Effect.as(Duration.infinity)
        )
      ),
      Effect.ensuring(decided.open),
      Effect.withSpan("Refresher.refresh", { attributes: { question: name }, root: true })
    )

    const pauseUntilDue = Effect.fnUntraced(function* (budgetBackIn: Duration.Duration) {
      const retry = Duration.min(LONGEST_RETRY, Duration.times(FIRST_RETRY, 2 ** Math.min(failures - 1, 5)))
      const due = failures === 0 ? every : Duration.min(every, retry)
      const jittered = Duration.times(due, yield* Random.nextBetween(1, 1.2))
      const pause = Duration.min(jittered, Duration.sum(budgetBackIn, Duration.millis(50)))
      origin.due = (yield* Clock.currentTimeMillis) + Duration.toMillis(pause)
      yield* Effect.sleep(pause)
    })

    const restore = Effect.gen(function* () {
      for (const source of sources) {
        const kept = Option.getOrUndefined(yield* source.last)
        if (kept !== undefined && Age.isServable(kept, maxAge, yield* DateTime.now)) {
          yield* serve(kept)
          break
        }
      }
    })
    // Reading snapshots back takes time: a question that starts later restores them when it is first asked.
    const restored = yield* Effect.cached(restore)
    if (startAfter === undefined) yield* restored
    const held = startAfter === undefined ? read(origin) : Effect.andThen(restored, read(origin))

    // What another process brought is taken over before the next refresh is due.
    const changed = yield* Latch.make(false)
    for (const { changes } of sources) {
      yield* Effect.forkScoped(
        Stream.runForEach(changes, () => changed.open),
        { startImmediately: true }
      )
    }
    const round = Effect.gen(function* () {
      const budgetBackIn = yield* refresh
      yield* changed.close
      yield* Effect.raceFirst(pauseUntilDue(budgetBackIn), changed.await)
    })
    yield* restored.pipe(
      Effect.andThen(Effect.forever(round)),
      Effect.delay(startAfter ?? (seen === undefined ? 0 : SERVE_FIRST)),
      Effect.forkScoped({ startImmediately: true })
    )

    const servable = Effect.zipWith(held, Clock.currentTimeMillis, (snapshot, now) =>
      now <= origin.goodUntil ? snapshot : undefined
    )
    const unavailable = Effect.fail(
      new Unavailable({ question: name, retryAfter: Math.ceil(Math.min(60, Duration.toSeconds(every))) })
    )
    const orUnavailable = (snapshot: Snapshot<A> | undefined) =>
      snapshot === undefined ? unavailable : Effect.succeed(snapshot)

    return {
      answer: Effect.flatMap(servable, (snapshot) =>
        snapshot !== undefined || decided.isOpen()
          ? orUnavailable(snapshot)
          : Effect.andThen(Patience.waitFor(decided.await), Effect.flatMap(servable, orUnavailable))
      ),
      current: Effect.map(servable, Option.fromUndefinedOr),
      last: Effect.map(held, Option.fromUndefinedOr),
      decided: decided.await
    }
  })
