// Look-ups on demand (a search, a coin by id) that replicas share: the first process to claim a key looks it up, and the others read
// its result, failures too. Without replicas, or while Redis cannot be reached, a process asks for itself, within its own budget.
import { Duration, Effect, Option, Result, Schema } from "effect"
import { type Claim, Replicas, type SharedResult } from "./Replicas.ts"

/** The result of a look-up, and how long it is kept. */
export interface Outcome<out A, out E> {
  readonly result: Result.Result<A, E>
  readonly goodFor: Duration.Duration
}

/** How often a process looks for the result of another. */
const POLL_EVERY = Duration.millis(100)

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

/** Makes the look-up of one key per call. */
export const make = <K, A, E>(
  options: Topic<A, E> & {
    readonly keyOf: (about: K) => string
    readonly ask: (about: K) => Effect.Effect<A, E>
  }
): Effect.Effect<(about: K) => Effect.Effect<Outcome<A, E>>> =>
  Effect.map(sharing(options), (askFor) => (about) => {
    const key = options.keyOf(about)
    const asked = askFor([key], () => Effect.map(options.ask(about), (answer) => () => answer))
    return Effect.flatMap(asked, (outcomes) => {
      const outcome = outcomes.get(key)
      return outcome === undefined ? Effect.die(new Error(`no outcome for ${key}`)) : Effect.succeed(outcome)
    })
  })

/** Fetches keys with one call; the function returned gives the answer to each. */
type Ask<A, E> = (keys: ReadonlyArray<string>) => Effect.Effect<(key: string) => A, E>

/** Makes the look-up of several keys per call: an outcome for every key asked for. */
export const makeBatched = <A, E>(
  options: Topic<A, E> & { readonly ask: Ask<A, E> }
): Effect.Effect<(keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Outcome<A, E>>>> =>
  Effect.map(sharing(options), (askFor) => (keys) => askFor(keys, options.ask))

const sharing = Effect.fnUntraced(function* <A, E>(options: Topic<A, E>) {
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

  const encoded = Effect.fnUntraced(function* ([key, { goodFor, result }]: readonly [string, Outcome<A, E>]) {
    if (Duration.toMillis(goodFor) < 1) return []
    const text = yield* Effect.option(encode({ origin: options.origin, outcome: result }))
    const isShared = Option.isSome(text) && text.value.length <= LONGEST
    return isShared ? [{ key, text: text.value, left: goodFor } satisfies SharedResult] : []
  })

  return Effect.fnUntraced(function* (wanted: ReadonlyArray<string>, ask: Ask<A, E>) {
    const outcomes = new Map<string, Outcome<A, E>>()
    let missing: ReadonlyArray<string> = [...new Set(wanted)]

    const attempt = Effect.fnUntraced(function* (claim: Claim | undefined) {
      for (const { key, left, text } of claim?.results ?? []) {
        const shared = decode(text)
        if (Option.isSome(shared)) outcomes.set(key, { result: shared.value.outcome, goodFor: left })
      }
      // What is damaged or from another address is asked for again, here alone.
      const unusable = (claim?.results ?? []).flatMap(({ key }) => (outcomes.has(key) ? [] : [key]))
      const own = claim === undefined ? missing : [...claim.mine, ...unusable]
      if (own.length > 0) {
        const found = yield* outcomesOf(own, ask)
        for (const [key, outcome] of found) outcomes.set(key, outcome)
        yield* claim?.publish((yield* Effect.forEach(found, encoded)).flat()) ?? Effect.void
      }
      missing = missing.filter((key) => !outcomes.has(key))
      if (missing.length > 0) yield* Effect.sleep(POLL_EVERY)
    })
    while (missing.length > 0) {
      yield* Effect.acquireUseRelease(replicas.claim(options.topic, missing), attempt, (claim) =>
        claim === undefined ? Effect.void : claim.release
      )
    }
    return outcomes
  })
})
