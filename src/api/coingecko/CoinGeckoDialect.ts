// Problems in CoinGecko's shapes: `{ "error": … }` for what a caller may correct, `{ "status": { "error_code",
// "error_message" } }` for keys, quotas and failures; and the headers in which its programs send a key.
import type { Dialect, Problem } from "../Dialect.ts"
import { ruleOf, schemaOf, unknownCurrency } from "./Parameters.ts"

/** Where the endpoints are. Programs take this as their base address. */
export const COINGECKO_BASE = "/compat/coingecko/api/v3"

/** How the rule of a missing parameter begins. */
const MISSING = "is required"

/** What CoinGecko says of a currency that it does not know. */
const UNKNOWN_CURRENCY = { error: "invalid vs_currency" }

const isUnknownCurrency = ({ detail, parameter }: NonNullable<Problem["errors"]>[number]): boolean =>
  (parameter === "vs_currency" || parameter === "vs_currencies") && detail === unknownCurrency(parameter).detail

const write = ({ code, detail, errors = [], status }: Problem): readonly [number, object] => {
  if (code === "unknown_coin") return [status, { error: "coin not found" }]
  if (code === "not_found") return [status, { error: "Incorrect path. Please check /compat/coingecko/openapi.json" }]
  if (code === "invalid_parameter") {
    const [missing] = errors
    if (errors.length > 0 && errors.every(isUnknownCurrency)) return [status, UNKNOWN_CURRENCY]
    return missing !== undefined && errors.every((error) => error.detail.startsWith(MISSING))
      ? [422, { error: `Missing parameter ${missing.parameter}` }]
      : [status, { error: errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ") }]
  }
  if (status !== 401 && status !== 429 && status < 500) return [status, { error: detail }]
  // The key came in one of three headers.
  const error_message = detail.replace("key in x-api-key", "key")
  return [status, { status: { error_code: status, error_message } }]
}

export const coinGecko: Dialect = {
  base: COINGECKO_BASE,
  keyHeaders: ["x-cg-pro-api-key", "x-cg-demo-api-key"],
  contentType: "application/json",
  write,
  ruleOf,
  schemaOf,
  hasLinks: false
}
