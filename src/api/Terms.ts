// The terms and rules of the API in words, once for the OpenAPI document, its page and the text for language models.

export const disclaimer =
  "The data is provided as is, for information only; it is not financial advice. Please credit the service where you show its data."

export const summary =
  "Crypto prices and market data, P2P rates of the Nigerian naira and other currencies, and conversion between any coin and fiat, each answer stamped " +
  "with its source and the time of its data."

/** What the parameter `basis` does. */
export const basis =
  "`basis` chooses the rate of a fiat. `mid`, the default, uses the P2P mid of the naira, of other fiats whose street rate differs from the " +
  "official one, and of those without an official rate, if their market is followed here. Between a coin and another fiat it uses the " +
  "fiat's rate on the exchanges, else the official rate; between two fiats the official rate. " +
  "`p2p` uses the mid of every market that is followed. `customer` uses the side that a person gets: `sell` into the fiat, `buy` out of it. " +
  "`official` uses the official rate of every fiat, without USDT in between."

export const reading = [
  "Every answer is `{ data, meta }`. `meta.source` names the sources, `meta.updated` is the time of the data by the source's " +
    "clock, not the time of the request.",
  "Money is in USD unless a field says otherwise, changes are in percent (2.5 is 2.5 %), and unknown figures are `null`, never 0. " +
    "Numbers are plain decimals without exponents. Times are RFC 3339 in UTC, days `YYYY-MM-DD`.",
  "Coins are named by their id in CoinGecko's registry, such as `bitcoin`. The service never guesses from a ticker: an unknown id " +
    "returns an error with suggestions. Fiats are named by their ISO 4217 code.",
  "Guards reject an answer that you must not act on. `max_age` (seconds) rejects older data with a 503. `expect` with `tolerance` " +
    "(percent, 1 by default) rejects a price or rate that is further away with a 409. Use them before you pay.",
  basis,
  "New members may appear within `/v1`: ignore those you do not know. Removals are announced at least 180 days ahead in the " +
    "`Deprecation` and `Sunset` headers."
]

const plans = "by default 600 a minute on the developer plan and 3,000 on the business plan. There is no sign-up."

/** How requests are counted where callers without a key are served. */
export const counting =
  "Without a key, requests are counted by address (IPv6 by /64): 60 a minute, unless the operator has set another limit. With a key in " +
  `the header \`x-api-key\`, or as \`Authorization: Bearer\`, they are counted by key: ${plans}`

/** The same where they are not (the setting `ANONYMOUS=off`). */
export const countingByKey =
  "Every request for data needs an API key, in the header `x-api-key` or as `Authorization: Bearer`; without one it is a 401. Requests are " +
  `counted by key: ${plans}`

export const limits = [
  counting,
  "A window is 60 seconds from a caller's first request. Every response has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and " +
    "`X-RateLimit-Reset`. A 429 has the seconds until the next window in `Retry-After`; requests before that do not extend " +
    "the window.",
  "Answers have an `ETag`: a request with `If-None-Match` gets a 304 without a body while nothing changed. `Cache-Control` " +
    "says how long you may reuse an answer. HEAD works wherever GET does and counts the same."
]

export const failures = [
  "Errors are problem documents (RFC 9457), `application/problem+json`, whose `type` is a page of this server. `code` is for " +
    "programs, `detail` for people. `instance` is the request's id; the operator's log has the cause under the same id."
]

/** Where API keys come from. `contact` is the operator's, as text or as markup. */
export const keySource = (contact: string | null): string =>
  `API keys come from the operator of this service${contact === null ? "" : ` (${contact})`}.`

/** All of it as Markdown, and what this server has beside the endpoints. */
export const description = [
  summary,
  "## Reading answers",
  ...reading,
  "## Limits and keys",
  ...limits,
  keySource(null),
  "## Errors",
  `${failures.join(" ")} [All error types](/problems).`,
  "## Terms",
  disclaimer,
  "[`/v1/sources`](/v1/sources) lists the terms of each source.",
  "## Beside /v1",
  "`/healthz` (the process answers) and `/readyz` (every data set is fresh enough) are for monitors, in " +
    "`application/health+json`; `/metrics` is Prometheus text. [`/llms.txt`](/llms.txt) describes the API to language models, and " +
    "agents find its endpoints as MCP tools at `/mcp`.",
  "Programs made for other services get the same figures in their formats: [CoinGecko](/compat/coingecko/openapi.json), " +
    "[Yadio](/compat/yadio.io/openapi.json), [BTCPay Server](/compat/btcpay/openapi.json), " +
    "[Frankfurter](/compat/frankfurter/openapi.json) and [Bisq](/compat/bisq/openapi.json)."
].join("\n\n")
