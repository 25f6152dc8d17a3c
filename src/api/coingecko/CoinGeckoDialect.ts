// Problems in CoinGecko's shapes: `{ "error": … }` for what a caller may correct, `{ "status": { "error_code", "error_message" } }` for
// keys, quotas and failures; and the headers of its programs' keys.
import type { Texts } from "../compat/CompatDocument.ts"
import { errorText } from "../compat/plainErrors.ts"
import { type Dialect, jsonDialect, type JsonDialect } from "../Dialect.ts"

/** Where the endpoints are. Programs take this as their base address. */
export const COINGECKO_BASE = "/compat/coingecko/api/v3"

const DOCUMENT = "/compat/coingecko/openapi.json"

/** What CoinGecko says of a currency that it does not know. */
const UNKNOWN_CURRENCY = { error: "invalid vs_currency" }

const NOT_HERE = {
  categories: "Coins have no categories here",
  trending: "What people search for is not known here; /v1/why has the biggest moves of the day",
  movers: "Lists of winners and of new coins are not here; /v1/why has the biggest moves of the day",
  defi: "Figures of DeFi alone are not known here; /global has those of the whole market",
  charts: "Supplies and market caps of the past are not known here; /coins/{id}/market_chart has prices and volumes",
  others: "Exchanges, derivatives, NFTs, treasuries, news and DEX pools are not among what is known here"
}

/** CoinGecko's paths below the base address that this service does not serve. */
const unserved: ReadonlyArray<readonly [path: RegExp, why: string]> = [
  [/^\/coins\/categories(\/list)?$/, NOT_HERE.categories],
  [/^\/search\/trending$/, NOT_HERE.trending],
  [/^\/coins\/(top_gainers_losers|list\/new)$/, NOT_HERE.movers],
  [/^\/global\/decentralized_finance_defi$/, NOT_HERE.defi],
  [/^\/global\/market_cap_chart$|^\/coins\/[^/]+\/(circulating|total)_supply_chart(\/range)?$/, NOT_HERE.charts],
  [
    /^\/(exchanges|derivatives|nfts|companies|entities|public_treasury|news|insights|onchain|token_lists|rwas)(\/|$)/,
    NOT_HERE.others
  ]
]

/** Without an explanation, no currency in these parameters is known. */
const isCurrency = ({ parameter }: { readonly parameter: string }): boolean =>
  parameter === "vs_currency" || parameter === "vs_currencies"

/** Whether a problem is of the key, of the quota or of the service. */
const hasStatus = (status: number): boolean => status === 401 || status === 429 || status >= 500

const write: Dialect["write"] = ({ code, detail, errors = [], status }, base, kind) => {
  if (code === "unknown_coin") return [status, { error: "coin not found" }]
  if (code === "not_found") {
    return [status, { error: kind === "unserved" ? detail : `Incorrect path. Please check ${base}${DOCUMENT}` }]
  }
  if (code === "invalid_parameter") {
    if (kind === "missing") return [422, { error: `Missing parameter ${errors[0]?.parameter}` }]
    if (errors.every(isCurrency) && kind !== "explained") return [status, UNKNOWN_CURRENCY]
    return [status, { error: errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ") }]
  }
  if (!hasStatus(status)) return [status, { error: detail }]
  return [status, { status: { error_code: status, error_message: detail } }]
}

export const coinGecko: JsonDialect = {
  ...jsonDialect(COINGECKO_BASE, write),
  document: DOCUMENT,
  keyHeaders: ["x-cg-pro-api-key", "x-cg-demo-api-key"],
  unserved: (path) =>
    unserved.find(
      ([pattern]) => path.startsWith(COINGECKO_BASE) && pattern.test(path.slice(COINGECKO_BASE.length))
    )?.[1]
}

const status = {
  type: "object",
  properties: { error_code: { type: "integer" }, error_message: { type: "string" } },
  required: ["error_code", "error_message"]
}

export const documentedErrors: Pick<Texts, "errors" | "errorSchemas" | "errorSchemaOf"> = {
  errors: {
    400: "A parameter is not allowed as it is, or not supported here; the text names it",
    404: "No such coin",
    422: "A parameter is missing"
  },
  errorSchemas: { Error: errorText, StatusError: { type: "object", properties: { status }, required: ["status"] } },
  errorSchemaOf: (status) => (hasStatus(status) ? "StatusError" : "Error")
}
