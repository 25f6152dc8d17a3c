// Warnings of what fails again and again: the first of a kind is a warning, its repetitions are for debugging, until it has passed.
import { Effect } from "effect"

/** Makes the warnings of one owner. A matter, such as a file or a source, may fail in several kinds; without a text it has passed. */
export const make = () => {
  const warned = new Map<string, ReadonlySet<string>>()
  return (matter: string, text: string | undefined, kind = ""): Effect.Effect<void> =>
    Effect.suspend(() => {
      const kinds = warned.get(matter) ?? new Set()
      if (text === undefined) {
        warned.delete(matter)
        return Effect.void
      }
      warned.set(matter, new Set([...kinds, kind]))
      return Effect.logWithLevel(kinds.has(kind) ? "Debug" : "Warn")(text)
    })
}
