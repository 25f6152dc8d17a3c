// Problems in CoinGecko's shapes: `{ "error": … }` for what a caller may correct, `{ "status": { "error_code",
// "error_message" } }` for keys, quotas and failures. Headers stay as they are.
import { Schema } from "effect"
import { HttpBody, type HttpServerResponse } from "effect/http"
import { ParameterError } from "../../api/Problems.ts"
import { PROBLEM } from "../response/ProblemBody.ts"
import * as RawResponse from "../response/RawResponse.ts"

const Problem = Schema.fromJsonString(
  Schema.Struct({
    code: Schema.String,
    detail: Schema.String,
    errors: Schema.optionalKey(Schema.Array(ParameterError))
  })
)

const read = Schema.decodeSync(Problem)

/** How the rule of a missing parameter begins. */
const MISSING = "is required"

/** The status and the body. */
const translation = (status: number, { code, detail, errors = [] }: typeof Problem.Type): readonly [number, object] => {
  if (code === "unknown_coin") return [status, { error: "coin not found" }]
  if (code === "not_found") return [status, { error: "Incorrect path. Please check /compat/coingecko/openapi.json" }]
  if (code === "invalid_parameter") {
    const [missing] = errors
    return missing !== undefined && errors.every((error) => error.detail.startsWith(MISSING))
      ? [422, { error: `Missing parameter ${missing.parameter}` }]
      : [status, { error: errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ") }]
  }
  if (status !== 401 && status !== 429 && status < 500) return [status, { error: detail }]
  // The key came in one of three headers.
  const error_message = detail.replace("key in x-api-key", "key")
  return [status, { status: { error_code: status, error_message } }]
}

export const translated = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Uint8Array" || response.body.contentType !== PROBLEM) return response
  const text = response.body.text ?? new TextDecoder().decode(response.body.body)
  const [status, body] = translation(response.status, read(text))
  const json = HttpBody.text(JSON.stringify(body), "application/json")
  const { link: _link, ...headers } = response.headers
  return RawResponse.make(
    status,
    { ...headers, "content-type": "application/json", "content-length": String(json.contentLength) },
    json
  )
}
