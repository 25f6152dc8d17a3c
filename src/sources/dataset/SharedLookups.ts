// Look-ups on demand (a search, a coin by id) that replicas make together: the first process to take the lease fetches the batch of
// all wanted keys, and the others read its results, failures too. Without replicas, or while Redis cannot be reached, a process
// asks for itself, within its own budget.
import { Duration, Effect, Option, Result, Schema } from "effect"
import { type LookupLease, Replicas } from "./Replicas.ts"

/** The result of a look-up, and how long it is kept. */
export interface Outcome<out A, out E> {
  readonly result: Result.Result<A, E>
  readonly goodFor: Duration.Duration
}

/** How often a process looks for the result of another. */
const POLL_EVERY = Duration.millis(100)

/** A call for several keys waits this long for keys that other processes want. */
const GATHER_FOR = Duration.millis(20)

/** Longer results are not shared, in characters; a page of 250 coins has about 150,000. */
const LONGEST = 1_000_000

/** How the results of one topic are shared. */
interface Topic<A, E> {
  readonly topic: string
  /** The address that results come from; those from another address are ignored. */
  readonly origin: string
  readonly answer: Schema.Codec<A, unknown>
  readonly failure: Schema.Codec<E, unknown>
  /** How long a result is kept and shared. Zero: it is not shared. */
  readonly goodFor: (result: Result.Result<A, E>) => Duration.Duration
}

/** Fetches keys with one call; the function returned gives the answer to each. */
type Ask<A, E> = (keys: ReadonlyArray<string>) => Effect.Effect<(key: string) => A, E>

/** Makes the look-up of one key per call. */
export const make = <K, A, E>(
  options: Topic<A, E> & {
    readonly keyOf: (about: K) => string
    readonly ask: (about: K) => Effect.Effect<A, E>
  }
): Effect.Effect<(about: K) => Effect.Effect<Outcome<A, E>>> =>
  Effect.map(sharing(options, 1), (askFor) => (about) => {
    const key = options.keyOf(about)
    const asked = askFor([key], () => Effect.map(options.ask(about), (answer) => () => answer))
    return Effect.flatMap(asked, (outcomes) => {
      const outcome = outcomes.get(key)
      return outcome === undefined ? Effect.die(new Error(`no outcome for ${key}`)) : Effect.succeed(outcome)
    })
  })

/** Makes the look-up of up to `atOnce` keys per call: an outcome for every key asked for. */
export const makeBatched = <A, E>(
  options: Topic<A, E> & { readonly atOnce: number; readonly ask: Ask<A, E> }
): Effect.Effect<(keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Outcome<A, E>>>> =>
  Effect.map(sharing(options, options.atOnce), (askFor) => (keys) => askFor(keys, options.ask))

const sharing = Effect.fnUntraced(function* <A, E>(options: Topic<A, E>, atOnce: number) {
  const replicas = yield* Replicas
  const Shared = Schema.fromJsonString(
    Schema.toCodecJson(
      Schema.Struct({
        origin: Schema.Literal(options.origin),
        outcome: Schema.Result(options.answer, options.failure)
      })
    )
  )
  const decode = Schema.decodeOption(Shared)
  const encode = Schema.encodeEffect(Shared)

  const outcomesOf = (keys: ReadonlyArray<string>, ask: Ask<A, E>) =>
    Effect.map(Effect.result(ask(keys)), (answered) => {
      const outcomes = new Map<string, Outcome<A, E>>()
      for (const key of keys) {
        const result = Result.map(answered, (answerOf) => answerOf(key))
        outcomes.set(key, { result, goodFor: options.goodFor(result) })
      }
      return outcomes
    })

  const encoded = Effect.fnUntraced(function* (key: string, { goodFor, result }: Outcome<A, E>) {
    const millis = Math.floor(Duration.toMillis(goodFor))
    if (millis < 1) return []
    const text = yield* Effect.option(encode({ origin: options.origin, outcome: result }))
    return Option.isNone(text) || text.value.length > LONGEST ? [] : [{ key, text: text.value, millis }]
  })

  /** Asks for the keys that are missing here and for those that other processes want. */
  const askForAll = Effect.fnUntraced(function* (lease: LookupLease, missing: ReadonlyArray<string>, ask: Ask<A, E>) {
    if (atOnce > 1) yield* Effect.sleep(GATHER_FOR)
    const room = atOnce - missing.length
    const wanted = room > 0 ? yield* lease.wanted(room) : []
    const outcomes = yield* Effect.raceFirst(outcomesOf([...new Set([...missing, ...wanted])], ask), lease.renewed)
    yield* lease.publish((yield* Effect.forEach(outcomes, ([key, outcome]) => encoded(key, outcome))).flat())
    return outcomes
  })

  if (replicas === undefined) return outcomesOf

  return Effect.fnUntraced(function* (wanted: ReadonlyArray<string>, ask: Ask<A, E>) {
    const keys = [...new Set(wanted)]
    // A call for one key must not wait for a call for another one: each key is a topic of its own.
    const lookups = replicas.lookups(atOnce > 1 ? options.topic : `${options.topic}:${keys.join()}`)
    const outcomes = new Map<string, Outcome<A, E>>()
    /** Keeps the outcomes of the keys wanted here. */
    const keep = (more: ReadonlyMap<string, Outcome<A, E>>) => {
      for (const key of keys) {
        const outcome = more.get(key)
        if (outcome !== undefined) outcomes.set(key, outcome)
      }
    }

    const look = Effect.gen(function* () {
      const known = yield* lookups.look(keys.filter((key) => !outcomes.has(key)))
      known?.forEach(({ left, text }, key) => {
        const shared = decode(text)
        if (Option.isSome(shared)) outcomes.set(key, { result: shared.value.outcome, goodFor: left })
      })
      const missing = keys.filter((key) => !outcomes.has(key))
      return { missing, isCutOff: known === undefined }
    })

    const attempt = Effect.gen(function* () {
      const { isCutOff, missing } = yield* look
      if (missing.length === 0) return
      if (isCutOff) return keep(yield* outcomesOf(missing, ask))
      yield* Effect.acquireUseRelease(
        lookups.acquire,
        Effect.fnUntraced(function* (lease) {
          if (lease === undefined) return yield* Effect.sleep(POLL_EVERY)
          // The process that had the lease until now may have published a result.
          const { isCutOff, missing } = yield* look
          if (missing.length > 0) keep(yield* isCutOff ? outcomesOf(missing, ask) : askForAll(lease, missing, ask))
        }),
        (lease) => lease?.release ?? Effect.void
      )
    })
    while (outcomes.size < keys.length) yield* attempt
    return outcomes
  })
})
