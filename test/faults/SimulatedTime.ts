// A clock that goes from one thing that is due to the next, and only once all requests to upstreams (by `fetch`) and to the thread of
// the history that can finish have finished: hours pass in milliseconds, and no time-out ever fires because the test hurried. `skip` is
// the other way for time to pass: the process was suspended, and everything that has become due in between wakes up at once.
import { Clock, Duration, Effect, Fiber, Scope } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { EventEmitter } from "node:events"
import { ClientRequest } from "node:http"
import * as ThreadWork from "./ThreadWork.ts"

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
  /** Runs an effect that asks the service, while time passes whenever a request to it waits for time. */
  readonly serving: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Where the service listens: requests to this port are callers', and no upstream's. */
  readonly serves: (port: number) => void
  /** The one place of upstreams: requests to others than this and the service are those of other tests. */
  readonly owns: (upstreams: string) => void
  /** A scope that is closed while time passes. */
  readonly scope: Effect.Effect<Scope.Closeable, never, Scope.Scope>
  /** Runs an effect by this clock; what it built is closed while time passes. */
  readonly live: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Scope.Scope>>
  /** Requests whose address contains one of these never finish: they are not waited for. */
  readonly ignore: (parts: ReadonlyArray<string>) => void
}

/** Turns after which a request counts as lost, and the test as broken. */
const STUCK_TURNS = 1_000_000

/** Turns of the event loop without a request under way after which whatever was answered has been digested. */
const QUIET_TURNS = 24

/**
 * A turn that takes longer, in milliseconds of the machine, is one in which the service computes: it computes in steps of a turn each,
 * between which nothing is under way.
 */
const WORKING_TURN = 0.3

/** {@link QUIET_TURNS} while a caller of the service is waiting: it may be busy with him, or may itself be waiting for time. */
const CALLED_TURNS = 300

/** A clock that stands at `start` until told. */
export const make = Effect.fnUntraced(function* (start: number): Effect.fn.Return<SimulatedTime, never, Scope.Scope> {
  let now = start
  let ignored: ReadonlyArray<string> = []
  const sleepers = new Set<Sleeper>()
  let events = 0
  const underWay = new Map<object, string>()
  const callers = new Set<object>()

  let port: number | undefined
  let upstreams = ""
  let arrived = () => {}

  const on = (act: (request: object, message: object) => void) => (message: unknown) => {
    const request = memberOf(message, "request")
    if (request === undefined || typeof message !== "object" || message === null) return
    events++
    act(request, message)
  }
  const began = on((request) => {
    const address = addressOf(request)
    if (!address.startsWith(upstreams)) return
    if (port === undefined || !address.includes(`:${port}/`)) underWay.set(request, address)
  })
  const ended = on((request) => underWay.delete(request))
  const left = (request: object) => {
    events++
    callers.delete(request)
  }
  // The body of an answer may take more turns than its head.
  const leavesWith = (request: object, message: object) => {
    const response = memberOf(message, "response")
    if (response instanceof EventEmitter) response.once("close", () => left(request))
  }
  const calls = (request: object) => {
    callers.add(request)
    arrived()
  }
  const asked = on((request) => {
    const isOther =
      upstreams !== "" && request instanceof ClientRequest && request.getHeader("host") !== `127.0.0.1:${port}`
    if (!isOther) calls(request)
  })
  const received = on((request, message) => {
    const socket = memberOf(message, "socket")
    if (port === undefined || socket === undefined || Reflect.get(socket, "localPort") !== port) return
    calls(request)
    leavesWith(request, message)
  })
  const listeners = [
    ["undici:request:create", began],
    ["undici:request:trailers", ended],
    ["undici:request:error", ended],
    ["http.client.request.start", asked],
    ["http.client.request.error", on(left)],
    ["http.client.response.finish", on(leavesWith)],
    ["http.server.request.start", received]
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
    if (ThreadWork.isAny()) return true
    if (ignored.length === 0) return underWay.size > 0
    for (const address of underWay.values()) if (!ignored.some((part) => address.includes(part))) return true
    return false
  }

  // Not as an effect a turn: of all that a test does, this is done most.
  const settle = Effect.callback<void>((resume) => {
    let turns = 0
    let quiet = 0
    let before = events + ThreadWork.count()
    let began = performance.now()
    const look = () => {
      if (++turns > STUCK_TURNS) {
        return resume(Effect.die(new Error(`Never answered: ${[...underWay.values()].join(", ")}`)))
      }
      const now = events + ThreadWork.count()
      const turned = performance.now()
      if (isBusy() || now !== before) quiet = 0
      else if (turned - began < WORKING_TURN) quiet++
      before = now
      began = turned
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

  /** Whether somebody lets time go on already, for all that wait for it. */
  let isDriven = false
  const driving = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = isDriven
      isDriven = true
      return Effect.ensuring(
        effect,
        Effect.sync(() => void (isDriven = before))
      )
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
    }).pipe(driving)

  const served = new Set<object>()
  const arrival = Effect.callback<void>((resume) => {
    arrived = () => resume(Effect.void)
    if (callers.size > 0 || served.size === 0) arrived()
  })

  const serving = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const one = {}
      served.add(one)
      const left = Effect.sync(() => {
        served.delete(one)
        arrived()
      })
      if (isDriven) return Effect.ensuring(effect, left)
      return Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Effect.ensuring(effect, left), { startImmediately: true })
        while (served.size > 0) {
          yield* settle
          if (served.size === 0) break
          if (callers.size === 0) yield* arrival
          else if (Number.isFinite(nextDue())) yield* moveTo(nextDue())
        }
        return yield* Fiber.join(fiber)
      }).pipe(driving)
    })

  const scope = Effect.acquireRelease(Scope.make(), (scope, exit) => during(Scope.close(scope, exit)))

  const time: SimulatedTime = {
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
    serving,
    serves: (listening) => void (port = listening),
    owns: (place) => {
      upstreams = place
      underWay.clear()
    },
    scope,
    live: (effect) =>
      Effect.flatMap(scope, (inside) => Effect.provideService(effect, Scope.Scope, inside)).pipe(
        Effect.scoped,
        Effect.provideService(Clock.Clock, clock)
      ),
    ignore: (parts) => {
      for (const [request, address] of underWay) {
        if (ignored.some((part) => address.includes(part))) underWay.delete(request)
      }
      ignored = parts
    }
  }
  times.set(clock, time)
  return time
})

const times = new WeakMap<Clock.Clock, SimulatedTime>()

/** The simulated time that an effect runs by, if it does. */
export const current: Effect.Effect<SimulatedTime | undefined> = Clock.clockWith((clock) =>
  Effect.sync(() => times.get(clock))
)

const memberOf = (message: unknown, name: string): object | undefined => {
  const member: unknown = typeof message === "object" && message !== null ? Reflect.get(message, name) : undefined
  return typeof member === "object" && member !== null ? member : undefined
}

const addressOf = (request: object): string =>
  "origin" in request && "path" in request ? `${String(request.origin)}${String(request.path)}` : ""
