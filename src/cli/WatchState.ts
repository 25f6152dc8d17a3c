// What `watch` remembers in a file: what it has seen for each condition, and the crossings that are not delivered yet. The file has a
// lock, is written atomically and is bounded. A crossing is in the file before its delivery, and leaves it after its delivery.
import { Effect, FileSystem, Path, type PlatformError, Schema, Semaphore } from "effect"
import * as DataFolder from "../node/DataFolder.ts"
import { StartError } from "../node/StartError.ts"
import { explained, makeWriter } from "../persistence/FileStore.ts"
import { Crossing, Seen } from "./WatchCrossings.ts"

const State = Schema.Struct({
  /** The server that the figures are from. */
  server: Schema.String,
  seen: Schema.Record(Schema.String, Seen),
  /** Oldest first, each with the names of the targets that do not have it yet. */
  pending: Schema.Array(Schema.Struct({ crossing: Crossing, targets: Schema.Array(Schema.String) }))
})
export type State = typeof State.Type

/** The most crossings that wait for their delivery; a further one replaces the oldest. */
const MOST_PENDING = 200

const MOST_BYTES = 4 * 1024 * 1024

const encode = Schema.encodeSync(Schema.fromJsonString(State))
const decode = Schema.decodeEffect(Schema.fromJsonString(State))

const reasonOf = (failure: PlatformError.PlatformError): string => {
  const { advice, code } = explained(failure)
  return `${code}. ${advice}`
}

/** The state without what a target has received. */
export const delivered = (state: State, id: string, target: string): State => ({
  ...state,
  pending: state.pending.flatMap((one) => {
    const targets = one.crossing.id === id ? one.targets.filter((name) => name !== target) : one.targets
    return targets.length === 0 ? [] : [{ ...one, targets }]
  })
})

/** The state of a server in a file that no other process uses; another server's figures are forgotten. */
export const stateIn = Effect.fnUntraced(function* (given: string, server: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const write = yield* makeWriter
  const file = path.resolve(given)
  const folder = path.dirname(file)
  const unusable = (why: string) => new StartError(`The state of watch, ${file}, cannot be used: ${why}.`)

  yield* Effect.mapError(files.makeDirectory(folder, { recursive: true, mode: 0o700 }), (failure) =>
    unusable(reasonOf(failure))
  )
  yield* Effect.mapError(DataFolder.lock(`${file}.lock`), (cause) =>
    unusable(DataFolder.isTaken(cause) ? "another watch uses it. Name another file with --state" : cause.message)
  )
  const text = yield* Effect.gen(function* () {
    const { size, type } = yield* files.stat(file)
    return type === "File" && size <= MOST_BYTES ? yield* files.readFileString(file) : ""
  }).pipe(
    Effect.catch((failure) =>
      failure.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(unusable(reasonOf(failure)))
    )
  )
  const found =
    text === undefined
      ? undefined
      : yield* Effect.mapError(decode(text), () => unusable("it is no such file. Name another with --state"))
  let state: State = found?.server === server ? found : { server, seen: {}, pending: found?.pending ?? [] }
  const save = Effect.suspend(() => write(folder, path.basename(file), encode(state)))
  yield* Effect.mapError(save, (failure) => unusable(reasonOf(failure)))

  const turns = yield* Semaphore.make(1)
  let isSaved = true
  return {
    current: () => state,
    /** Changes the state and saves it. A failure is logged once, and the next change saves all of it. */
    change: (next: (state: State) => State) =>
      Effect.suspend(() => {
        const { pending, ...rest } = next(state)
        state = { ...rest, pending: pending.slice(-MOST_PENDING) }
        const dropped = pending.length - state.pending.length
        return dropped === 0
          ? save
          : Effect.andThen(Effect.logError("The oldest undelivered crossing is dropped"), save)
      }).pipe(
        Effect.tap(() => Effect.sync(() => void (isSaved = true))),
        Effect.catch((failure) => {
          const isFirst = isSaved
          isSaved = false
          return isFirst ? Effect.logWarning(`${file} cannot be written: ${reasonOf(failure)}`) : Effect.void
        }),
        turns.withPermit
      )
  }
})
