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

/** What each problem means and what to do about it, by code. The pages at `/problems/{code}` are made of these. */
export const explanations: Readonly<
  Record<string, { readonly status: number; readonly title: string; readonly text: string }>
> = {
  invalid_parameter: {
    status: 400,
    title: "A parameter is not valid",
    text: "`errors` names each parameter and says what is allowed. Nothing is corrected silently: a value out of range is refused, never cut to fit."
  },
  invalid_api_key: {
    status: 401,
    title: "This API key is not valid",
    text: "The key in the header `x-api-key` is mistyped, unknown, revoked or expired. It is never answered as if there were none: leave the header out to be counted by address, or ask the operator for a key."
  },
  unknown_coin: {
    status: 404,
    title: "No such coin",
    text: "Coins go by their identifier in CoinGecko's registry, such as `bitcoin`. Tickers are not guessed, because many coins share one. `suggestions` lists coins that may have been meant."
  },
  unknown_asset: {
    status: 404,
    title: "No such coin or fiat",
    text: "`from` and `to` take a coin's identifier (`bitcoin`) or a fiat's code (`NGN`); `coin:x` and `fiat:x` say which is meant. `suggestions` lists coins that may have been meant."
  },
  no_price: {
    status: 404,
    title: "Nobody quotes a price",
    text: "The coin or currency exists, but none of the sources has a price for it. None is made up."
  },
  not_found: { status: 404, title: "No such path", text: "The paths that exist are listed in /openapi.json." },
  method_not_allowed: {
    status: 405,
    title: "Not with this method",
    text: "`Allow` says which methods the path takes: GET, HEAD and OPTIONS, but for `/mcp`, where agents POST."
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    text: "The quota of the current window is used up: 60 requests a minute by address, 600 or 3,000 with a key. `Retry-After` and `X-RateLimit-Reset` say when the window ends; asking before does not extend it."
  },
  malformed_request: {
    status: 400,
    title: "This is not an HTTP request",
    text: "What arrived could not be read as HTTP/1.1."
  },
  request_timeout: {
    status: 408,
    title: "The request took too long to arrive",
    text: "The request was not complete in time, and the connection is closed."
  },
  headers_too_large: {
    status: 431,
    title: "The request's headers are too large",
    text: "The request line and headers together may have 16 KiB."
  },
  internal: {
    status: 500,
    title: "An error on our side",
    text: "The cause is in the operator's log under the request id in `instance`."
  },
  source_unavailable: {
    status: 503,
    title: "Nothing fresh enough is held",
    text: "The sources that could answer do not, and what is held from them is too old to pass on as current. `Retry-After` says in how many seconds to ask again."
  }
}
