// The time for which a source asked not to be called: by a 429, Binance's 418, or a 503 with `Retry-After`. All clients of a source obey
// it, also after a restart, because a call within a ban makes the ban longer.
import { Clock, DateTime, Effect, Schema } from "effect"
import * as SnapshotStore from "../dataset/SnapshotStore.ts"

/** The longest pause, in seconds. A source that asks for a longer one counts as not having said how long. */
export const LONGEST_PAUSE = 86_400

/** The pause in seconds after too many calls, if the source does not say how long. */
const DEFAULT_PAUSE = 60

/** Binance responds with 418 if calls continue after a 429. */
const tooManyCalls: ReadonlySet<number> = new Set([418, 429])

/** The pause in seconds that a response of this status asks for; `undefined` for none. `retryAfter`: its header. */
export const askedFor = (status: number, retryAfter: number | undefined): number | undefined => {
  if (tooManyCalls.has(status)) return retryAfter ?? DEFAULT_PAUSE
  return status === 503 ? retryAfter : undefined
}

/** The saved pause, from the time when it was retrieved. `status`: of the response that asked for it. */
const Saved = Schema.Struct({
  seconds: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LONGEST_PAUSE })),
  status: Schema.Int
})

/** Makes the pause of the source with this name. Nothing is read before the first use. */
export const make = Effect.fnUntraced(function* (name: string) {
  const kept = yield* SnapshotStore.make(name, {
    name: `${name}-pause`.toLowerCase(),
    origin: name,
    schema: Saved,
    most: 1_000
  })
  let pause = { from: -Infinity, until: -Infinity, status: 0 }
  const begin = ({ seconds, status }: typeof Saved.Type, now: number) => {
    if (now + seconds * 1000 > pause.until) pause = { from: now, until: now + seconds * 1000, status }
  }
  const restored = yield* Effect.cached(
    Effect.map(kept.restore, (found) => {
      if (typeof found !== "string") begin(found.value, found.retrievedAt.epochMilliseconds)
    })
  )

  return {
    /** The seconds that are left of the pause, and the status that began it; `undefined` without a pause. */
    left: Effect.andThen(
      restored,
      Effect.map(Clock.currentTimeMillis, (now) => {
        // Our clock was set back: what was left of the pause then is not known, so it begins again.
        if (pause.from > now) pause = { ...pause, from: now, until: now + pause.until - pause.from }
        const seconds = (pause.until - now) / 1000
        return seconds > 0 ? { seconds, status: pause.status } : undefined
      })
    ),
    /** Begins a pause, unless a longer one runs. */
    begin: Effect.fnUntraced(function* (value: typeof Saved.Type) {
      yield* restored
      const now = yield* DateTime.now
      begin(value, now.epochMilliseconds)
      const seconds = Math.min(LONGEST_PAUSE, (pause.until - now.epochMilliseconds) / 1000)
      yield* kept.save({ value: { seconds, status: pause.status }, source: name, observedAt: now, retrievedAt: now })
    })
  }
})

export type Pause = Effect.Success<ReturnType<typeof make>>
