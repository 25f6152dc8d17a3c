// Log lines on malformed or implausible data of a source. A matter that goes on is a warning once an hour, and a debug line meanwhile.
import { Clock, Duration, Effect } from "effect"

/** The least time between two warnings on one matter, in milliseconds. */
const EVERY = Duration.toMillis("1 hour")

/** Returns what logs a text on a matter of the source with this name. Matters are few: adapters name them, and no data does. */
export const make = (source: string): ((matter: string, text: string) => Effect.Effect<void>) => {
  const remarked = new Map<string, number>()
  return (matter, text) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const isNew = Math.abs(now - (remarked.get(matter) ?? -Infinity)) >= EVERY
      if (isNew) remarked.set(matter, now)
      return Effect.logWithLevel(isNew ? "Warn" : "Debug")(`${source}: ${text}`)
    })
}
