// What `watch` does: polls a server, judges each condition by the figures, and delivers crossings while it goes on polling.
import { Clock, Effect, Option, Queue } from "effect"
import type { ClientOptions } from "../client/CryptoDataClient.ts"
import { StartError } from "../node/StartError.ts"
import type { Condition } from "./WatchConditions.ts"
import { type Crossing, judge, type Seen } from "./WatchCrossings.ts"
import type { Target } from "./WatchDeliveries.ts"
import { type Found, pollerOf } from "./WatchServer.ts"
import { delivered, stateIn } from "./WatchState.ts"

export interface WatchOptions {
  readonly server: ClientOptions
  readonly conditions: ReadonlyArray<Condition>
  /** The least time between two polls, in milliseconds. */
  readonly every: number
  readonly file: string
  readonly targets: ReadonlyArray<Target>
}

/** The delay after so many failures of a target in succession: doubled from a second to five minutes. */
const delayAfter = (failures: number) => Math.min(1000 * 2 ** (failures - 1), 300_000)

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

/**
 * Delivers to a target what is pending for it, the least tried first and of these the oldest: what the target refuses for ever delays no
 * other crossing. `wake` tells of new ones.
 */
const delivererTo = Effect.fnUntraced(function* (target: Target, state: Effect.Success<ReturnType<typeof stateIn>>) {
  const woken = yield* Queue.sliding<void>(1)
  const tries = new WeakMap<Crossing, number>()
  const triesOf = (crossing: Crossing) => tries.get(crossing) ?? 0
  let failures = 0

  // A delivery that has succeeded is noted, also during a shutdown.
  const deliver = (crossing: Crossing) =>
    Effect.uninterruptibleMask((restore) =>
      restore(target.deliver(crossing)).pipe(
        Effect.matchEffect({
          onFailure: ({ detail }) => {
            failures += 1
            tries.set(crossing, triesOf(crossing) + 1)
            return Effect.logWarning(`--${target.name} ${detail}. It will be tried again: ${crossing.text}`)
          },
          onSuccess: () => {
            failures = 0
            return state.change((now) => delivered(now, crossing.id, target.name))
          }
        })
      )
    )

  const step = Effect.gen(function* () {
    const pending = state.current().pending.flatMap((one) => (one.targets.includes(target.name) ? [one.crossing] : []))
    const [next] = pending.toSorted((one, other) => triesOf(one) - triesOf(other))
    if (next === undefined) return yield* Queue.take(woken)
    if (failures > 0 && triesOf(next) > 0) {
      const isNew = Option.isSome(yield* Effect.timeoutOption(Queue.take(woken), delayAfter(failures)))
      if (isNew) return
    }
    yield* deliver(next)
  })
  return { run: Effect.forever(step), wake: Queue.offer(woken, undefined) }
})

/** Runs until it is interrupted. Fails if a condition names what the server never knew. */
export const watch = Effect.fnUntraced(function* ({ conditions, every, file, server, targets }: WatchOptions) {
  const state = yield* stateIn(file, String(server.baseUrl))
  const poll = yield* pollerOf(server, conditions)
  const say = sayer()

  const delivering = yield* Effect.forEach(targets, (target) => delivererTo(target, state))
  const names = targets.map(({ name }) => name)

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
    if (crossed.length > 0) yield* Effect.forEach(delivering, ({ wake }) => wake)
    yield* Effect.sleep(Math.max(every, wait))
  }).pipe(Effect.forever)

  yield* Effect.logInfo(`Watching ${conditions.length} conditions at ${server.baseUrl}`)
  return yield* Effect.all([polling, ...delivering.map(({ run }) => run)], { concurrency: "unbounded", discard: true })
}, Effect.scoped)
