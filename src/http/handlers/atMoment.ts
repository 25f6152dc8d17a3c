// Chooses between current and past data.
import { Clock, Effect, Option } from "effect"
import { graceOf } from "../../history/model/Interval.ts"
import { endOf, momentOf, type Moment, startOf } from "../../history/model/Moment.ts"
import { note } from "../response/Notes.ts"
import { InvalidQuery } from "./refusing.ts"

/** Notes that an answer is of times that are over: late observations come within an hour. */
export const notePast = (moments: ReadonlyArray<Moment>, now: number): Effect.Effect<void> =>
  moments.every((moment) => now > endOf(moment) + graceOf("day")) ? note({ lasting: "past" }) : Effect.void

/** `then` at the moment that `at` names, or `now` without `at`. Fails for a moment in the future. */
export const atMoment = <A, E, E2>(
  { at }: { readonly at?: string },
  now: Effect.Effect<A, E>,
  then: (moment: Moment) => Effect.Effect<A, E2>
): Effect.Effect<A, E | E2 | InvalidQuery> => {
  const moment = at === undefined ? undefined : Option.getOrUndefined(momentOf(at))
  if (moment === undefined) return now
  return Effect.flatMap(Clock.currentTimeMillis, (time): Effect.Effect<A, E2 | InvalidQuery> =>
    startOf(moment) > time
      ? Effect.fail(new InvalidQuery({ parameter: "at", detail: "must not be in the future" }))
      : Effect.andThen(notePast([moment], time), then(moment))
  )
}
