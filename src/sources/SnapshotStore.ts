// How last good snapshots outlive the process, in the `KeyValueStore` of the context if there is one. What is read back was written by some process some time ago: it is checked by
// schema, it must be of the same source at the same address, and it keeps its true times. Anything else is a cold start.
import { DateTime, Effect, Option, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Snapshot } from "../domain/Snapshot.ts"

/** How a data set is kept: whose it is, under which name, from which address, and what its value looks like. */
export interface Keeping<A> {
  /** The source's id: where several processes share one store, one of them asks this source for all. */
  readonly lease: string
  readonly name: string
  readonly origin: string
  readonly schema: Schema.Codec<A, unknown>
}

/** Saves and restores one data set. */
export const make = Effect.fnUntraced(function* <A>(source: string, keeping: Keeping<A>) {
  const store = yield* Effect.serviceOption(KeyValueStore.KeyValueStore)
  const Saved = Schema.fromJsonString(
    Schema.toCodecJson(
      Schema.Struct({
        source: Schema.Literal(source),
        origin: Schema.Literal(keeping.origin),
        observedAt: Schema.DateTimeUtcFromString,
        retrievedAt: Schema.DateTimeUtcFromString,
        value: keeping.schema
      })
    )
  )
  const decode = Schema.decodeEffect(Saved)
  const encode = Schema.encodeEffect(Saved)

  const restore: Effect.Effect<Option.Option<Snapshot<A>>> = Effect.gen(function* () {
    const text = Option.isNone(store) ? undefined : yield* store.value.get(keeping.name)
    if (text === undefined) return Option.none()
    const snapshot = yield* decode(text)
    const now = yield* DateTime.now
    return DateTime.isLessThanOrEqualTo(snapshot.retrievedAt, now) ? Option.some(snapshot) : Option.none()
  }).pipe(
    Effect.catch(() =>
      Effect.as(
        Effect.logWarning(`${source}: the saved ${keeping.name} is damaged or of another origin and is left out`),
        Option.none()
      )
    )
  )

  // The store says what fails where; what cannot be saved is served all the same. A caller who leaves in the middle must not
  // leave a write undone.
  const save = (snapshot: Snapshot<A>): Effect.Effect<void> =>
    Option.isNone(store)
      ? Effect.void
      : encode({ ...snapshot, source, origin: keeping.origin }).pipe(
          Effect.flatMap((text) => store.value.set(keeping.name, text)),
          Effect.catch((failure) =>
            Effect.logWarning(`${source}: ${keeping.name} could not be saved: ${failure.message}`)
          ),
          Effect.uninterruptible
        )

  return { restore, save }
})
