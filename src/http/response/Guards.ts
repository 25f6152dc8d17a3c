// Guards of an answer: `max_age`, and `expect` with `tolerance`. A guard looks at a finished answer and refuses to send it.
// It is never part of what is kept: the answer is made and kept under the key without the guards.
import { BigDecimal, DateTime, Option, Schema } from "effect"
import { rateGuards } from "../../api/Parameters.ts"
import { jsonFigure, RawJson } from "../../domain/JsonNumber.ts"
import { derived, plainDecimal } from "../../domain/Decimal.ts"
import { rememberOf } from "../../domain/rememberEach.ts"
import type { Asked } from "../target/Asked.ts"
import type { Answer } from "./Answer.ts"
import type { Refusal } from "./Problem.ts"

/** `Retry-After` in seconds where it is not known when newer data comes. */
const RETRY_AFTER = 60

const Sent = Schema.Struct(rateGuards)

export type Guards = typeof Sent.Type

const decodeSent = Schema.decodeUnknownOption(Sent)

/** The guards that were sent; none where they are malformed: the endpoint refuses those. */
export const decode = ({ guards }: Asked): Guards | undefined =>
  guards === undefined ? unguarded : Option.getOrUndefined(decodeSent(guards))

/** What a request without guards has. */
export const unguarded: Guards = Schema.decodeSync(Sent)({})

/** The refusal, or until when caches elsewhere may hand the answer out. Times in epoch milliseconds. */
export const check = ({ expect, max_age, tolerance }: Guards, answer: Answer, now: number): Refusal | number => {
  if (max_age === undefined && expect === undefined) return Infinity
  const { rate, updated } = figuresOf(answer)
  if (max_age !== undefined && now > updated + max_age * 1000) return tooOld(answer, updated, max_age, now)
  if (expect !== undefined && rate !== undefined && !isWithin(rate, expect, tolerance)) {
    return rateMoved(rate, expect, tolerance)
  }
  // Caches between here and the caller must not hand the answer out when it is older than the caller allows, nor when a refresh may
  // have moved the rate.
  const due = answer.dependencies?.due ?? Infinity
  return Math.min(
    max_age === undefined ? Infinity : updated + max_age * 1000,
    expect === undefined ? Infinity : Number.isFinite(due) ? due : now
  )
}

const tooOld = ({ dependencies }: Answer, updated: number, maxAge: number, now: number): Refusal => {
  const due = dependencies?.due ?? Infinity
  const retryAfter = Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : RETRY_AFTER
  const time = DateTime.formatIso(DateTime.makeUnsafe(updated))
  return {
    code: "too_old",
    detail:
      `The data was observed at ${time}, ${Math.ceil((now - updated) / 1000)} s ago; max_age allows ${maxAge} s. ` +
      `Ask again in ${retryAfter} s.`,
    headers: { "retry-after": String(retryAfter) },
    members: { updated: time }
  }
}

const HUNDRED = BigDecimal.fromBigInt(100n)

/** Exactly at the tolerance is within it; the comparison is of the decimals as they are written. */
const isWithin = (rate: BigDecimal.BigDecimal, expected: BigDecimal.BigDecimal, tolerance: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.multiply(BigDecimal.abs(BigDecimal.subtract(rate, expected)), HUNDRED),
    BigDecimal.multiply(expected, tolerance)
  )

const rateMoved = (
  rate: BigDecimal.BigDecimal,
  expected: BigDecimal.BigDecimal,
  tolerance: BigDecimal.BigDecimal
): Refusal => {
  const [is, was, allowed] = [plainDecimal(rate), plainDecimal(expected), plainDecimal(tolerance)]
  const deviation = derived((Number(is) / Number(was) - 1) * 100)
  return {
    code: "rate_moved",
    detail: `The rate is ${is}, further than ${allowed} % from the expected ${was}.`,
    members: { rate: RawJson.rawJSON(is), expected: RawJson.rawJSON(was), deviation: jsonFigure(deviation) }
  }
}

const Body = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Struct({ price: Schema.optionalKey(Schema.Unknown), rate: Schema.optionalKey(Schema.Unknown) }),
    meta: Schema.Struct({ updated: Schema.DateTimeUtcFromString })
  })
)
const decodeBody = Schema.decodeUnknownSync(Body)

/** The time of the data, epoch milliseconds, and the price or rate. Only a body in JSON gives the latter. */
const figuresOf = rememberOf(({ own, text }: Answer) => {
  const stamp = own["x-updated"]
  if (stamp !== undefined) return { updated: Date.parse(stamp), rate: undefined }
  const { data, meta } = decodeBody(text)
  const rate = data.price ?? data.rate
  return {
    updated: meta.updated.epochMilliseconds,
    rate: typeof rate === "number" ? BigDecimal.fromNumberUnsafe(rate) : undefined
  }
})
