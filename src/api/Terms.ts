// What whoever uses the API has to know of all of it, in words: once, for the OpenAPI document, the page of it and the text for
// language models.

/** On what terms the data is given. */
export const disclaimer =
  "The data is provided as is, for information only; it is not financial advice. Please credit the service where you show its data."

/** What this is, in a sentence. */
export const summary =
  "Crypto prices and market data, the Nigerian naira P2P rate and conversion between any coin and fiat, each answer stamped " +
  "with its source and the time of its data."

/** How answers are to be read. */
export const reading = [
  "Every answer is `{ data, meta }`. `meta.source` names who says so, `meta.updated` is when the data was observed, by the " +
    "source's clock and never the time of the request.",
  "Money is in USD unless a field says otherwise, changes are in percent (2.5 is 2.5 %), and what is unknown is `null`, never 0. " +
    "Numbers are plain decimals without exponents. Times are RFC 3339 in UTC, days `YYYY-MM-DD`.",
  "Coins go by their identifier in CoinGecko's registry, such as `bitcoin`. A ticker is never guessed: an unknown one is an " +
    "error with suggestions. A fiat goes by its ISO 4217 code.",
  "Members may be added within `/v1`: ignore those you do not know. What is to go is announced at least 180 days ahead by the " +
    "headers `Deprecation` and `Sunset`."
]

/** Who may ask how often. */
export const limits = [
  "Without a key a caller is counted by address (IPv6 by /64) and may ask 60 times a minute. A key from the operator, in the " +
    "header `x-api-key`, is counted by itself: 600 times a minute on the developer plan, 3,000 on the business plan. There is " +
    "no sign-up.",
  "A window is 60 seconds from a caller's first request. Every response of every kind says in `X-RateLimit-Limit`, " +
    "`X-RateLimit-Remaining` and `X-RateLimit-Reset` where the caller stands; a 429 says in `Retry-After` when to come back, " +
    "and asking before does not extend the window.",
  "Answers carry an `ETag`: a request with `If-None-Match` gets a 304 without a body while nothing changed. `Cache-Control` " +
    "says for how long an answer stays as it is. HEAD works wherever GET does, and costs the same."
]

/** How failures are told. */
export const failures = [
  "Errors are problem documents (RFC 9457), `application/problem+json`, whose `type` this server explains. `code` is for " +
    "programs, `detail` for people, `instance` is the request's id, which the operator can look up."
]

/** All of it, as Markdown. */
export const description = [
  summary,
  disclaimer,
  "## Reading answers",
  ...reading,
  "## Limits and keys",
  ...limits,
  "## Errors",
  ...failures,
  "## Beside `/v1`",
  "`/healthz` (the process answers) and `/readyz` (every question has an answer that is fresh enough) are for those who watch " +
    "over the service, in `application/health+json`; `/metrics` is Prometheus text. `/llms.txt` says all this to language " +
    "models, and agents find the same questions as MCP tools at `/mcp`."
].join("\n\n")
