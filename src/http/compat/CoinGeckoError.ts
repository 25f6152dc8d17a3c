// Problems in CoinGecko's shapes: `{ "error": … }` for what a caller may correct, `{ "status": { "error_code",
// "error_message" } }` for keys, quotas and failures. Headers stay as they are.
import { Schema } from "effect"
import { HttpBody, type HttpServerResponse } from "effect/http"
import { PROBLEM } from "../response/ProblemBody.ts"
import * as RawResponse from "../response/RawResponse.ts"

/** What is read of a problem. */
const Problem = Schema.fromJsonString(
  Schema.Struct({
    code: Schema.String,
    detail: Schema.String,
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ parameter: Schema.String, detail: Schema.String })))
  })
)

const read = Schema.decodeSync(Problem)

/** How the rule of a missing parameter begins. */
const MISSING = "is required"

interface Translated {
  readonly status: number
  readonly body: object
}

const translation = (status: number, { code, detail, errors = [] }: typeof Problem.Type): Translated => {
  if (code === "unknown_coin") return { status, body: { error: "coin not found" } }
  if (code === "not_found") {
    return { status, body: { error: "Incorrect path. Please check /compat/coingecko/openapi.json" } }
  }
  if (code === "invalid_parameter") {
    const [missing] = errors
    return missing === undefined || !errors.every((error) => error.detail.startsWith(MISSING))
      ? { status, body: { error: errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ") } }
      : { status: 422, body: { error: `Missing parameter ${missing.parameter}` } }
  }
  return status === 401 || status === 429 || status >= 500
    ? // The key came in one of three headers.
      { status, body: { status: { error_code: status, error_message: detail.replace("key in x-api-key", "key") } } }
    : { status, body: { error: detail } }
}

/** The response, or the error that stands for a problem. */
export const translated = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array" || response.body.contentType !== PROBLEM) return response
  const text = response.body.text ?? new TextDecoder().decode(response.body.body)
  const { body, status } = translation(response.status, read(text))
  const json = HttpBody.text(JSON.stringify(body), "application/json")
  const { link: _link, ...headers } = response.headers
  return RawResponse.make(
    status,
    { ...headers, "content-type": "application/json", "content-length": String(json.contentLength) },
    json
  )
}
