// Look-ups on demand (a search, a coin by id) that replicas share: the first process to take the turn of a key looks it up, and the others read
// its result, failures too. Without replicas, or while Redis cannot be reached, a process asks for itself, within its own budget.
import { Duration, Effect, Option, Result, Schema } from "effect"
import { RENEW_EVERY, Replicas, type Settled } from "./Replicas.ts"

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
export const make = <A, E>(options: Topic<A, E> & { readonly ask: (key: string) => Effect.Effect<A, E> }) => {
  const ask: Ask<A, E> = ([key = ""]) => Effect.map(options.ask(key), (answer) => () => answer)
  return Effect.map(
    makeBatched({ ...options, ask }),
    (askFor) => (key: string) =>
      Effect.flatMap(askFor([key]), (outcomes) => Effect.orDie(Effect.fromNullishOr(outcomes.get(key))))
  )
}

/** Fetches keys with one call; the function returned gives the answer to each. */
type Ask<A, E> = (keys: ReadonlyArray<string>) => Effect.Effect<(key: string) => A, E>

/** Makes the look-up of several keys per call: an outcome for every key asked for. */
export const makeBatched = Effect.fnUntraced(function* <A, E>(options: Topic<A, E> & { readonly ask: Ask<A, E> }) {
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

  const outcomesOf = (keys: ReadonlyArray<string>) =>
    Effect.map(Effect.result(options.ask(keys)), (answered) => {
      const outcomes = new Map<string, Outcome<A, E>>()
      for (const key of keys) {
        const result = Result.map(answered, (answerOf) => answerOf(key))
        outcomes.set(key, { result, goodFor: options.goodFor(result) })
      }
      return outcomes
    })

  const entryOf = (key: string) => `${options.topic}/${key}`

  const settledOf = Effect.fnUntraced(function* ([key, { goodFor, result }]: readonly [string, Outcome<A, E>]) {
    const text = Option.getOrUndefined(yield* Effect.option(encode({ origin: options.origin, outcome: result })))
    const isShared = Duration.toMillis(goodFor) >= 1 && text !== undefined && text.length <= LONGEST
    return isShared ? ({ key: entryOf(key), text, dueIn: goodFor, keptFor: goodFor } satisfies Settled) : passedOn(key)
  })
  const passedOn = (key: string): Settled => ({ key: entryOf(key), dueIn: Duration.zero, keptFor: Duration.zero })

  return Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
    const outcomes = new Map<string, Outcome<A, E>>()
    let missing: ReadonlyArray<string> = [...new Set(wanted)]
    const look = (keys: ReadonlyArray<string>) =>
      replicas.look(keys.map((key) => ({ key: entryOf(key), version: "", wants: true })))

    const lookUp = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
      const renewing = Effect.forever(Effect.delay(look(keys), RENEW_EVERY))
      const found = yield* Effect.raceFirst(outcomesOf(keys), renewing)
      for (const [key, outcome] of found) outcomes.set(key, outcome)
      yield* Effect.flatMap(Effect.forEach(found, settledOf), replicas.settle)
    })

    while (missing.length > 0) {
      const seen = yield* look(missing)
      const own = seen.flatMap(({ dueIn, text, turn }, n) => {
        const key = missing[n] ?? ""
        const shared = text === undefined || turn === "mine" ? Option.none() : decode(text)
        if (Option.isSome(shared)) outcomes.set(key, { result: shared.value.outcome, goodFor: dueIn })
        // What is damaged or from another address is asked for again, here alone; what is due, by the process that has the turn.
        return Option.isNone(shared) && (turn !== "other" || text !== undefined) ? [key] : []
      })
      if (own.length > 0) {
        yield* Effect.onError(lookUp(own), () => replicas.settle(own.map(passedOn)))
      }
      missing = missing.filter((key) => !outcomes.has(key))
      if (missing.length > 0) yield* Effect.sleep(POLL_EVERY)
    }
    return outcomes
  })
})
