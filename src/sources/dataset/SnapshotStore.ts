// Saves the last good snapshots for restarts and replicas, in the `KeyValueStore` of the context if there is one. A saved snapshot
// is checked by its schema when it is read, must be of the same source at the same address, and keeps its times. Anything else
// counts as missing.
import { DateTime, Effect, Option, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"

/** How a data set is saved. `origin`: the address that the data comes from. */
export interface Keeping<A> {
  readonly name: string
  readonly origin: string
  readonly schema: Schema.Codec<A, unknown>
}

/** What is saved under a name. `unusable`: of another source or schema, or it cannot be read. */
export type Found<A> = Snapshot<A> | "nothing" | "unusable"

/** Saves nothing. */
export const none = { restore: Effect.succeed("nothing" as const), save: () => Effect.void }

type Operation = "reading" | "saving"

/** Saves and restores one data set. */
export const make = Effect.fnUntraced(function* <A>(source: string, keeping: Keeping<A>) {
  const Saved = Schema.Struct({
    source: Schema.Literal(source),
    origin: Schema.Literal(keeping.origin),
    observedAt: Schema.DateTimeUtcFromString,
    retrievedAt: Schema.DateTimeUtcFromString,
    value: keeping.schema
  })
  const values = Option.getOrUndefined(yield* Effect.serviceOption(KeyValueStore.KeyValueStore))
  const store = values === undefined ? undefined : KeyValueStore.toSchemaStore(values, Saved)

  // Repetitions of a failure are logged for debugging only, until it has passed.
  const reported = new Set<Operation>()
  const hasPassed = (operation: Operation) => Effect.sync(() => reported.delete(operation))
  const report = (operation: Operation, text: string) =>
    Effect.suspend(() => {
      const isNew = !reported.has(operation)
      reported.add(operation)
      return Effect.logWithLevel(isNew ? "Warn" : "Debug")(`${source}: ${text}`)
    })

  const damaged = Effect.as(
    report(
      "reading",
      `the saved ${keeping.name} is damaged, from another address or stamped in the future; it is ignored`
    ),
    "unusable" as const
  )

  const restore: Effect.Effect<Found<A>> = Effect.gen(function* () {
    const saved = yield* store?.get(keeping.name) ?? Effect.succeedNone
    if (Option.isNone(saved)) return "nothing"
    const { observedAt, retrievedAt } = saved.value
    const isAhead = Age.isAhead(saved.value, yield* DateTime.now)
    if (isAhead || DateTime.isGreaterThan(observedAt, retrievedAt)) return yield* damaged
    yield* hasPassed("reading")
    return saved.value
  }).pipe(
    Effect.catchTag("SchemaError", () => damaged),
    Effect.catch((failure) =>
      Effect.as(report("reading", `the saved ${keeping.name} cannot be read: ${failure.message}`), "unusable" as const)
    )
  )

  // A snapshot that cannot be saved is served all the same. A caller that is interrupted does not interrupt the write.
  const save = (snapshot: Snapshot<A>): Effect.Effect<void> =>
    (store?.set(keeping.name, { ...snapshot, source, origin: keeping.origin }) ?? Effect.void).pipe(
      Effect.andThen(hasPassed("saving")),
      Effect.catch((failure) => report("saving", `${keeping.name} could not be saved: ${failure.message}`)),
      Effect.asVoid,
      Effect.uninterruptible
    )

  return { restore, save }
})

export type SnapshotStore<A> = Effect.Success<ReturnType<typeof make<A>>>
