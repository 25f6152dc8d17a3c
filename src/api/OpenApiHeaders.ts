// The headers of responses in the OpenAPI document. The gate sets them for every endpoint.

interface Header {
  readonly description: string
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

const header = (description: string, schema: Header["schema"]): Header => ({ description, required: true, schema })

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/** Every header by name. */
export const headers: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": header("Requests in a window of 60 seconds", { ...count, minimum: 1 }),
  "X-RateLimit-Remaining": header("Requests left in this window", count),
  "X-RateLimit-Reset": header("When the window ends, in seconds since 1970, UTC", count),
  "X-Request-Id": header("The request's id; a problem repeats it in `instance`", text),
  "Cache-Control": header(
    "How long the response may be reused: until the data's next refresh; `private` with a key, `no-store` on errors",
    text
  ),
  Vary: header("Request headers that the response depends on", text),
  ETag: header("Of the data and its stamp; send it back in `If-None-Match`", { ...text, pattern: '^W/"' }),
  Link: {
    ...header("URLs of the pages around this one (RFC 8288): `first`, `prev`, `next`; not with `ids`", text),
    required: false
  },
  "Retry-After": header("Seconds after which to ask again", { ...count, minimum: 1 }),
  "WWW-Authenticate": header("How a key is sent", text),
  Allow: header("The methods of the path", text)
}

const everywhere = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "Cache-Control",
  "Vary"
]

const byStatus: Readonly<Record<string, ReadonlyArray<string>>> = {
  "200": ["ETag"],
  "304": ["ETag"],
  "401": ["WWW-Authenticate"],
  "405": ["Allow"],
  "429": ["Retry-After"],
  "503": ["Retry-After"]
}

/** The headers of a response with this status, and an operation's own. */
export const headersOf = (status: string, more: ReadonlyArray<string> = []) =>
  Object.fromEntries(
    [...everywhere, ...(byStatus[status] ?? []), ...more].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` }
    ])
  )
