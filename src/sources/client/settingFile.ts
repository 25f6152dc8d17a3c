// Reads a file that a setting names. If it is the wrong file, a pipe would stop the start, and a huge file would take minutes.
import { ConfigProvider, Effect } from "effect"
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"

/** The most bytes of such a file. */
export const MOST_BYTES = 1024 * 1024

/** A file that exists but cannot be used; `message` is for the operator. */
export class FaultyFile extends ConfigProvider.SourceError {}

/**
 * The text of a regular file of at most {@link MOST_BYTES}. Never waits for another program. A secret must be for its owner alone.
 */
export const textOf = (path: string, isSecret = false): Effect.Effect<string, ConfigProvider.SourceError> =>
  Effect.suspend(() => {
    let file: number | undefined
    try {
      // Without this flag the call waits until another program opens the other end of a pipe.
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      const found = fstatSync(file)
      if (!found.isFile()) return Effect.fail(new FaultyFile({ message: "it is not a regular file" }))
      if (found.size > MOST_BYTES)
        return Effect.fail(new FaultyFile({ message: `it has more than ${MOST_BYTES} bytes` }))
      if (isSecret && (found.mode & 0o077) !== 0)
        return Effect.fail(new FaultyFile({ message: `others than its owner can use it: run chmod 600 ${path}` }))
      return Effect.succeed(readFileSync(file, "utf8"))
    } catch {
      return Effect.fail(new ConfigProvider.SourceError({ message: "there is no file that can be read" }))
    } finally {
      if (file !== undefined) closeSync(file)
    }
  })
