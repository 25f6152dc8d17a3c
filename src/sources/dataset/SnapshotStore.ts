// How last good snapshots outlive the process, in the `KeyValueStore` of the context if there is one. What is read back was
// written by some process some time ago: it is checked by schema, it must be of the same source at the same address, and it
// keeps its true times. Anything else is a cold start.
import { DateTime, Effect, Option, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Snapshot } from "../../domain/Snapshot.ts"

/** How a data set is kept: whose it is, under which name, from which address, and what its value looks like. */
export interface Keeping<A> {
  /** The source's id: where several processes share one store, one of them asks this source for all. */
  readonly lease: string
  readonly name: string
  readonly origin: string
  readonly schema: Schema.Codec<A, unknown>
}

/** What is found under a name. `unusable`: something, but not ours, or not any more. */
export type Found<A> = Snapshot<A> | "nothing" | "unusable"

/** So far apart may the clocks of two processes be. A time beyond it was written by a clock that was wrong. */
const CLOCKS_APART = { minutes: 1 }

/** Saves and restores one data set. */
export const make = Effect.fnUntraced(function* <A>(source: string, keeping: Keeping<A>) {
  const store = Option.getOrUndefined(yield* Effect.serviceOption(KeyValueStore.KeyValueStore))
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

  // The same trouble each minute is told once, and again when it was over in between.
  const told = new Set<"reading" | "saving">()
  const isOver = (trouble: "reading" | "saving") => Effect.sync(() => told.delete(trouble))
  const tell = (trouble: "reading" | "saving", text: string) =>
    Effect.suspend(() => {
      const isNews = !told.has(trouble)
      told.add(trouble)
      return Effect.logWithLevel(isNews ? "Warn" : "Debug")(`${source}: ${text}`)
    })

  const isTrueToTime = ({ observedAt, retrievedAt }: Snapshot<unknown>) =>
    Effect.map(
      DateTime.now,
      (now) =>
        DateTime.isLessThanOrEqualTo(retrievedAt, DateTime.add(now, CLOCKS_APART)) &&
        DateTime.isLessThanOrEqualTo(observedAt, retrievedAt)
    )

  const restore: Effect.Effect<Found<A>> = Effect.gen(function* () {
    const text = yield* store?.get(keeping.name) ?? Effect.undefined
    if (text === undefined) return "nothing"
    const snapshot = yield* Effect.option(decode(text))
    if (Option.isSome(snapshot) && (yield* isTrueToTime(snapshot.value))) {
      yield* isOver("reading")
      return snapshot.value
    }
    yield* tell(
      "reading",
      `the saved ${keeping.name} is damaged, of another origin or of a time to come, and is left out`
    )
    return "unusable"
  }).pipe(
    Effect.catch((failure) =>
      Effect.as(tell("reading", `the saved ${keeping.name} cannot be read: ${failure.message}`), "unusable" as const)
    )
  )

  // What cannot be saved is served all the same. A caller who leaves in the middle must not leave a write undone.
  const save = (snapshot: Snapshot<A>): Effect.Effect<void> =>
    store === undefined
      ? Effect.void
      : encode({ ...snapshot, source, origin: keeping.origin }).pipe(
          Effect.flatMap((text) => store.set(keeping.name, text)),
          Effect.andThen(isOver("saving")),
          Effect.catch((failure) => tell("saving", `${keeping.name} could not be saved: ${failure.message}`)),
          Effect.asVoid,
          Effect.uninterruptible
        )

  return { restore, save }
})
