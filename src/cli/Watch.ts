// What `watch` does: polls a server, judges each condition by the figures, and delivers crossings while it goes on polling.
import { Clock, Effect, Queue, Schedule } from "effect"
import type { ClientOptions } from "../client/CryptoDataClient.ts"
import { StartError } from "../node/StartError.ts"
import type { Condition } from "./WatchConditions.ts"
import { type Crossing, judge, type Seen } from "./WatchCrossings.ts"
import type { Target } from "./WatchDeliveries.ts"
import { type Found, pollerOf } from "./WatchServer.ts"
import { delivered, MOST_PENDING, stateIn } from "./WatchState.ts"

export interface WatchOptions {
  readonly server: ClientOptions
  readonly conditions: ReadonlyArray<Condition>
  /** The least time between two polls, in milliseconds. */
  readonly every: number
  readonly file: string
  readonly targets: ReadonlyArray<Target>
}

/** Delays of the tries of one delivery: doubled from a second to five minutes. */
const tries = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("5 minutes")])

/** Logs why there are no figures, when that begins, changes and ends. */
const sayer = () => {
  let reasons: ReadonlyMap<string, string> = new Map()
  return Effect.fnUntraced(function* (found: ReadonlyMap<string, Found>) {
    const missing = new Map([...found].flatMap(([name, one]) => ("reason" in one ? [[name, one.reason] as const] : [])))
    for (const [reason, names] of Map.groupBy(missing.keys(), (name) => missing.get(name) ?? "")) {
      if (names.some((name) => reasons.get(name) !== reason))
        yield* Effect.logWarning(`No ${names.join(", ")}. ${reason}`)
    }
    const again = [...reasons.keys()].filter((name) => !missing.has(name))
    if (again.length > 0) yield* Effect.logInfo(`Again there are figures of ${again.join(", ")}`)
    reasons = missing
  })
}

/** Runs until it is interrupted. Fails if a condition names what the server never knew. */
export const watch = Effect.fnUntraced(function* ({ conditions, every, file, server, targets }: WatchOptions) {
  const state = yield* stateIn(file, String(server.baseUrl))
  const poll = yield* pollerOf(server, conditions)
  const say = sayer()

  const queued = yield* Effect.forEach(targets, (target) =>
    Effect.map(Queue.sliding<Crossing>(MOST_PENDING), (queue) => ({ queue, target }))
  )
  const names = targets.map(({ name }) => name)
  const offer = ({ crossing, targets }: ReturnType<typeof state.current>["pending"][number]) =>
    Effect.forEach(queued, ({ queue, target }) =>
      targets.includes(target.name) ? Queue.offer(queue, crossing) : Effect.void
    )
  yield* Effect.forEach(state.current().pending, offer)

  const delivering = queued.map(({ queue, target }) =>
    Queue.take(queue).pipe(
      Effect.flatMap((crossing) =>
        // A delivery that has succeeded is noted, also during a shutdown.
        Effect.uninterruptibleMask((restore) =>
          target.deliver(crossing).pipe(
            Effect.tapError(({ detail }) =>
              Effect.logWarning(`--${target.name} ${detail}. It will be tried again: ${crossing.text}`)
            ),
            Effect.retry(tries),
            restore,
            Effect.andThen(state.change((now) => delivered(now, crossing.id, target.name)))
          )
        )
      ),
      Effect.forever
    )
  )

  const polling = Effect.gen(function* () {
    const { found, wait } = yield* poll
    const { seen } = state.current()
    const unknown = conditions.flatMap(({ name, text }) => {
      const one = found.get(name)
      return one !== undefined && "reason" in one && one.isUnknown && !(text in seen) ? [`${text}: ${one.reason}`] : []
    })
    if (unknown.length > 0) return yield* new StartError(unknown.join("\n"))
    yield* say(found)
    const now = yield* Clock.currentTimeMillis
    const judged = conditions.map((condition): readonly [string, Seen | undefined, Crossing?] => {
      const one = found.get(condition.name)
      const before = seen[condition.text]
      if (one === undefined || "reason" in one) return [condition.text, before]
      const { crossing, seen: after } = judge(condition, before, one, now)
      return crossing === undefined ? [condition.text, after] : [condition.text, after, crossing]
    })
    const crossed = judged.flatMap(([, , crossing]) => (crossing === undefined ? [] : [{ crossing, targets: names }]))
    const kept = Object.fromEntries(judged.flatMap(([text, seen]) => (seen === undefined ? [] : [[text, seen]])))
    yield* state.change((state) => ({ ...state, seen: kept, pending: [...state.pending, ...crossed] }))
    yield* Effect.forEach(crossed, offer)
    yield* Effect.sleep(Math.max(every, wait))
  }).pipe(Effect.forever)

  yield* Effect.logInfo(`Watching ${conditions.length} conditions at ${server.baseUrl}`)
  return yield* Effect.all([polling, ...delivering], { concurrency: "unbounded", discard: true })
}, Effect.scoped)
