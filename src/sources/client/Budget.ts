// How often a source may be called. A sliding log: in any span of a window's length there are at most its number of calls,
// retries included, whatever the load. Look-ups that callers cause must leave room for the scheduled refreshes.
import { Clock, Duration, Effect, Semaphore } from "effect"

/** At most `calls` in any span of `per`; of these, at most `onDemand` (default: all) for look-ups that callers cause. */
export interface Allowance {
  readonly calls: number
  readonly per: Duration.Input
  readonly onDemand?: number
}

/** Who wants to call: a scheduled refresh waits a little for its turn, a look-up on behalf of a caller gives up at once. */
export type Urgency = "scheduled" | "on_demand"

/** How long a scheduled refresh waits for its turn, in milliseconds; beyond it the next source is asked instead. */
const PATIENCE = 5_000

/** The outgoing budget of one source. */
export interface Budget {
  /** Takes one call and returns 0, or returns the milliseconds until one is allowed and takes none. */
  readonly take: (urgency: Urgency) => Effect.Effect<number>
  /** Gives back the call that was taken at `takenAt`, epoch milliseconds: it never got to the source. */
  readonly giveBack: (urgency: Urgency, takenAt: number) => Effect.Effect<void>
  /** No calls for so many milliseconds: the source asked for it. */
  readonly pause: (millis: number) => Effect.Effect<void>
}

/** What several processes may call together. */
export interface Shared {
  /** As {@link Budget}'s, at once; `undefined` when the others cannot be reached. */
  readonly take: (urgency: Urgency) => Effect.Effect<number | undefined>
  /** Gives back the last call that this process took. */
  readonly giveBack: (urgency: Urgency) => Effect.Effect<void>
  readonly pause: (millis: number) => Effect.Effect<void>
}

/** A budget that keeps every allowance, and those of `shared` too while the others can be reached. */
export const make = (allowances: ReadonlyArray<Allowance>, shared?: Shared): Budget => {
  const windows = allowances.map((allowance) => {
    const millis = Duration.toMillis(Duration.fromInputUnsafe(allowance.per))
    return { all: log(allowance.calls, millis), onDemand: log(allowance.onDemand ?? allowance.calls, millis) }
  })
  const turn = Semaphore.makeUnsafe(1)
  let pausedUntil = 0

  const waitFor = (now: number, urgency: Urgency): number =>
    windows.reduce(
      (wait, window) =>
        Math.max(wait, window.all.waitAt(now), urgency === "on_demand" ? window.onDemand.waitAt(now) : 0),
      Math.max(0, pausedUntil - now)
    )

  const record = (now: number, urgency: Urgency): void => {
    for (const window of windows) {
      window.all.add(now)
      if (urgency === "on_demand") window.onDemand.add(now)
    }
  }

  const undo = (takenAt: number, urgency: Urgency): void => {
    for (const window of windows) {
      window.all.undo(takenAt)
      if (urgency === "on_demand") window.onDemand.undo(takenAt)
    }
  }

  const takeNow = (urgency: Urgency) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const wait = waitFor(now, urgency)
      if (wait > 0) return Effect.succeed(wait)
      record(now, urgency)
      if (shared === undefined) return Effect.succeed(0)
      return Effect.map(shared.take(urgency), (sharedWait = 0) => {
        if (sharedWait > 0) undo(now, urgency)
        return sharedWait
      })
    })

  const takeInTurn = Effect.gen(function* () {
    let wait = yield* takeNow("scheduled")
    while (wait > 0 && wait <= PATIENCE) {
      yield* Effect.sleep(wait)
      wait = yield* takeNow("scheduled")
    }
    return wait
  })

  return {
    take: (urgency) => (urgency === "scheduled" ? turn.withPermits(1)(takeInTurn) : takeNow("on_demand")),
    giveBack: (urgency, takenAt) =>
      Effect.andThen(
        Effect.sync(() => undo(takenAt, urgency)),
        shared?.giveBack(urgency) ?? Effect.void
      ),
    pause: (millis) =>
      Effect.andThen(
        Effect.map(Clock.currentTimeMillis, (now) => {
          pausedUntil = Math.max(pausedUntil, now + millis)
        }),
        shared?.pause(millis) ?? Effect.void
      )
  }
}

/** The times of the last `calls` calls: the next one is due when the oldest of them has left the span. */
const log = (calls: number, millis: number) => {
  const times: Array<number> = []
  return {
    waitAt: (now: number): number => {
      const oldest = times.at(-calls)
      return calls <= 0 ? millis : oldest === undefined ? 0 : Math.max(0, oldest + millis - now)
    },
    undo: (takenAt: number): void => {
      const index = times.findLastIndex((time) => time <= takenAt)
      if (index !== -1) times.splice(index, 1)
    },
    add: (now: number): void => {
      times.push(now)
      if (times.length > calls) times.shift()
    }
  }
}
