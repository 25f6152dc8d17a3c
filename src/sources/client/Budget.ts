// The budget of calls to one source: a sliding log for each allowance of its record. Retries count. Look-ups on demand may have a
// smaller share, so that they leave room for the scheduled refreshes; the backfill of histories has what both leave.
import { Clock, Duration, Effect, Schema, Semaphore } from "effect"
import type { Allowance } from "../catalog/SourceRecord.ts"

/**
 * `scheduled` waits up to 5 s for a free call; `on_demand`, on behalf of a caller, is refused at once; so is `backfill`, which
 * leaves a call free in every window, and half of the share for look-ups on demand.
 */
export type Urgency = "scheduled" | "on_demand" | "backfill"

/** How many calls a window may hold when another of an urgency is made: of all, and of those that are not scheduled. */
export const sharesOf = (
  { calls, onDemand = calls }: Allowance,
  urgency: Urgency
): { readonly all: number; readonly onDemand: number | undefined } => {
  if (urgency === "scheduled") return { all: calls, onDemand: undefined }
  return urgency === "on_demand" ? { all: calls, onDemand } : { all: calls - 1, onDemand: Math.ceil(onDemand / 2) }
}

/** The longest wait of a scheduled refresh, in milliseconds; beyond it the next source is asked. */
const PATIENCE = 5_000

/** The budget that replicas share. */
export interface Shared {
  /** Like `take` of {@link make}, without waiting; `undefined` when the shared state cannot be reached. */
  readonly take: (urgency: Urgency) => Effect.Effect<number | undefined>
  /** Gives back the last call that this process took. */
  readonly giveBack: (urgency: Urgency) => Effect.Effect<void>
  readonly pause: (millis: number) => Effect.Effect<void>
}

const Times = Schema.Array(Schema.Finite)

/** The times of the calls of the longest window, epoch milliseconds: of all, and of those that are not scheduled. */
export const Calls = Schema.Struct({ all: Times, onDemand: Times })

/** The calls that outlive a restart. A budget by the minute need not. */
export interface Kept {
  readonly restore: Effect.Effect<typeof Calls.Type | undefined>
  readonly save: (calls: typeof Calls.Type) => Effect.Effect<void>
}

/** Whether calls are counted for long enough that a restart would forget them. */
export const isLong = ({ per }: Allowance): boolean => Duration.toHours(Duration.fromInputUnsafe(per)) >= 1

/** Keeps every allowance in this process, those of `shared` while it can be reached, and those that are long over restarts. */
export const make = (allowances: ReadonlyArray<Allowance>, shared?: Shared, kept?: Kept) => {
  const windows = allowances.map((allowance) => {
    const millis = Duration.toMillis(Duration.fromInputUnsafe(allowance.per))
    return {
      all: log(allowance.calls, millis),
      onDemand: log(allowance.onDemand ?? allowance.calls, millis),
      isLong: isLong(allowance),
      sharesOf: (urgency: Urgency) => sharesOf(allowance, urgency)
    }
  })
  const turn = Semaphore.makeUnsafe(1)
  let pausedUntil = 0

  const waitFor = (now: number, urgency: Urgency): number =>
    windows.reduce(
      (wait, window) => {
        const most = window.sharesOf(urgency)
        const others = most.onDemand === undefined ? 0 : window.onDemand.waitAt(now, most.onDemand)
        return Math.max(wait, window.all.waitAt(now, most.all), others)
      },
      Math.max(0, pausedUntil - now)
    )

  /** The logs that a call of this urgency stands in. */
  const logsOf = (urgency: Urgency) =>
    windows.flatMap(({ all, onDemand }) => (urgency === "scheduled" ? [all] : [all, onDemand]))

  const undo = (takenAt: number, urgency: Urgency): void => {
    for (const calls of logsOf(urgency)) calls.undo(takenAt)
  }

  const long = windows.find((window) => window.isLong)
  let isRestored = kept === undefined

  const restore = Effect.suspend(() => {
    if (isRestored || kept === undefined) return Effect.void
    isRestored = true
    return Effect.zipWith(kept.restore, Clock.currentTimeMillis, (calls, now) => {
      // A time in the future was written by a clock that was wrong: it must not hold back calls until then.
      const isPast = (time: number) => time <= now
      for (const { all, onDemand } of windows) {
        for (const time of calls?.all.filter(isPast) ?? []) all.add(time)
        for (const time of calls?.onDemand.filter(isPast) ?? []) onDemand.add(time)
      }
    })
  })

  const saved = Effect.suspend(() =>
    kept === undefined || long === undefined
      ? Effect.void
      : kept.save({ all: long.all.times(), onDemand: long.onDemand.times() })
  )

  const takeNow = (urgency: Urgency) =>
    Effect.flatMap(Effect.andThen(restore, Clock.currentTimeMillis), (now) => {
      const wait = waitFor(now, urgency)
      if (wait > 0) return Effect.succeed(wait)
      for (const calls of logsOf(urgency)) calls.add(now)
      if (shared === undefined) return Effect.as(saved, 0)
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
    /** Takes one call and returns 0, or returns the milliseconds until one is allowed and takes none. */
    take: (urgency: Urgency): Effect.Effect<number> =>
      urgency === "scheduled" ? turn.withPermits(1)(takeInTurn) : takeNow(urgency),
    /** Gives back the call taken at `takenAt` (epoch milliseconds) because it never reached the source. */
    giveBack: (urgency: Urgency, takenAt: number): Effect.Effect<void> =>
      Effect.andThen(
        Effect.sync(() => undo(takenAt, urgency)),
        shared?.giveBack(urgency) ?? Effect.void
      ),
    /** Stops calls for this long, because the source asked for it. */
    pause: (millis: number): Effect.Effect<void> =>
      Effect.andThen(
        Effect.map(Clock.currentTimeMillis, (now) => {
          pausedUntil = Math.max(pausedUntil, now + millis)
        }),
        shared?.pause(millis) ?? Effect.void
      )
  }
}

export type Budget = ReturnType<typeof make>

/** The times of the last `calls` calls; a further call is allowed when fewer than `most` of them are in the window. */
const log = (calls: number, millis: number) => {
  const times: Array<number> = []
  return {
    times: (): ReadonlyArray<number> => [...times],
    waitAt: (now: number, most: number): number => {
      const oldest = times.at(-most)
      return most <= 0 ? millis : oldest === undefined ? 0 : Math.max(0, oldest + millis - now)
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
