// The choice between an answer of now and one of the past.
import { Clock, Effect, Option } from "effect"
import { momentOf, type Moment, startOf } from "../../history/model/Moment.ts"
import { InvalidQuery } from "./refusing.ts"

/** Answers at the moment that `at` names, or now where there is none. */
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
      : then(moment)
  )
}
