// Saves the last good snapshot of a key for replicas and restarts. A saved snapshot has the bounds of a fetched one: it must not be
// larger, must match its schema, pass the same check of its figures, and come from the same source at the same base URL. It keeps its
// times. All others count as missing.
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import type { SourceError } from "../client/SourceError.ts"
import type { Snapshot } from "../../domain/Snapshot.ts"
import * as Age from "./Age.ts"
import * as Replicas from "./Replicas.ts"
import * as Warnings from "../../domain/Warnings.ts"

/** How a data set is saved. `origin`: the base URL that the data comes from. */
export interface Keeping<A> {
  readonly name: string
  readonly origin: string
  readonly schema: Schema.Codec<A, unknown>
  /** The most bytes of its text. A larger one is neither saved nor parsed. */
  readonly most: number
  /** Drops what a fetch would not accept. */
  readonly check?: (snapshot: Snapshot<A>) => Effect.Effect<Snapshot<A>, SourceError>
}

/** The saved snapshot. `known`: this process has already seen it. `unusable`: damaged, or of another source or schema. */
export type Found<A> = Snapshot<A> | "nothing" | "known" | "unusable"

/** A saved snapshot, and who has the lease to fetch the next. */
export interface Entry<A> extends Pick<Replicas.Look, "turn" | "dueIn"> {
  readonly found: Found<A>
}

/** The TTL in Redis of a key that no process renews. Older data is useless, unless an operator sets a longer maximum age. */
const KEPT_FOR = Duration.days(30)

/** Saves nothing. This process has every lease. */
export const none = {
  look: () => Effect.succeed({ found: "known", turn: "mine", dueIn: Duration.infinity } as const),
  restore: Effect.succeed("nothing" as const),
  settle: () => Effect.void,
  save: () => Effect.void
}

/** Saves and restores one data set. */
export const make = Effect.fnUntraced(function* <A>(
  source: string,
  { check = Effect.succeed<Snapshot<A>>, most, name, origin, schema }: Keeping<A>
) {
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
  // The source must be polled even if our own code fails on its entry, which then counts as unreachable.
  const survived = <B>(use: Effect.Effect<B>, otherwise: B): Effect.Effect<B> =>
    Effect.catchDefect(use, (defect) =>
      Effect.as(Effect.logError(`${source}: bug in sharing or saving ${name}`, defect), otherwise)
    )

  const isWithin = (text: string) => Buffer.byteLength(text) <= most

  const snapshotIn = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Found<A>> {
    const saved = isWithin(text) ? Option.getOrUndefined(decode(text)) : undefined
    const isTimely =
      saved !== undefined &&
      !Age.isAhead(saved, yield* DateTime.now) &&
      !DateTime.isGreaterThan(saved.observedAt, saved.retrievedAt)
    const found = isTimely ? Option.getOrUndefined(yield* Effect.option(check(saved))) : undefined
    const damage = `the saved ${name} is damaged, too large, from another address or stamped in the future; it is ignored`
    yield* report("reading", found === undefined ? `${source}: ${damage}` : undefined)
    return found ?? "unusable"
  })

  const unread: Entry<A> = { found: "known", turn: "unknown", dueIn: Duration.zero }

  /** Reads the entry, and takes the lease if wanted and free. A renewal takes no lease that another process had last. */
  const lookFor = Effect.fnUntraced(function* (wants: boolean, isRenewal = false): Effect.fn.Return<Entry<A>> {
    const [seen] = yield* look([{ key: name, version, wants, isRenewal, most }])
    if (seen === undefined) return unread
    const { dueIn, text, turn } = seen
    version = seen.version
    const others = version === "" && turn !== "unknown" ? "nothing" : "known"
    return { turn, dueIn, found: text === undefined ? others : yield* snapshotIn(text) }
  }, Effect.uninterruptible)

  /** Ends the lease, with or without a snapshot. Without `dueIn` it only writes the snapshot, and the lease is unchanged. */
  const settleWith = Effect.fnUntraced(function* (snapshot: Snapshot<A> | undefined, dueIn?: Duration.Duration) {
    // A snapshot that cannot be saved is still served.
    const encoded = snapshot && (yield* Effect.result(encode({ ...snapshot, source, origin })))
    const text = encoded && Option.getOrUndefined(Option.filter(Result.getSuccess(encoded), isWithin))
    const failure = text === undefined ? `${source}: ${name} could not be saved` : undefined
    if (encoded !== undefined) yield* report("saving", failure)
    const [written = ""] = yield* settle([
      { key: name, text, keptFor: KEPT_FOR, ...(dueIn !== undefined && { dueIn }) }
    ])
    if (text !== undefined && written !== "") version = written
  }, Effect.uninterruptible)

  const lookSafely = (wants: boolean, isRenewal = false) => survived(lookFor(wants, isRenewal), unread)
  const settleSafely = (snapshot: Snapshot<A> | undefined, dueIn?: Duration.Duration) =>
    survived(settleWith(snapshot, dueIn), undefined)
  return {
    look: lookSafely,
    settle: settleSafely,
    restore: Effect.map(lookSafely(false), ({ found }) => found),
    save: (snapshot: Snapshot<A>): Effect.Effect<void> => settleSafely(snapshot)
  }
})

export type SnapshotStore<A> = Effect.Success<ReturnType<typeof make<A>>>
