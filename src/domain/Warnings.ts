// Logs repeated failures: the first of a kind at level Warn, its repetitions at level Debug, until the failure ends.
import { Effect } from "effect"

/**
 * Returns the logger of one owner; `warn` replaces the log line of a kind. A `matter`, such as a file or a source, may fail in several kinds. `text` is `undefined`
 * once the failure has ended. The result is whether the matter had failed before.
 */
export const make = (warn: (text: string, kind: string) => Effect.Effect<void> = (text) => Effect.logWarning(text)) => {
  const warned = new Map<string, ReadonlySet<string>>()
  return (matter: string, text: string | undefined, kind = ""): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      const kinds = warned.get(matter)
      if (text === undefined) return Effect.succeed(warned.delete(matter))
      warned.set(matter, new Set(kinds).add(kind))
      const log = kinds?.has(kind) === true ? Effect.logDebug(text) : warn(text, kind)
      return Effect.as(log, kinds !== undefined)
    })
}
