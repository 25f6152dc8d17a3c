// The guards `max_age`, `min_confidence`, and `expect` with `tolerance`. A guard checks a finished answer and may refuse to send it. The
// cache ignores guards: an answer is cached under the key without them.
import { BigDecimal, DateTime, Schema } from "effect"
import { guards as declared } from "../../api/Parameters.ts"
import { jsonFigure, RawJson } from "../../domain/JsonNumber.ts"
import { derived, percentAbove, plainDecimal } from "../../domain/Decimal.ts"
import { type Confidence, CONFIDENCES } from "../../domain/P2pRate.ts"
import type { Question } from "../request/Question.ts"
import type { CachedResponse } from "./CachedResponse.ts"
import type { Notes } from "./Notes.ts"
import type { ProblemDetails } from "./Problem.ts"

/** `Retry-After` in seconds if the next refresh is unknown. */
const RETRY_AFTER = 60

/** Milliseconds. Rates that are published once a day are stamped with the start of their day. */
const DAY = 86_400_000

const GuardParameters = Schema.Struct(declared)

const defaults = Schema.decodeSync(GuardParameters)({})

const areGuards = Schema.is(GuardParameters)

/** The problem of a failed guard, or the time until which other caches may serve the answer. Times in epoch milliseconds. */
export const check = (sent: Question["guards"], answer: CachedResponse, now: number): ProblemDetails | number => {
  if (sent === undefined) return Infinity
  const guards: unknown = { ...defaults, ...sent }
  if (!areGuards(guards)) throw new Error("The guards were not decoded by their schemas")
  const { expect, max_age, min_confidence, tolerance } = guards
  const { confidence, lasting, rate, updated: time } = answer.notes
  if (time === undefined || (expect !== undefined && rate === undefined)) {
    throw new Error(`The handler of ${answer.route.pattern} did not note what its guards check`)
  }
  const updated = time.epochMilliseconds
  if (max_age !== undefined && now > updated + max_age * 1000) return tooOld(answer, updated, max_age, now)
  if (min_confidence !== undefined && isBelow(confidence, min_confidence)) {
    return tooUncertain(
      confidence,
      min_confidence,
      confidence === null ? "unrecorded" : lasting,
      retryAfterOf(answer, now)
    )
  }
  const served = rate === undefined ? undefined : BigDecimal.fromNumberUnsafe(rate)
  if (expect !== undefined && served !== undefined && !isWithin(served, expect, tolerance)) {
    return rateMoved(served, expect, tolerance)
  }
  // Caches on the way to the caller must not serve the answer once it is older than `max_age`, nor after a refresh that may have
  // changed the rate or its confidence.
  const due = answer.dependencies?.due ?? Infinity
  return Math.min(
    max_age === undefined ? Infinity : updated + max_age * 1000,
    expect === undefined && min_confidence === undefined ? Infinity : Number.isFinite(due) ? due : now
  )
}

/** Seconds until newer data is expected. */
const retryAfterOf = ({ dependencies }: CachedResponse, now: number): number => {
  const due = dependencies?.due ?? Infinity
  return Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : RETRY_AFTER
}

/** An answer of fiat rates alone has no confidence and always passes; an unknown one never does. */
const isBelow = (confidence: Notes["confidence"], least: Confidence): confidence is Confidence | null =>
  confidence === null || (confidence !== undefined && CONFIDENCES.indexOf(confidence) > CONFIDENCES.indexOf(least))

/** When to ask again, if that helps: a sentence, and the header. `why` it does not help, and `instead`, what does. */
const waiting = (retryAfter: number | undefined, why: string, instead: string) =>
  retryAfter === undefined
    ? { advice: `${why}, so waiting does not help. ${instead}`, headers: {} }
    : { advice: `Ask again in ${retryAfter} s.`, headers: { "retry-after": String(retryAfter) } }

/** Why a confidence lasts. */
const reasons = {
  unfollowed: "Only an official rate is followed here, and people pay another one",
  unrecorded: "The confidence of a past price is not recorded",
  past: "What was recorded of a time that is over does not change"
}

const tooUncertain = (
  confidence: Confidence | null,
  least: Confidence,
  lasting: keyof typeof reasons | undefined,
  retryAfter: number
): ProblemDetails => {
  const { advice, headers } = waiting(
    lasting === undefined ? retryAfter : undefined,
    reasons[lasting ?? "past"],
    `Without min_confidence you get the ${lasting === "unfollowed" ? "official rate" : "price"}.`
  )
  return {
    code: "too_uncertain",
    detail: `The confidence of the rate is ${confidence ?? "unknown"}, below the ${least} that min_confidence asks for. ${advice}`,
    headers,
    members: { confidence }
  }
}

const tooOld = (answer: CachedResponse, updated: number, maxAge: number, now: number): ProblemDetails => {
  const isDaily = updated % DAY === 0
  const { advice, headers } = waiting(
    isDaily ? undefined : retryAfterOf(answer, now),
    "The oldest part is a rate that banks publish once a day",
    "A larger max_age accepts it."
  )
  const time = DateTime.formatIso(DateTime.makeUnsafe(updated))
  return {
    code: "too_old",
    detail:
      `The data was observed at ${time}, ${Math.ceil((now - updated) / 1000)} s ago; max_age allows ${maxAge} s. ` +
      advice,
    headers,
    members: { updated: time }
  }
}

const HUNDRED = BigDecimal.fromBigInt(100n)

/** The tolerance is inclusive. Compares exact decimals, not doubles. */
const isWithin = (rate: BigDecimal.BigDecimal, expected: BigDecimal.BigDecimal, tolerance: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.multiply(BigDecimal.abs(BigDecimal.subtract(rate, expected)), HUNDRED),
    BigDecimal.multiply(expected, tolerance)
  )

const rateMoved = (
  rate: BigDecimal.BigDecimal,
  expected: BigDecimal.BigDecimal,
  tolerance: BigDecimal.BigDecimal
): ProblemDetails => {
  const [is, was, allowed] = [plainDecimal(rate), plainDecimal(expected), plainDecimal(tolerance)]
  const deviation = derived(percentAbove(Number(is), Number(was)))
  return {
    code: "rate_moved",
    detail: `The rate is ${is}, further than ${allowed} % from the expected ${was}.`,
    members: { rate: RawJson.rawJSON(is), expected: RawJson.rawJSON(was), deviation: jsonFigure(deviation) }
  }
}
