// Every error body: RFC 9457 problem documents, whose `type` this server answers at `/problems/{code}`. The server adds
// the request's id as `instance`.
import { ErrorReporter, Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { when } from "./Envelope.ts"
import { CONFIDENCES } from "../domain/P2pRate.ts"
import { jsonNumber } from "../domain/JsonNumber.ts"

/** A problem for its page: what it means, and what to do about it. */
export interface Explanation {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly remedy: string
}

/** Every problem of the service by code. No endpoint declares some of them. */
export const explanations = {
  invalid_parameter: {
    status: 400,
    title: "Invalid parameter",
    text: "A parameter is missing, repeated or not allowed. Nothing is corrected silently: a value out of range is rejected, not cut to fit.",
    remedy:
      "`errors` names each parameter and says what is allowed. Send a key in the header `x-api-key`, never in the URL."
  },
  invalid_api_key: {
    status: 401,
    title: "Invalid API key",
    text: "The key in the header `x-api-key` is mistyped, unknown, revoked or expired; `detail` says which. The request is not answered as if it had no key, and it counts against the client's address.",
    remedy:
      "Send the key as you received it, ask the operator for a new one, or leave the header out to be counted by address."
  },
  unknown_coin: {
    status: 404,
    title: "Unknown coin",
    text: "Coins are named by their id in CoinGecko's registry, such as `bitcoin`. The service does not guess from tickers, because many coins share one.",
    remedy: "Use one of `suggestions` if it is the coin you mean, or look for the id with `/v1/search`."
  },
  unknown_asset: {
    status: 404,
    title: "Unknown coin or fiat",
    text:
      "`from` and `to` take a coin's id (`bitcoin`) or a fiat's code (`NGN`). If a fiat and a coin have the same name, the fiat wins. " +
      "`/v1/p2p/{fiat}` takes the code of a fiat whose P2P market this service follows.",
    remedy:
      "`errors` names the parameter. Use one of `suggestions` if it is what you mean. Write `coin:x` or `fiat:x` to choose between a coin and a fiat."
  },
  no_price: {
    status: 404,
    title: "No price",
    text: "The coin or currency exists, but none of the sources has a price for it.",
    remedy: "Use another asset. A retry does not help until a source quotes a price."
  },
  no_data: {
    status: 404,
    title: "No data",
    text: "Nothing was observed in the 7 days before the time in `at`.",
    remedy:
      "`coverage` has the first and the last recorded day; both are null if nothing is recorded. `basis=customer` needs the buy and " +
      "the sell of a market, but for days before this service's own record only the middle is known."
  },
  not_found: {
    status: 404,
    title: "Not found",
    text: "No such path. Paths are lower case and have no doubled slashes.",
    remedy: "The paths that exist are in `/docs` for people and in `/openapi.json` for programs."
  },
  rate_moved: {
    status: 409,
    title: "Rate moved",
    text: "The price or rate differs from `expect` by more than `tolerance` (default 1 %). The response contains no payable amount.",
    remedy:
      "`rate` is the present rate, `deviation` its distance from `expected` in percent. Agree on the new rate with the payer, then ask again with it as `expect`."
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    text: "The header `Allow` lists the methods of this path. All data is read-only; only `/mcp`, where agents send their messages, accepts POST.",
    remedy: "Use GET, with parameters in the URL instead of a body."
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    text: "You have used up the quota of the current window: by default 60 requests a minute by address, 600 or 3,000 with a key. `X-RateLimit-Limit` has your limit. Further requests do not extend the window.",
    remedy:
      "Wait for the seconds that `Retry-After` gives. Cache responses for as long as `Cache-Control` allows, or ask the operator for a key."
  },
  malformed_request: {
    status: 400,
    title: "Malformed HTTP request",
    text: "The request could not be read as HTTP/1.1. The connection is closed.",
    remedy:
      "Look for a proxy that speaks another protocol, TLS on a port without it, or characters in the URL that are not encoded."
  },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    text: "The request did not arrive completely in time. The connection is closed.",
    remedy: "Send it again. Requests need no body."
  },
  headers_too_large: {
    status: 431,
    title: "Request headers too large",
    text: "The request line and headers together may have 64 KiB.",
    remedy: "Send fewer headers. The service uses no cookies."
  },
  internal: {
    status: 500,
    title: "Internal error",
    text: "An error of this service. The cause is in the operator's log, never in a response.",
    remedy: "Ask again. If the error persists, give the operator the `instance`, under which the log has the cause."
  },
  source_unavailable: {
    status: 503,
    title: "Data unavailable",
    text: "The sources do not answer and the last data is too old to serve, or this server records no history (`HISTORY=off`). A key that cannot be checked now has the same code.",
    remedy: "Ask again after the seconds that `Retry-After` gives. `/v1/sources` has the state of each source."
  },
  too_uncertain: {
    status: 503,
    title: "Confidence below min_confidence",
    text:
      "Too few venues or exchanges have a rate, or they disagree, so `confidence` is below `min_confidence`. The official rate of a currency " +
      "that trades at a different street rate counts as `low`.",
    remedy:
      "Ask again after the seconds that `Retry-After` gives, or allow a lower confidence. Without that header waiting does not help. `venues` of the market, or `quotes` of `/v1/coins/{id}`, shows what the rate is computed from."
  },
  too_thin: {
    status: 503,
    title: "Too few advertisements for the amount",
    text: "The current advertisements of the P2P market cannot fill the amount. `available` is what they can fill, in units of `fiat`.",
    remedy:
      "Pay in parts of at most `available`, one after the other, or ask again after the seconds that `Retry-After` gives. " +
      "`basis=mid` and `/v1/price` return a rate, but no advertisement offers the amount at that rate."
  },
  too_old: {
    status: 503,
    title: "Data older than max_age",
    text: "The newest data is older than `max_age` allows. `updated` is its time, by the source's clock.",
    remedy:
      "Ask again after the seconds that `Retry-After` gives, when newer data is expected, or send a larger `max_age`. Without that header " +
      "waiting does not help. Banks publish rates once a day and not at weekends."
  }
} as const satisfies Readonly<Record<string, Explanation>>

export type ProblemCode = keyof typeof explanations

/** The class of a problem: what its code declares, the code, and members of its own. */
const problem =
  <Self>() =>
  <const Tag extends string, const Code extends ProblemCode, const Fields extends Schema.Struct.Fields>(
    tag: Tag,
    code: Code,
    fields: Fields
  ) => {
    const { status, title } = explanations[code]
    const declared = { type: `/problems/${code}` as const, status, title }
    return HttpApiError.Problem<Self>()(tag, declared, { code: Schema.tag(code), ...fields })
  }

/** A coin that the caller may have meant. */
export const Suggestion = Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }).annotate({
  identifier: "Suggestion"
})

/** A parameter, and what is allowed for it. */
export const ParameterError = Schema.Struct({ parameter: Schema.String, detail: Schema.String }).annotate({
  identifier: "ParameterError"
})

/** 400: `errors` names each parameter that is malformed or out of range, and says what is allowed. */
export class InvalidParameter extends problem<InvalidParameter>()("InvalidParameter", "invalid_parameter", {
  errors: Schema.Array(ParameterError)
}) {}

/** 401: the key in `x-api-key` is mistyped, unknown, revoked or expired. */
export class InvalidApiKey extends problem<InvalidApiKey>()("InvalidApiKey", "invalid_api_key", {}) {}

/** 404: no coin has this id. At most five suggestions. */
export class UnknownCoin extends problem<UnknownCoin>()("UnknownCoin", "unknown_coin", {
  suggestions: Schema.Array(Suggestion)
}) {}

/** 404: the parameter in `errors` is neither a coin nor a fiat. At most five suggestions. */
export class UnknownAsset extends problem<UnknownAsset>()("UnknownAsset", "unknown_asset", {
  errors: Schema.Array(ParameterError),
  suggestions: Schema.Array(Suggestion)
}) {}

/** 404: the coin or currency exists, but no source has a price for it. */
export class NoPrice extends problem<NoPrice>()("NoPrice", "no_price", {}) {}

/** 409: the price or rate is further from `expect` than `tolerance` allows. `deviation` in percent, signed. */
export class RateMoved extends problem<RateMoved>()("RateMoved", "rate_moved", {
  rate: jsonNumber("The price or rate now"),
  expected: jsonNumber("`expect` as it was sent"),
  deviation: jsonNumber("(rate - expected) / expected × 100, percent")
}) {}

/** 503: the data was observed longer ago than `max_age` allows, at `updated`. `Retry-After` has whole seconds, unless waiting does not help. */
export class TooOld extends problem<TooOld>()("TooOld", "too_old", {
  updated: when("When the data was observed, by the source's clock")
}) {
  override readonly [ErrorReporter.ignore] = true
}

/** 503: the confidence of a price or a P2P rate is below `min_confidence`. `Retry-After` has whole seconds, unless waiting does not help. */
export class TooUncertain extends problem<TooUncertain>()("TooUncertain", "too_uncertain", {
  confidence: Schema.NullOr(Schema.Literals(CONFIDENCES)).annotate({
    description: "The confidence of the rate; null if it is unknown"
  })
}) {
  override readonly [ErrorReporter.ignore] = true
}

/** 404: nothing was observed near the time that `at` names. `coverage`: the first and last recorded day. */
export class NoData extends problem<NoData>()("NoData", "no_data", {
  coverage: Schema.Struct({ from: Schema.NullOr(Schema.String), to: Schema.NullOr(Schema.String) })
}) {}

/** 404: no such path. */
export class NotFound extends problem<NotFound>()("NotFound", "not_found", {}) {}

/** 405: the path does not accept this method. */
export class MethodNotAllowed extends problem<MethodNotAllowed>()("MethodNotAllowed", "method_not_allowed", {}) {}

/** 429: the quota of the window is used up. `Retry-After` has the whole seconds until it ends. */
export class RateLimited extends problem<RateLimited>()("RateLimited", "rate_limited", {}) {}

/** 500: a defect of the server, which logs the cause. */
export class Internal extends problem<Internal>()("Internal", "internal", {}) {}

/** 503: no data that is fresh enough. `Retry-After` has the whole seconds after which to ask again, unless that does not help. */
export class SourceUnavailable extends problem<SourceUnavailable>()("SourceUnavailable", "source_unavailable", {}) {
  /** The sources log it where they fail; only defects are reported as failed requests. */
  override readonly [ErrorReporter.ignore] = true
  /** `Retry-After`, whole seconds. */
  readonly retryAfter: number | undefined = 1

  static readonly after = (retryAfter: number | undefined, detail: string): SourceUnavailable =>
    Object.assign(new SourceUnavailable({ detail }), { retryAfter })
}

/** 503: the ads of a P2P market cannot fill the amount. `available`: units of its fiat that they can. */
export class TooThin extends problem<TooThin>()("TooThin", "too_thin", {
  fiat: Schema.String.annotate({ description: "The code of the market's fiat" }),
  available: jsonNumber("Units of the fiat that the advertisements can fill")
}) {
  override readonly [ErrorReporter.ignore] = true
  /** `Retry-After`, whole seconds. */
  readonly retryAfter: number = 60
}

/** What handlers fail with, by code. The others are decided before or after a handler runs. */
export const failedWith = {
  invalid_parameter: InvalidParameter,
  unknown_coin: UnknownCoin,
  unknown_asset: UnknownAsset,
  no_price: NoPrice,
  no_data: NoData,
  source_unavailable: SourceUnavailable,
  too_thin: TooThin,
  not_found: NotFound
} as const

/** The class of each code that endpoints declare. Of those that no handler fails with, only clients make instances. */
export type ProblemClasses = typeof failedWith & {
  readonly invalid_api_key: typeof InvalidApiKey
  readonly rate_moved: typeof RateMoved
  readonly too_old: typeof TooOld
  readonly too_uncertain: typeof TooUncertain
  readonly method_not_allowed: typeof MethodNotAllowed
  readonly rate_limited: typeof RateLimited
  readonly internal: typeof Internal
}

export type Failure = InstanceType<(typeof failedWith)[keyof typeof failedWith]>
