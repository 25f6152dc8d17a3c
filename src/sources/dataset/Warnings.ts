// Warnings of what fails again and again: the first of a kind is a warning, its repetitions are for debugging, until it has passed.
import { Effect } from "effect"

/** Makes the warnings of one owner. A matter, such as a file or a source, may fail in several kinds. */
export const make = () => {
  const warned = new Map<string, ReadonlySet<string>>()
  return {
    failed: (matter: string, text: string, kind = ""): Effect.Effect<void> =>
      Effect.suspend(() => {
        const kinds = warned.get(matter) ?? new Set()
        warned.set(matter, new Set([...kinds, kind]))
        return Effect.logWithLevel(kinds.has(kind) ? "Debug" : "Warn")(text)
      }),
    passed: (matter: string): Effect.Effect<void> => Effect.sync(() => void warned.delete(matter))
  }
}
