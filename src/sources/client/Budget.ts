// The budget of calls to one source: a sliding log for each allowance of its record. Retries count. Look-ups on demand may have a
// smaller share, so that they leave calls for the polls. The backfill of histories gets at most half of that share.
import { Clock, DateTime, Duration, Effect, Schema, Semaphore } from "effect"
import type { Allowance } from "../catalog/SourceRecord.ts"
import * as SnapshotStore from "../dataset/SnapshotStore.ts"

/**
 * `scheduled` waits up to 5 s for a free call, and again if another takes it. `on_demand`, for a caller, and `backfill` are refused at once.
 * `backfill` leaves one call free in every window, and half of the share for look-ups on demand.
 */
export type Urgency = "scheduled" | "on_demand" | "backfill"

/** A log of at most `calls` calls within `millis`. */
export interface SlidingLog {
  readonly key: string
  readonly calls: number
  readonly millis: number
}

/** The logs that count a call of this urgency, each with its limit, this call included. */
const logsOf = (allowances: ReadonlyArray<Allowance>, urgency: Urgency): ReadonlyArray<SlidingLog> =>
  allowances.flatMap(({ calls, onDemand, per }, n) => {
    const millis = Duration.toMillis(Duration.fromInputUnsafe(per))
    const all = { key: `${n}:all`, calls: urgency === "backfill" ? calls - 1 : calls, millis }
    const share = urgency === "backfill" ? Math.ceil(onDemand / 2) : onDemand
    return urgency === "scheduled" ? [all] : [all, { key: `${n}:on-demand`, calls: share, millis }]
  })

/** The result of a request for a call. `wait`: milliseconds until a call is allowed; 0 if it was taken. */
export interface Turn {
  readonly wait: number
  /** Whether the source asked for the wait. */
  readonly isPause?: boolean
  /** Gives the call back because it never reached the source. */
  readonly giveBack: Effect.Effect<void>
}

/** Where the calls of one budget are counted: in this process, or in Redis for all replicas. */
export interface Counter {
  /** Takes a call if all logs allow it; `undefined` if the counter cannot be reached. */
  readonly take: (logs: ReadonlyArray<SlidingLog>) => Effect.Effect<Turn | undefined>
  /** Blocks all calls for this many milliseconds. */
  readonly pause: (millis: number) => Effect.Effect<void>
}

/** Counts in this process. */
export const inMemory = () => {
  /** The times of calls by log, epoch milliseconds. */
  const times = new Map<string, ReadonlyArray<number>>()
  let pause = { at: -Infinity, millis: 0 }
  const timesOf = (key: string) => times.get(key) ?? []

  const waitFor = ({ calls: most, key, millis }: SlidingLog, now: number): number => {
    // A time in the future was written before our clock was set back.
    const called = timesOf(key).map((at) => Math.min(at, now))
    const recent = called.filter((at) => at > now - millis)
    times.set(key, recent)
    if (most <= 0) return millis
    return (recent.at(-most) ?? now - millis) + millis - now
  }

  return {
    take: (logs: ReadonlyArray<SlidingLog>): Effect.Effect<Turn> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        pause = { ...pause, at: Math.min(pause.at, now) }
        const wait = Math.max(0, pause.at + pause.millis - now, ...logs.map((log) => waitFor(log, now)))
        if (wait === 0) for (const { key } of logs) times.set(key, [...timesOf(key), now])
        const giveBack = Effect.sync(() => {
          for (const { key } of logs) {
            const own = timesOf(key).indexOf(now)
            if (own >= 0) times.set(key, timesOf(key).toSpliced(own, 1))
          }
        })
        return { wait, giveBack }
      }),
    pause: (millis: number) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        if (pause.at + pause.millis < now + millis) pause = { at: now, millis }
      }),
    timesOf,
    restore: (key: string, calls: ReadonlyArray<number>) => void times.set(key, calls)
  }
}

/** The longest single wait of a scheduled call, in milliseconds. If more is needed the call fails, and the next source is used. */
const PATIENCE = 5_000

const Times = Schema.Array(Schema.Finite)

/** The times of the calls in the longest window, epoch milliseconds: of all, and of those that are not scheduled. */
export const Calls = Schema.Struct({ all: Times, onDemand: Times })

/** The most bytes of saved {@link Calls}: each call is there twice at most, with its time in 14 bytes. */
export const mostBytes = (allowances: ReadonlyArray<Allowance>): number =>
  32 * Math.max(...allowances.map(({ calls }) => calls)) + 1024

/** Stores the times of calls across restarts. */
export type Kept = Pick<SnapshotStore.SnapshotStore<typeof Calls.Type>, "restore" | "save">

/** Whether the window is so long that a restart must not reset it: one hour or more. */
export const isLong = ({ per }: Allowance): boolean => Duration.toHours(Duration.fromInputUnsafe(per)) >= 1

/**
 * Enforces every allowance in this process, in the `shared` counter while it can be reached, and across restarts with `kept`. Budgets
 * per minute may restart.
 */
export const make = Effect.fnUntraced(function* (
  allowances: ReadonlyArray<Allowance>,
  shared?: Counter,
  kept: Kept = SnapshotStore.none
) {
  const local = inMemory()
  const turn = Semaphore.makeUnsafe(1)
  const long = allowances.findIndex(isLong)

  // Every call waits for it: restoring later would overwrite the time of an earlier call.
  const restored = yield* Effect.zipWith(kept.restore, Clock.currentTimeMillis, (found, now) => {
    if (typeof found === "string") return
    // A time in the future comes from a wrong clock, and must not block calls until then.
    const isPast = (time: number) => time <= now
    for (const n of allowances.keys()) {
      local.restore(`${n}:all`, found.value.all.filter(isPast))
      local.restore(`${n}:on-demand`, found.value.onDemand.filter(isPast))
    }
  }).pipe(Effect.cached)

  const saved = Effect.flatMap(DateTime.now, (now) => {
    const value = { all: local.timesOf(`${long}:all`), onDemand: local.timesOf(`${long}:on-demand`) }
    return kept.save({ value, source: "", observedAt: now, retrievedAt: now })
  })

  const takeNow = Effect.fnUntraced(function* (urgency: Urgency): Effect.fn.Return<Turn> {
    yield* restored
    const logs = logsOf(allowances, urgency)
    const own = yield* local.take(logs)
    if (own.wait > 0) return own
    const common = yield* shared?.take(logs) ?? Effect.undefined
    if (common === undefined) yield* saved
    else if (common.wait > 0) yield* own.giveBack
    return {
      wait: common?.wait ?? 0,
      isPause: common?.isPause === true,
      giveBack: Effect.andThen(own.giveBack, common?.giveBack ?? saved)
    }
  })

  const takeInTurn = Effect.gen(function* () {
    let taken = yield* takeNow("scheduled")
    while (taken.wait > 0 && taken.wait <= PATIENCE) {
      yield* Effect.sleep(taken.wait)
      taken = yield* takeNow("scheduled")
    }
    return taken
  })

  return {
    take: (urgency: Urgency): Effect.Effect<Turn> =>
      urgency === "scheduled" ? turn.withPermits(1)(takeInTurn) : takeNow(urgency),
    /** Blocks all calls for this many milliseconds, because the source asked for it. */
    pause: (millis: number): Effect.Effect<void> =>
      Effect.andThen(local.pause(millis), shared?.pause(millis) ?? Effect.void)
  }
})

export type Budget = Effect.Success<ReturnType<typeof make>>
