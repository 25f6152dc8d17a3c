// A clock that goes from one thing that is due to the next, and only once all requests to upstreams (by `fetch`) that can finish
// have finished: hours pass in milliseconds, and no time-out ever fires because the test hurried. `skip` is the other way for time to
// pass: the process was suspended, and everything that has become due in between wakes up at once.
import { Clock, Duration, Effect, Fiber, Scope } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A simulated clock with its hands. */
export interface SimulatedTime {
  /** Provide it to everything that shall live by this time. */
  readonly clock: Clock.Clock
  readonly now: () => number
  /** Everything due happens when it is due. */
  readonly pass: (duration: Duration.Input) => Effect.Effect<void>
  /** Nothing happens for so long, then everything that has become due. */
  readonly skip: (duration: Duration.Input) => Effect.Effect<void>
  /** Passes time by the second until the check holds; the seconds it took, or nothing when it never did. */
  readonly passUntil: <E, R>(
    check: Effect.Effect<boolean, E, R>,
    limit: Duration.Input
  ) => Effect.Effect<number | undefined, E, R>
  /** Runs an effect that itself waits for time, while time passes. */
  readonly during: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs an effect by this clock; what it built is closed while time passes. */
  readonly live: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Scope.Scope>>
  /** Requests whose address contains one of these never finish: they are not waited for. */
  readonly ignore: (parts: ReadonlyArray<string>) => void
}

/** Turns after which a request counts as lost, and the test as broken. */
const STUCK_TURNS = 1_000_000

/** Turns of the event loop without a request under way after which whatever was answered has been digested. */
const QUIET_TURNS = 24

/** The same while a caller of the service is waiting: it may be busy with him, or may itself be waiting for time. */
const CALLED_TURNS = 300

/** A clock that stands at `start` until told. */
export const make = Effect.fnUntraced(function* (start: number): Effect.fn.Return<SimulatedTime, never, Scope.Scope> {
  let now = start
  let ignored: ReadonlyArray<string> = []
  const sleepers = new Set<Sleeper>()
  let events = 0
  const underWay = new Map<object, string>()
  const callers = new Set<object>()

  const on = (act: (request: object) => void) => (message: unknown) => {
    const request = requestOf(message)
    if (request === undefined) return
    events++
    act(request)
  }
  const began = on((request) => underWay.set(request, addressOf(request)))
  const ended = on((request) => underWay.delete(request))
  const called = on((request) => callers.add(request))
  const served = on((request) => callers.delete(request))
  const listeners = [
    ["undici:request:create", began],
    ["undici:request:trailers", ended],
    ["undici:request:error", ended],
    ["http.client.request.start", called],
    ["http.client.request.error", served],
    ["http.client.response.finish", served]
  ] as const
  yield* Effect.acquireRelease(
    Effect.sync(() => listeners.forEach(([name, listener]) => subscribe(name, listener))),
    () => Effect.sync(() => listeners.forEach(([name, listener]) => unsubscribe(name, listener)))
  )

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(Math.round(now)) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(Math.round(now)) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return Effect.yieldNow
      return Effect.callback<void>((resume) => {
        // A real clock counts whole milliseconds too.
        const sleeper = { at: Math.ceil(now + millis), wake: () => resume(Effect.void) }
        sleepers.add(sleeper)
        return Effect.sync(() => sleepers.delete(sleeper))
      })
    }
  }

  const isBusy = () => {
    if (ignored.length === 0) return underWay.size > 0
    for (const address of underWay.values()) if (!ignored.some((part) => address.includes(part))) return true
    return false
  }

  // Not as an effect a turn: of all that a test does, this is done most.
  const settle = Effect.callback<void>((resume) => {
    let turns = 0
    let quiet = 0
    let before = events
    const look = () => {
      if (++turns > STUCK_TURNS) {
        return resume(Effect.die(new Error(`Never answered: ${[...underWay.values()].join(", ")}`)))
      }
      quiet = isBusy() || events !== before ? 0 : quiet + 1
      before = events
      if (quiet >= (callers.size > 0 ? CALLED_TURNS : QUIET_TURNS)) resume(Effect.void)
      else next = setImmediate(look)
    }
    let next = setImmediate(look)
    return Effect.sync(() => clearImmediate(next))
  })

  const nextDue = () => [...sleepers].reduce((earliest, { at }) => Math.min(earliest, at), Number.POSITIVE_INFINITY)

  const wakeDue = Effect.sync(() => {
    for (const sleeper of [...sleepers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) {
      if (sleepers.delete(sleeper)) sleeper.wake()
    }
  })

  const moveTo = (time: number) =>
    Effect.suspend(() => {
      now = Math.max(now, time)
      return Effect.andThen(wakeDue, settle)
    })

  const pass = Effect.fnUntraced(function* (duration: Duration.Input) {
    const end = now + Duration.toMillis(Duration.fromInputUnsafe(duration))
    yield* settle
    while (nextDue() <= end) yield* moveTo(nextDue())
    yield* moveTo(end)
  })

  const during = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
      yield* settle
      while (fiber.pollUnsafe() === undefined) {
        if (Number.isFinite(nextDue())) yield* moveTo(nextDue())
        else yield* settle
      }
      return yield* Fiber.join(fiber)
    })

  return {
    clock,
    now: () => now,
    pass,
    skip: (duration) =>
      Effect.andThen(
        settle,
        Effect.suspend(() => moveTo(now + Duration.toMillis(Duration.fromInputUnsafe(duration))))
      ),
    passUntil: Effect.fnUntraced(function* (check, limit) {
      const most = Duration.toSeconds(Duration.fromInputUnsafe(limit))
      for (let seconds = 0; seconds <= most; seconds++) {
        if (yield* check) return seconds
        yield* pass("1 second")
      }
      return undefined
    }),
    during,
    live: (effect) =>
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) => Effect.provideService(effect, Scope.Scope, scope),
        (scope, exit) => during(Scope.close(scope, exit))
      ).pipe(Effect.provideService(Clock.Clock, clock)),
    ignore: (parts) => {
      for (const [request, address] of underWay) {
        if (ignored.some((part) => address.includes(part))) underWay.delete(request)
      }
      ignored = parts
    }
  }
})

const requestOf = (message: unknown): object | undefined =>
  typeof message === "object" && message !== null && "request" in message && typeof message.request === "object"
    ? (message.request ?? undefined)
    : undefined

const addressOf = (request: object): string =>
  "origin" in request && "path" in request ? `${String(request.origin)}${String(request.path)}` : ""
