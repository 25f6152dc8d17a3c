// The headers of responses, as the OpenAPI document describes them. The gate writes them, whatever the endpoint.

/** A header whose name is written as documents write it. */
interface Header {
  readonly description: string
  readonly required: true
  readonly schema: Readonly<Record<string, unknown>>
}

const header = (description: string, schema: Header["schema"]): Header => ({ description, required: true, schema })

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/** Every header, by the name that responses refer to it by. */
export const headers: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": header("Requests that the caller may make in a window of 60 seconds", { ...count, minimum: 1 }),
  "X-RateLimit-Remaining": header("Requests that are left in this window", count),
  "X-RateLimit-Reset": header("When the window ends, in seconds since 1970, UTC", count),
  "X-Request-Id": header("The request's id; a problem repeats it in `instance`", text),
  "Cache-Control": header(
    "How long the answer may be kept: until the data's next refresh; `private` with a key, `no-store` on errors",
    text
  ),
  Vary: header("What else the answer depends on", text),
  ETag: header("Of the data and its stamp; to be sent back in `If-None-Match`", { ...text, pattern: '^W/"' }),
  Link: header("Addresses of the pages around this one (RFC 8288): `first`, `prev`, `next`", text),
  "Retry-After": header("Seconds after which to ask again", { ...count, minimum: 1 }),
  "WWW-Authenticate": header("How a key is sent", text),
  Allow: header("The methods that the path takes", text)
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

/** The headers of a response with this status, and more where an operation has its own. */
export const headersOf = (status: string, more: ReadonlyArray<string> = []) =>
  Object.fromEntries(
    [...everywhere, ...(byStatus[status] ?? []), ...more].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` }
    ])
  )
