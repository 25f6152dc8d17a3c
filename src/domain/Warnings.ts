// Warnings of what fails again and again: the first of a kind is a warning, its repetitions are for debugging, until
// it has passed.
import { Effect } from "effect"

/**
 * Makes the warnings of one owner. A matter, such as a file or a source, may fail in several kinds. Without a text it
 * has passed. Gives whether it had failed before.
 */
export const make = () => {
  const warned = new Map<string, ReadonlySet<string>>()
  return (matter: string, text: string | undefined, kind = ""): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const kinds = warned.get(matter)
      if (text === undefined) return Effect.succeed(warned.delete(matter))
      warned.set(matter, new Set(kinds).add(kind))
      const log = Effect.logWithLevel(kinds?.has(kind) === true ? "Debug" : "Warn")(text)
      return Effect.as(log, kinds !== undefined)
    })
}
