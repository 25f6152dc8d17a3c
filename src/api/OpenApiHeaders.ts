// The headers of responses in the OpenAPI document. The gate sets them for every endpoint.
import { Record } from "effect"
import type { Json } from "./OpenApiSchemas.ts"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

/**
 * A header's description, its schema, and the statuses of the responses that have it (default: all). With an empty
 * list, only operations that name it have it.
 */
type Header = readonly [description: string, schema: Json, statuses?: ReadonlyArray<string>]

const table: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": ["Requests in a window of 60 seconds", { ...count, minimum: 1 }],
  "X-RateLimit-Remaining": ["Requests left in this window", count],
  "X-RateLimit-Reset": ["When the window ends, in seconds since 1970, UTC", count],
  "X-Request-Id": ["The request's id; a problem repeats it in `instance`", text],
  "Cache-Control": [
    "How long the response may be reused: until the data's next refresh; `private` with a key, `no-store` on errors",
    text
  ],
  Vary: ["Request headers that the response depends on", text],
  ETag: ["Of the data and its stamp; send it back in `If-None-Match`", { ...text, pattern: '^W/"' }, ["200", "304"]],
  Link: ["URLs of the pages around this one (RFC 8288): `first`, `prev`, `next`; not with `ids`", text, []],
  "X-Source": ["Public names of the sources, where the body has no room for them", text, []],
  "X-Updated": [
    "When the oldest part was observed, where the body has no room for it",
    { ...text, format: "date-time" },
    []
  ],
  "Retry-After": [
    "Seconds after which to ask again; a 503 lacks it where waiting does not help",
    { ...count, minimum: 1 },
    ["429", "503"]
  ],
  "WWW-Authenticate": ["How a key is sent", text, ["401"]],
  Allow: ["The methods of the path", text, ["405"]]
}

export const headers = Record.map(table, ([description, schema, statuses], name) => ({
  description,
  required: statuses?.length !== 0 && name !== "Retry-After",
  schema
}))

/** Source and time, where the body has no member for them. */
export const STAMP_HEADERS = ["X-Source", "X-Updated"]

/** The headers of a response with this status, and an operation's own. */
export const headersOf = (status: string, own: ReadonlyArray<string> = []) =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([name, [, , statuses]]) => statuses === undefined || statuses.includes(status) || own.includes(name))
      .map(([name]) => [name, { $ref: `#/components/headers/${name}` }])
  )
