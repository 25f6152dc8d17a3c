// The last good snapshot of a key as replicas share it, and as a restart finds it. A saved snapshot is checked by its schema when it is
// read, must be of the same source at the same address, and keeps its times. Anything else counts as missing.
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"
import * as Replicas from "./Replicas.ts"
import * as Warnings from "../../domain/Warnings.ts"

/** How a data set is saved. `origin`: the address that the data comes from. */
export interface Keeping<A> {
  readonly name: string
  readonly origin: string
  readonly schema: Schema.Codec<A, unknown>
}

/** What is saved. `known`: what was seen before. `unusable`: of another source or schema. */
export type Found<A> = Snapshot<A> | "nothing" | "known" | "unusable"

/** A saved snapshot, and whose turn it is to bring the next. */
export interface Entry<A> extends Pick<Replicas.Look, "turn" | "dueIn"> {
  readonly found: Found<A>
}

/** How long Redis keeps a key that no process renews: longer than any maximum age. */
const KEPT_FOR = Duration.days(30)

/** Saves nothing: every turn is this process's own. */
export const none = {
  look: () => Effect.succeed({ found: "known", turn: "mine", dueIn: Duration.infinity } as const),
  restore: Effect.succeed("nothing" as const),
  settle: () => Effect.void,
  save: () => Effect.void
}

/** Saves and restores one data set. */
export const make = Effect.fnUntraced(function* <A>(source: string, { name, origin, schema }: Keeping<A>) {
  const Saved = Schema.fromJsonString(
    Schema.toCodecJson(
      Schema.Struct({
        source: Schema.Literal(source),
        origin: Schema.Literal(origin),
        observedAt: Schema.DateTimeUtcFromString,
        retrievedAt: Schema.DateTimeUtcFromString,
        value: schema
      })
    )
  )
  const decode = Schema.decodeOption(Saved)
  const encode = Schema.encodeEffect(Saved)
  const { look, settle } = yield* Replicas.keeping
  let version = ""

  const report = Warnings.make()

  const snapshotIn = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Found<A>> {
    const saved = Option.getOrUndefined(decode(text))
    const isTimely =
      saved !== undefined &&
      !Age.isAhead(saved, yield* DateTime.now) &&
      !DateTime.isGreaterThan(saved.observedAt, saved.retrievedAt)
    const damage = `the saved ${name} is damaged, from another address or stamped in the future; it is ignored`
    yield* report("reading", isTimely ? undefined : `${source}: ${damage}`)
    return isTimely ? saved : "unusable"
  })

  /** Looks, and takes the turn where the process wants it and may have it. A renewal takes none that another had last. */
  const lookFor = Effect.fnUntraced(function* (wants: boolean, isRenewal = false): Effect.fn.Return<Entry<A>> {
    const [seen] = yield* look([{ key: name, version, wants, isRenewal }])
    if (seen === undefined) return { found: "known", turn: "unknown", dueIn: Duration.zero }
    const { dueIn, text, turn } = seen
    version = seen.version
    const others = version === "" && turn !== "unknown" ? "nothing" : "known"
    return { turn, dueIn, found: text === undefined ? others : yield* snapshotIn(text) }
  }, Effect.uninterruptible)

  /** Ends the turn, with a snapshot or without; `dueIn` left out, the snapshot is written and the turn stays whose it is. */
  const settleWith = Effect.fnUntraced(function* (snapshot: Snapshot<A> | undefined, dueIn?: Duration.Duration) {
    // A snapshot that cannot be saved is served all the same.
    const encoded = snapshot && (yield* Effect.result(encode({ ...snapshot, source, origin })))
    const text = encoded && Option.getOrUndefined(Result.getSuccess(encoded))
    const failure = text === undefined ? `${source}: ${name} could not be saved` : undefined
    if (encoded !== undefined) yield* report("saving", failure)
    const [written = ""] = yield* settle([
      { key: name, text, keptFor: KEPT_FOR, ...(dueIn !== undefined && { dueIn }) }
    ])
    if (text !== undefined && written !== "") version = written
  }, Effect.uninterruptible)

  return {
    look: lookFor,
    settle: settleWith,
    restore: Effect.map(lookFor(false), ({ found }) => found),
    save: (snapshot: Snapshot<A>): Effect.Effect<void> => settleWith(snapshot)
  }
})

export type SnapshotStore<A> = Effect.Success<ReturnType<typeof make<A>>>
