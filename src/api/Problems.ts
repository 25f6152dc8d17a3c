// Every error body: RFC 9457 problems, each with a type that this server answers at `/problems/{code}`. The request id becomes
// `instance` on the way out, in one place for declared and undeclared problems alike.
import { ErrorReporter, Schema } from "effect"
import { HttpApiError } from "effect/http-api"

/** The page that explains a problem. */
const page = <const Code extends string>(code: Code): `/problems/${Code}` => `/problems/${code}`

/** A coin that may have been meant. */
export const Suggestion = Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }).annotate({
  identifier: "Suggestion"
})

/** What is wrong with one parameter, and what is allowed. */
export const ParameterError = Schema.Struct({ parameter: Schema.String, detail: Schema.String }).annotate({
  identifier: "ParameterError"
})

/** 400: a parameter is malformed or out of range; `errors` names each and says what is allowed. */
export class InvalidParameter extends HttpApiError.Problem<InvalidParameter>()(
  "InvalidParameter",
  { type: page("invalid_parameter"), status: 400, title: "A parameter is not valid" },
  { code: Schema.tag("invalid_parameter"), errors: Schema.Array(ParameterError) }
) {}

/** 401: the key in `x-api-key` is mistyped, unknown, revoked or expired. */
export class InvalidApiKey extends HttpApiError.Problem<InvalidApiKey>()(
  "InvalidApiKey",
  { type: page("invalid_api_key"), status: 401, title: "This API key is not valid" },
  { code: Schema.tag("invalid_api_key") }
) {}

/** 404: no coin has this identifier; `suggestions` may hold the one that was meant. */
export class UnknownCoin extends HttpApiError.Problem<UnknownCoin>()(
  "UnknownCoin",
  { type: page("unknown_coin"), status: 404, title: "No such coin" },
  { code: Schema.tag("unknown_coin"), suggestions: Schema.Array(Suggestion) }
) {}

/** 404: one end of a conversion is neither a coin nor a fiat; `suggestions` may hold what was meant. */
export class UnknownAsset extends HttpApiError.Problem<UnknownAsset>()(
  "UnknownAsset",
  { type: page("unknown_asset"), status: 404, title: "No such coin or fiat" },
  { code: Schema.tag("unknown_asset"), suggestions: Schema.Array(Suggestion) }
) {}

/** 404: the coin or currency exists, and no source has a price for it. */
export class NoPrice extends HttpApiError.Problem<NoPrice>()(
  "NoPrice",
  { type: page("no_price"), status: 404, title: "Nobody quotes a price" },
  { code: Schema.tag("no_price") }
) {}

/** 404: no such path. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  { type: page("not_found"), status: 404, title: "No such path" },
  { code: Schema.tag("not_found") }
) {}

/** 405: the path exists, and does not take this method. */
export class MethodNotAllowed extends HttpApiError.Problem<MethodNotAllowed>()(
  "MethodNotAllowed",
  { type: page("method_not_allowed"), status: 405, title: "Not with this method" },
  { code: Schema.tag("method_not_allowed") }
) {}

/** 429: the quota of the window is used up; `Retry-After` says in how many seconds it ends. */
export class RateLimited extends HttpApiError.Problem<RateLimited>()(
  "RateLimited",
  { type: page("rate_limited"), status: 429, title: "Too many requests" },
  { code: Schema.tag("rate_limited") }
) {}

/** 500: an error on the server's side; the cause is in its log. */
export class Internal extends HttpApiError.Problem<Internal>()(
  "Internal",
  { type: page("internal"), status: 500, title: "An error on our side" },
  { code: Schema.tag("internal") }
) {}

/** 503: nothing fresh enough is held; `Retry-After` says in how many seconds to ask again. */
export class SourceUnavailable extends HttpApiError.Problem<SourceUnavailable>()(
  "SourceUnavailable",
  { type: page("source_unavailable"), status: 503, title: "Nothing fresh enough is held" },
  { code: Schema.tag("source_unavailable") }
) {
  /** Expected, and logged where the sources fail; only defects are reported as failed requests. */
  override readonly [ErrorReporter.ignore] = true
}

/** A problem explained: what it means, and what to do about it. */
export interface Explanation {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly remedy: string
}

/** Every problem that the service can answer with, by code. The pages at `/problems/{code}` are made of these. */
export const explanations: Readonly<Record<string, Explanation>> = {
  invalid_parameter: {
    status: 400,
    title: "A parameter is not valid",
    text: "A parameter is missing, given twice, or not what it may be. Nothing is corrected silently: a value out of range is refused, never cut to fit.",
    remedy:
      "`errors` names each parameter and says what is allowed. A key goes into the header `x-api-key`, never into the address."
  },
  invalid_api_key: {
    status: 401,
    title: "This API key is not valid",
    text: "The key in the header `x-api-key` is mistyped, unknown, revoked or expired; `detail` says which. It is never answered as if there were none. Such requests count against the address they come from.",
    remedy:
      "Send the key as it was given to you, ask the operator for a new one, or leave the header out to be counted by address."
  },
  unknown_coin: {
    status: 404,
    title: "No such coin",
    text: "Coins go by their identifier in CoinGecko's registry, such as `bitcoin`. Tickers are not guessed, because many coins share one.",
    remedy: "Use one of `suggestions` if it is what was meant, or look for the identifier in `/v1/coins`."
  },
  unknown_asset: {
    status: 404,
    title: "No such coin or fiat",
    text: "`from` and `to` take a coin's identifier (`bitcoin`) or a fiat's code (`NGN`). Where both are spelled alike, the fiat is meant.",
    remedy: "Use one of `suggestions` if it is what was meant. `coin:x` and `fiat:x` say which of the two `x` is."
  },
  no_price: {
    status: 404,
    title: "Nobody quotes a price",
    text: "The coin or currency exists, but none of the sources has a price for it. None is made up.",
    remedy: "There is nothing to convert or to show until somebody trades it; asking again soon does not help."
  },
  not_found: {
    status: 404,
    title: "No such path",
    text: "Nothing is served at this address. Paths are lower case and have no doubled slashes.",
    remedy: "The paths that exist are in `/docs` for people and in `/openapi.json` for programs."
  },
  method_not_allowed: {
    status: 405,
    title: "Not with this method",
    text: "The header `Allow` says what this path takes. All data is read-only; only `/mcp`, where agents send their messages, takes POST.",
    remedy: "Use GET, and put parameters into the address instead of a body."
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    text: "The quota of the current window is used up: 60 requests a minute by address, 600 or 3,000 with a key. Asking before the window ends does not extend it.",
    remedy:
      "Wait for as many seconds as `Retry-After` says. Keep answers for as long as `Cache-Control` allows, or ask the operator for a key."
  },
  malformed_request: {
    status: 400,
    title: "This is not an HTTP request",
    text: "What arrived could not be read as HTTP/1.1, and the connection is closed.",
    remedy:
      "Look at what is between you and this server: a proxy that speaks another protocol, TLS sent to a port without it, or characters in the address that were not encoded."
  },
  request_timeout: {
    status: 408,
    title: "The request took too long to arrive",
    text: "The request was not complete in time, and the connection is closed.",
    remedy: "Send it again, whole. Requests here have no body."
  },
  headers_too_large: {
    status: 431,
    title: "The request's headers are too large",
    text: "The request line and headers together may have 16 KiB.",
    remedy: "Send fewer headers: no cookies are read here."
  },
  internal: {
    status: 500,
    title: "An error on our side",
    text: "Something went wrong that should not. The cause is in the operator's log, never in an answer.",
    remedy: "Ask again; if it stays, give the operator the `instance`, under which the log has the cause."
  },
  source_unavailable: {
    status: 503,
    title: "Nothing fresh enough is held",
    text: "The sources that could answer do not, and what is held from them is too old to pass on as current. The same is said when a key cannot be checked.",
    remedy: "Ask again after as many seconds as `Retry-After` says. `/v1/sources` tells how each source is doing."
  }
}
