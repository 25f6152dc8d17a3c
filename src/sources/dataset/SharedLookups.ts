// What is asked of a source because somebody wants to know just that: a search, a coin by its id. Several processes ask as if they
// were one: whoever wants to know first asks for all that want to know by then, and the others read what came of it, failures
// too. Where there are no others, or they cannot be reached, a process asks for itself, within its own budget.
import { Duration, Effect, Option, Result, Schema } from "effect"
import { type LookupLease, Replicas } from "./Replicas.ts"

/** What came of asking, and how long it is still good. */
export interface Outcome<out A, out E> {
  readonly result: Result.Result<A, E>
  readonly goodFor: Duration.Duration
}

/** How often it is seen whether another has an answer. */
const LOOK_AGAIN = Duration.millis(100)

/** Where several keys make one call, those that other processes want in this moment join in. */
const GATHERED_FOR = Duration.millis(20)

/** Nothing longer is passed on, in characters; a page of 250 coins has about 150,000. Then each asks for itself. */
const LONGEST = 1_000_000

/** What answers to one topic are like. */
interface Topic<A, E> {
  readonly topic: string
  /** Where answers come from; those from elsewhere are not ours. */
  readonly origin: string
  readonly answer: Schema.Codec<A, unknown>
  readonly failure: Schema.Codec<E, unknown>
  /** How long everybody makes do with it. Zero: it concerns nobody but whoever asked. */
  readonly goodFor: (result: Result.Result<A, E>) => Duration.Duration
}

/** Asks about keys, and says what is the answer to each. */
type Ask<A, E> = (keys: ReadonlyArray<string>) => Effect.Effect<(key: string) => A, E>

/** Makes the way to ask about one thing, known to all by its key. */
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
      return outcome === undefined ? Effect.die(new Error("what is asked for is answered")) : Effect.succeed(outcome)
    })
  })

/** Makes the way to ask about several keys, up to `atOnce` with one call: outcomes by key, for every key asked for. */
export const makeBatched = <A, E>(
  options: Topic<A, E> & { readonly atOnce: number; readonly ask: Ask<A, E> }
): Effect.Effect<(keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Outcome<A, E>>>> =>
  Effect.map(sharing(options, options.atOnce), (askFor) => (keys) => askFor(keys, options.ask))

const sharing = Effect.fnUntraced(function* <A, E>(options: Topic<A, E>, atOnce: number) {
  const others = yield* Replicas
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

  const told = Effect.fnUntraced(function* (key: string, { goodFor, result }: Outcome<A, E>) {
    const millis = Math.floor(Duration.toMillis(goodFor))
    if (millis < 1) return []
    const text = yield* Effect.option(encode({ origin: options.origin, outcome: result }))
    return Option.isNone(text) || text.value.length > LONGEST ? [] : [{ key, text: text.value, millis }]
  })

  /** Asks what is missing here, and with it what others want. */
  const askForAll = Effect.fnUntraced(function* (claim: LookupLease, missing: ReadonlyArray<string>, ask: Ask<A, E>) {
    if (atOnce > 1) yield* Effect.sleep(GATHERED_FOR)
    const room = atOnce - missing.length
    const wanted = room > 0 ? yield* claim.wanted(room) : []
    const outcomes = yield* Effect.raceFirst(outcomesOf([...new Set([...missing, ...wanted])], ask), claim.renewed)
    yield* claim.publish((yield* Effect.forEach(outcomes, ([key, outcome]) => told(key, outcome))).flat())
    return outcomes
  })

  if (others === undefined) return outcomesOf

  return Effect.fnUntraced(function* (wanted: ReadonlyArray<string>, ask: Ask<A, E>) {
    const keys = [...new Set(wanted)]
    // Nobody waits for a call that does not gather: it is about another key.
    const questions = others.lookups(atOnce > 1 ? options.topic : `${options.topic}:${keys.join()}`)
    const outcomes = new Map<string, Outcome<A, E>>()
    /** What others wanted is not wanted here. */
    const keep = (more: ReadonlyMap<string, Outcome<A, E>>) => {
      for (const key of keys) {
        const outcome = more.get(key)
        if (outcome !== undefined) outcomes.set(key, outcome)
      }
    }

    const look = Effect.gen(function* () {
      const known = yield* questions.look(keys.filter((key) => !outcomes.has(key)))
      known?.forEach(({ left, text }, key) => {
        const shared = decode(text)
        if (Option.isSome(shared)) outcomes.set(key, { result: shared.value.outcome, goodFor: left })
      })
      const missing = keys.filter((key) => !outcomes.has(key))
      return { missing, isAlone: known === undefined }
    })

    const inTurn = Effect.gen(function* () {
      const { isAlone, missing } = yield* look
      if (missing.length === 0) return
      if (isAlone) return keep(yield* outcomesOf(missing, ask))
      yield* Effect.acquireUseRelease(
        questions.acquire,
        Effect.fnUntraced(function* (claim) {
          if (claim === undefined) return yield* Effect.sleep(LOOK_AGAIN)
          // Whoever asked until now has said what came of it.
          const { isAlone, missing } = yield* look
          if (missing.length > 0) keep(yield* isAlone ? outcomesOf(missing, ask) : askForAll(claim, missing, ask))
        }),
        (claim) => claim?.release ?? Effect.void
      )
    })
    while (outcomes.size < keys.length) yield* inTurn
    return outcomes
  })
})
