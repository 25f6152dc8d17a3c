// Guards of an answer: `max_age`, and `expect` with `tolerance`. A guard looks at a finished answer and refuses to send it.
// It is never part of what is cached: the answer is computed and cached under the URL without the guards.
import { BigDecimal, Clock, DateTime, Effect, Option, Schema, SchemaAST } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Expected, MaxAge, Tolerance } from "../../api/Parameters.ts"
import { jsonFigure, RawJson } from "../../domain/JsonNumber.ts"
import { derived, plainDecimal } from "../../domain/Decimal.ts"
import { refuse } from "./ProblemBody.ts"
import * as RawResponse from "./RawResponse.ts"
import type { CachedResponse } from "./CachedResponse.ts"

/** The tolerance in percent where none is given. */
const DEFAULT_TOLERANCE = BigDecimal.fromBigInt(1n)

/** `Retry-After` in seconds where it is not known when newer data comes. */
const RETRY_AFTER = 60

const Given = Schema.Struct({
  max_age: Schema.optionalKey(MaxAge),
  expect: Schema.optionalKey(Expected),
  tolerance: Schema.optionalKey(Tolerance)
})

type Given = typeof Given.Type

const decode = Schema.decodeUnknownOption(Given)

export interface Guards {
  /** The URL without the guards. */
  readonly url: string
  /** The answer, or the refusal to send it. Other responses pass. */
  readonly check: (
    response: HttpServerResponse.HttpServerResponse
  ) => ReturnType<typeof refuse> | Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/**
 * The guards of requests to an endpoint with this query. `undefined` for a request without guards, and for one that the
 * endpoint refuses: with guards that are malformed, or with `max_age` of a time in the past.
 */
export const of = (
  query: SchemaAST.AST | undefined
): ((url: string, search: HttpServerRequest.ParsedSearchParams["Service"]) => Guards | undefined) => {
  const known =
    query !== undefined && SchemaAST.isObjects(query) ? query.propertySignatures.map(({ name }) => String(name)) : []
  const own = Object.keys(Given.fields).filter((name) => known.includes(name))
  if (own.length === 0) return () => undefined
  return (url, search) => {
    const sent = own.filter((name) => search[name] !== undefined)
    if (sent.length === 0 || (search["at"] !== undefined && sent.includes("max_age"))) return undefined
    const given = Option.getOrUndefined(decode(Object.fromEntries(sent.map((name) => [name, search[name]]))))
    return given === undefined ? undefined : { url: without(url, sent), check: (response) => check(given, response) }
  }
}

/** The URL without these parameters, whose names may be percent-encoded. */
const without = (url: string, sent: ReadonlyArray<string>): string => {
  const [path = "", query = ""] = url.split("?", 2)
  const rest = query.split("&").filter((pair) => {
    const [name] = new URLSearchParams(pair).keys()
    return name === undefined || !sent.includes(name)
  })
  return rest.length === 0 ? path : `${path}?${rest.join("&")}`
}

const check = (
  { expect, max_age, tolerance = DEFAULT_TOLERANCE }: Given,
  response: HttpServerResponse.HttpServerResponse
) =>
  Effect.gen(function* () {
    const answer = RawResponse.answerOf(response)
    if (answer === undefined) return response
    const { rate, updated } = figuresOf(answer)
    if (max_age !== undefined) {
      const now = yield* Clock.currentTimeMillis
      if (now > updated + max_age * 1000) return yield* tooOld(answer, updated, max_age, now)
    }
    if (expect !== undefined && rate !== undefined && !isWithin(rate, expect, tolerance)) {
      return yield* rateMoved(rate, expect, tolerance)
    }
    // Caches between here and the caller must not hand the answer out when it is older than the caller allows.
    return max_age === undefined ? response : RawResponse.ofAnswer(answer.servedUntil(updated + max_age * 1000))
  })

const tooOld = ({ dependencies }: CachedResponse, updated: number, maxAge: number, now: number) => {
  const { due } = dependencies
  const retryAfter = Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : RETRY_AFTER
  const time = DateTime.formatIso(DateTime.makeUnsafe(updated))
  return refuse({
    code: "too_old",
    detail:
      `The data was observed at ${time}, ${Math.ceil((now - updated) / 1000)} s ago; max_age allows ${maxAge} s. ` +
      `Ask again in ${retryAfter} s.`,
    headers: { "retry-after": String(retryAfter) },
    members: { updated: time }
  })
}

const HUNDRED = BigDecimal.fromBigInt(100n)

/** Exactly at the tolerance is within it; the comparison is of the decimals as they are written. */
const isWithin = (rate: BigDecimal.BigDecimal, expected: BigDecimal.BigDecimal, tolerance: BigDecimal.BigDecimal) =>
  BigDecimal.isLessThanOrEqualTo(
    BigDecimal.multiply(BigDecimal.abs(BigDecimal.subtract(rate, expected)), HUNDRED),
    BigDecimal.multiply(expected, tolerance)
  )

const rateMoved = (rate: BigDecimal.BigDecimal, expected: BigDecimal.BigDecimal, tolerance: BigDecimal.BigDecimal) => {
  const [is, was, allowed] = [plainDecimal(rate), plainDecimal(expected), plainDecimal(tolerance)]
  const deviation = derived((Number(is) / Number(was) - 1) * 100)
  return refuse({
    code: "rate_moved",
    detail: `The rate is ${is}, further than ${allowed} % from the expected ${was}.`,
    members: { rate: RawJson.rawJSON(is), expected: RawJson.rawJSON(was), deviation: jsonFigure(deviation) }
  })
}

const Body = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Struct({ price: Schema.optionalKey(Schema.Unknown), rate: Schema.optionalKey(Schema.Unknown) }),
    meta: Schema.Struct({ updated: Schema.DateTimeUtcFromString })
  })
)
const decodeBody = Schema.decodeUnknownSync(Body)

const known = new WeakMap<CachedResponse, ReturnType<typeof read>>()

/** The figures of an answer, read from it once. */
const figuresOf = (answer: CachedResponse): ReturnType<typeof read> => {
  const figures = known.get(answer) ?? read(answer)
  known.set(answer, figures)
  return figures
}

/** The time of the data, epoch milliseconds, and the price or rate. Only a body in JSON gives the latter. */
const read = ({ representation }: CachedResponse) => {
  const stamp = representation.identity.headers["x-updated"]
  if (stamp !== undefined) return { updated: Date.parse(stamp), rate: undefined }
  const { data, meta } = decodeBody(representation.asText())
  const rate = data.price ?? data.rate
  return {
    updated: meta.updated.epochMilliseconds,
    rate: typeof rate === "number" ? BigDecimal.fromNumberUnsafe(rate) : undefined
  }
}
