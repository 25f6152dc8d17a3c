// How long a request waits for data that was never fetched. All waits of one answer share their deadlines, so that several
// parts that are missing cost no more time than one.
import { Clock, Context, Duration, Effect } from "effect"

/** A request waits this long in all for data that was never fetched. */
export const FIRST_ANSWER = Duration.seconds(2)

/** A request waits this long in all when it needs a look-up on demand. */
export const LOOKUP = Duration.seconds(5)

/** A part that an answer can do without is waited for this long. */
export const OPTIONAL_PART = Duration.millis(500)

/** When the waits of the current answer end, epoch milliseconds; without it every wait has its full time. */
export const CurrentPatience = Context.Reference<{ readonly first: number; readonly lookup: number } | undefined>(
  "crypto-data-api/services/refresh/Patience",
  { defaultValue: () => undefined }
)

const patient = <A, E, R>(effect: Effect.Effect<A, E, R>, isOptional: boolean): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const outer = fiber.getRef(CurrentPatience)
    if (outer !== undefined && !isOptional) return effect
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const first = now + Duration.toMillis(isOptional ? OPTIONAL_PART : FIRST_ANSWER)
    const lookup = now + Duration.toMillis(isOptional ? OPTIONAL_PART : LOOKUP)
    return Effect.provideService(effect, CurrentPatience, {
      first: Math.min(first, outer?.first ?? Infinity),
      lookup: Math.min(lookup, outer?.lookup ?? Infinity)
    })
  })

/** Lets all waits of an answer end together, counted from here unless it is part of an answer that has begun. */
export const shared = <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => patient(answer, false)

/** Lets the waits of a part end after {@link OPTIONAL_PART} at the latest. */
export const briefly = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => patient(part, true)

/** The time reserved for reading the history after the look-ups of an answer about the past. */
const READING = Duration.millis(500)

/** Ends the look-ups of a part {@link READING} earlier, so that the history can be read after them. */
export const early = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const outer = fiber.getRef(CurrentPatience)
    if (outer === undefined) return part
    const lookup = outer.lookup - Duration.toMillis(READING)
    return Effect.provideService(part, CurrentPatience, { first: Math.min(outer.first, lookup), lookup })
  })

/** How long the current answer still waits for data that was never fetched, or for a look-up. */
export const remaining = (kind: "first" | "lookup"): Effect.Effect<Duration.Duration> =>
  Effect.withFiber((fiber) => {
    const until = fiber.getRef(CurrentPatience)?.[kind]
    if (until === undefined) return Effect.succeed(kind === "first" ? FIRST_ANSWER : LOOKUP)
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    return Effect.succeed(Duration.millis(Math.max(0, until - now)))
  })

/** Waits until `event` completes, as long as the current answer waits for data that was never fetched. */
export const waitFor = (event: Effect.Effect<unknown>): Effect.Effect<void> =>
  Effect.flatMap(remaining("first"), (left) => Effect.asVoid(Effect.timeoutOption(event, left)))
