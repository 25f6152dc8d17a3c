// What replicas share of each key (a data set, a page, a coin that was looked up): one entry with its text, when it is due, and which
// process finds out the next. Without Redis there are no replicas: every turn is this process's own, and the texts of data sets are
// kept in the `KeyValueStore` of the context, for the next start.
import { Context, Duration, Effect, Option } from "effect"
import { KeyValueStore } from "effect/persistence"
import type { Counter } from "../client/Budget.ts"
import * as Warnings from "../../domain/Warnings.ts"

/** Whose turn it is to find out the next text. `unknown`: Redis cannot be reached. */
export type Turn = "mine" | "other" | "unknown"

/** A key, the version of it that the process holds (`""` for none), and whether the process would find out the next. */
export interface Asked {
  readonly key: string
  readonly version: string
  readonly wants: boolean
  /** Asked during a call: a turn that another process had last is not taken, so that a call that hangs does not get it again. */
  readonly isRenewal?: boolean
}

/** What a look finds. */
export interface Look {
  /** A text of another version than the one held, if there is one. */
  readonly text: string | undefined
  /** Of the entry; `""` where it has no text. */
  readonly version: string
  /** `mine`: no other process that looks takes the turn within {@link CLAIMED_FOR}. */
  readonly turn: Turn
  /** How long until the next text is due. Zero: it is due, or a process is finding it out. */
  readonly dueIn: Duration.Duration
}

/** The end of a turn, or a text outside of one. */
export interface Settled {
  readonly key: string
  /** Left out where nothing was found out. */
  readonly text?: string | undefined
  /** Ends the turn; zero passes it to another process. Left out, turn and time stay. */
  readonly dueIn?: Duration.Duration
  readonly keptFor: Duration.Duration
}

/** After so long without another look a turn ends: a dead or frozen process keeps the others waiting for no longer. */
export const CLAIMED_FOR = Duration.seconds(6)

/** How often a process looks again while it finds something out. */
const RENEW_EVERY = Duration.seconds(2)

/** The process that found out the last text has so long to begin with the next before others may. */
export const HEAD_START = Duration.seconds(1)

/** How long another look can wait at most, and while another replica has the turn or Redis is away. */
const LOOK_EVERY = { atMost: Duration.seconds(10), whileAsked: Duration.millis(500) }

/** Until a round in which there may be something to do. `rest`: the milliseconds until this process may ask. */
export const waitFor = (dueIn: Duration.Duration, turn: Turn, rest: number): Duration.Duration => {
  if (!Duration.isFinite(dueIn)) return Duration.millis(rest)
  const shared =
    Duration.isZero(dueIn) && turn !== "mine"
      ? LOOK_EVERY.whileAsked
      : Duration.min(Duration.sum(dueIn, HEAD_START), LOOK_EVERY.atMost)
  return rest > 0 ? Duration.min(Duration.millis(rest), shared) : shared
}

/** The effect; `look` prolongs its turns as long as it takes. */
export const renewing =
  (look: Effect.Effect<unknown>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.raceFirst(effect, Effect.forever(Effect.delay(look, RENEW_EVERY)))

/** What replicas share, as one process sees it. */
export interface ReplicasService {
  /** Looks at entries, in the order asked, and takes the turn of those that are due, wanted, and nobody's. Prolongs the turns that it has. */
  readonly look: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<Look>>
  /** Writes entries, except those that another process has the turn of by now. Gives their versions, `""` for one not written. */
  readonly settle: (settled: ReadonlyArray<Settled>) => Effect.Effect<ReadonlyArray<string>>
  /** Where the calls of a budget are counted for all replicas, by its name: a source may have several. */
  readonly budget: (source: string, name: string) => Counter
}

/** The version of all that this process alone has written. */
const SAVED = "saved"

/** A process that shares nothing: every turn is its own. Texts are kept in the store, if there is one. */
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

/** Where the texts of data sets are kept: with the other replicas, else in the store of the context, else nowhere. */
export const keeping: Effect.Effect<ReplicasService> = Effect.gen(function* () {
  const replicas = yield* Replicas
  const store = yield* Effect.serviceOption(KeyValueStore.KeyValueStore)
  return replicas === alone ? aloneWith(Option.getOrUndefined(store)) : replicas
})
