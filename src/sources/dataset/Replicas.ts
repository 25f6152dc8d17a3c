// The entries that replicas share, one per key: its text, when the next one is due, and the lease (`turn`) of the process that fetches it.
// Without Redis there are no replicas: this process has every lease, and the texts of data sets are saved in the `KeyValueStore` of the
// context for the next start.
import { Context, Duration, Effect, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Counter } from "../client/Budget.ts"
import * as Warnings from "../../domain/Warnings.ts"

/** Who has the lease to fetch the next text. `unknown`: Redis cannot be reached. */
export type Turn = "mine" | "other" | "unknown"

/** `version`: the one that this process has, `""` for none. `wants`: whether it would fetch the next text. */
export interface Asked {
  readonly key: string
  readonly version: string
  readonly wants: boolean
  /** The most bytes of its text. */
  readonly most: number
  /** Set during a call: a lease that another process had last is then not taken, so that a hanging call does not get it again. */
  readonly isRenewal?: boolean
}

/** Replaces a text with more bytes than its reader takes. It is no JSON. */
export const TOO_LARGE = "too large"

/** The result of a look. */
export interface Look {
  /** The text, if its version is not the one that this process has; {@link TOO_LARGE} instead of one that is. */
  readonly text: string | undefined
  /** The version of the entry; `""` if it has no text. */
  readonly version: string
  /** `mine`: no other process gets the lease within {@link CLAIMED_FOR}. */
  readonly turn: Turn
  /** The time until the next text is due. Zero: it is due, or a process is fetching it. */
  readonly dueIn: Duration.Duration
}

/** The end of a lease, or a text written without one. */
export interface Settled {
  readonly key: string
  /** Omitted if nothing was fetched. */
  readonly text?: string | undefined
  /** Ends the lease; zero passes it to another process. Without it, lease and due time are unchanged. */
  readonly dueIn?: Duration.Duration
  readonly keptFor: Duration.Duration
}

/** A lease expires this long after its last renewal, so that a dead or frozen process does not block the others for longer. */
export const CLAIMED_FOR = Duration.seconds(6)

/** How often a process renews its lease during a fetch. */
const RENEW_EVERY = Duration.seconds(2)

/** The process that fetched last has this long to start the next fetch before others may. */
export const HEAD_START = Duration.seconds(1)

/** The longest wait between looks, and the wait while another replica has the lease or Redis is away. */
const LOOK_EVERY = { atMost: Duration.seconds(10), whileAsked: Duration.millis(500) }

/** The wait until the next round. `rest`: milliseconds until this process may call the source. */
export const waitFor = (dueIn: Duration.Duration, turn: Turn, rest: number): Duration.Duration => {
  if (!Duration.isFinite(dueIn)) return Duration.millis(rest)
  const shared =
    Duration.isZero(dueIn) && turn !== "mine"
      ? LOOK_EVERY.whileAsked
      : Duration.min(Duration.sum(dueIn, HEAD_START), LOOK_EVERY.atMost)
  return rest > 0 ? Duration.min(Duration.millis(rest), shared) : shared
}

/** Renews the leases with `look` while the effect runs. */
export const renewing =
  (look: Effect.Effect<unknown>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.raceFirst(effect, Effect.forever(Effect.delay(look, RENEW_EVERY)))

/** One process's access to the shared entries. */
export interface ReplicasService {
  /** Reads entries in the given order, takes the free leases of those that are due and wanted, and renews its own leases. */
  readonly look: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<Look>>
  /** Writes entries, except those whose lease another process has by now. Returns their versions; `""` if not written. */
  readonly settle: (settled: ReadonlyArray<Settled>) => Effect.Effect<ReadonlyArray<string>>
  /** The counter of a budget for all replicas. A source may have several budgets. */
  readonly budget: (source: string, name: string) => Counter
}

/** The version of every text without replicas. */
const SAVED = "saved"

/** A process without replicas: it has every lease. Texts are saved in the store, if there is one. */
const aloneWith = (store?: KeyValueStore.KeyValueStore): ReplicasService => {
  const report = Warnings.make()
  const telling = <A>(what: string, use: Effect.Effect<A, KeyValueStore.KeyValueStoreError>) =>
    use.pipe(
      Effect.tap(report(what, undefined)),
      Effect.catch(({ message }) => Effect.asVoid(report(what, `${what}: ${message}`)))
    )
  return {
    look: Effect.forEach(({ key, version }) => {
      const saved = store === undefined || version !== "" ? Effect.undefined : store.get(key)
      return Effect.map(telling(`the saved ${key} cannot be read`, saved), (found): Look => {
        const text = found ?? undefined
        return { text, version: text === undefined ? version : SAVED, turn: "mine", dueIn: Duration.infinity }
      })
    }),
    settle: Effect.forEach(({ key, text }) => {
      const saving = store === undefined || text === undefined ? Effect.void : store.set(key, text)
      return Effect.as(telling(`${key} could not be saved`, saving), SAVED)
    }),
    budget: () => ({ take: () => Effect.undefined, pause: () => Effect.void })
  }
}

export const alone: ReplicasService = aloneWith()

/** The connection to the other replicas; {@link alone} without Redis. */
export const Replicas = Context.Reference<ReplicasService>("crypto-data-api/sources/dataset/Replicas", {
  defaultValue: () => alone
})

/** Where the texts of data sets are saved: in Redis, else in the store of the context, else nowhere. */
export const keeping: Effect.Effect<ReplicasService> = Effect.gen(function* () {
  const replicas = yield* Replicas
  const store = yield* Effect.serviceOption(KeyValueStore.KeyValueStore)
  return replicas === alone ? aloneWith(Option.getOrUndefined(store)) : replicas
})
