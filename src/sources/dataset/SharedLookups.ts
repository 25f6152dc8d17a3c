// Look-ups that replicas share: the process that gets the lease of a key looks it up, and the others read its result or failure.
// Without replicas, or while Redis is away, each process looks up by itself, within its own budget.
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import { SourceError } from "../client/SourceError.ts"
import { renewing, Replicas, type Settled } from "./Replicas.ts"

/** The result of a look-up, and how long it is cached. */
export interface Outcome<out A> {
  readonly result: Result.Result<A, SourceError>
  readonly goodFor: Duration.Duration
}

/** One kind of look-up. */
export interface Topic<A> {
  /** The prefix of its keys. */
  readonly topic: string
  /** The base URL of the source. Answers from another one are ignored. */
  readonly origin: string
  readonly answer: Schema.Codec<A, unknown>
  /** Fetches keys with one call. The resulting function returns the answer for each key. */
  readonly ask: (keys: ReadonlyArray<string>) => Effect.Effect<(key: string) => A, SourceError>
  readonly goodFor: (answer: A) => Duration.Duration
  /** Drops what `ask` would not accept from a shared answer; none if nothing is left of it. */
  readonly check: (answer: A, now: DateTime.Utc) => Option.Option<A>
}

/** How long a failure is cached. */
export const FAILED_FOR = Duration.seconds(5)

/** The longest time for which another process may cache a failure, if it is of another version. */
const LONGEST_FAILURE = Duration.minutes(1)

/** How often a process checks for the result of another. */
const POLL_EVERY = Duration.millis(100)

/** Bytes. Longer results are not shared; a page of 250 coins has about 150,000. */
const LONGEST = 1_000_000

/** Returns the look-up of several keys, which gives an outcome for each of them. */
export const make = Effect.fnUntraced(function* <A>({ answer, ask, check, goodFor, origin, topic }: Topic<A>) {
  const replicas = yield* Replicas
  const outcome = Schema.Result(answer, SourceError)
  const Shared = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct({ origin: Schema.Literal(origin), outcome })))
  const decode = Schema.decodeOption(Shared)
  const isWithin = (text: string) => Buffer.byteLength(text) <= LONGEST

  /** The outcome in a shared text; none if it is damaged, or not one that this process could have had. */
  const outcomeIn = (text: string, dueIn: Duration.Duration, now: DateTime.Utc) =>
    Option.flatMap(isWithin(text) ? decode(text) : Option.none(), ({ outcome }): Option.Option<Outcome<A>> =>
      Result.match(outcome, {
        onFailure: () => Option.some({ result: outcome, goodFor: Duration.min(dueIn, LONGEST_FAILURE) }),
        onSuccess: (answer) =>
          Option.map(check(answer, now), (kept) => {
            return { result: Result.succeed(kept), goodFor: Duration.min(dueIn, goodFor(kept)) }
          })
      })
    )
  const encode = Schema.encodeOption(Shared)

  const entryOf = (key: string) => `${topic}/${key}`
  const look = (keys: ReadonlyArray<string>) =>
    replicas.look(keys.map((key) => ({ key: entryOf(key), version: "", wants: true, most: LONGEST })))

  // A failure without a call is not shared.
  const outcomeOf = (result: Outcome<A>["result"]): Outcome<A> => {
    const failedFor = Result.isFailure(result) && result.failure.wasCalled ? FAILED_FOR : Duration.zero
    return { result, goodFor: Result.isSuccess(result) ? goodFor(result.success) : failedFor }
  }

  const settledOf = ([key, { goodFor, result }]: readonly [string, Outcome<A>]): Settled => {
    const text = Duration.isZero(goodFor) ? undefined : Option.getOrUndefined(encode({ origin, outcome: result }))
    return text === undefined || !isWithin(text)
      ? passedOn(key)
      : { key: entryOf(key), text, dueIn: goodFor, keptFor: goodFor }
  }
  const passedOn = (key: string): Settled => ({ key: entryOf(key), dueIn: Duration.zero, keptFor: Duration.zero })

  const lookUp = (keys: ReadonlyArray<string>) =>
    Effect.result(ask(keys)).pipe(
      renewing(look(keys)),
      Effect.map((result) =>
        keys.map((key) => [key, outcomeOf(Result.map(result, (answerOf) => answerOf(key)))] as const)
      ),
      Effect.tap((found) => replicas.settle(found.map(settledOf))),
      Effect.onError(() => replicas.settle(keys.map(passedOn)))
    )

  return Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
    const outcomes = new Map<string, Outcome<A>>()
    let missing: ReadonlyArray<string> = [...new Set(wanted)]
    while (missing.length > 0) {
      const seen = yield* look(missing)
      const now = yield* DateTime.now
      const own = seen.flatMap(({ dueIn, text, turn }, n) => {
        const key = missing[n] ?? ""
        const shared = text === undefined || turn === "mine" ? Option.none() : outcomeIn(text, dueIn, now)
        if (Option.isSome(shared)) outcomes.set(key, shared.value)
        // This process looks up damaged entries and those from another base URL by itself, and due ones if it has the lease.
        return Option.isNone(shared) && (turn !== "other" || text !== undefined) ? [key] : []
      })
      if (own.length > 0) for (const [key, found] of yield* lookUp(own)) outcomes.set(key, found)
      missing = missing.filter((key) => !outcomes.has(key))
      if (missing.length > 0) yield* Effect.sleep(POLL_EVERY)
    }
    return outcomes
  })
})
