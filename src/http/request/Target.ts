// The target of a request. Nothing else reads the text that a caller sent: limits, guards, metrics and cache read these values, and the
// router gets a text made of them, so they cannot disagree about a request. The path is read first, the query, which may be long, only for
// a counted request within its quota.
//
// RFC 9112 section 3.2, read as RFC 3986 and WHATWG's `application/x-www-form-urlencoded` say: the origin of an absolute form
// and a fragment are dropped, the query begins at the first `?` (or `;`, as some systems write it), names and values are decoded.

export interface Target {
  /** The path as it was sent. {@link normalPath} reads it. */
  readonly path: string
  /** The query as it was sent, without its question mark. {@link parseQuery} reads it. */
  readonly query: string
}

export interface Query {
  /** The parameters by name, decoded. Of a repeated one this is the first. */
  readonly parameters: ReadonlyMap<string, string>
  /** The names that occur more than once, with their last values. */
  readonly repeated: ReadonlyMap<string, string>
  /** The names whose values are not percent-encoded UTF-8. Their values are unchanged. */
  readonly undecodable: ReadonlySet<string>
  /** Whether there are more than {@link MOST_PARAMETERS}. The rest is not read. */
  readonly isTooLong: boolean
}

/** The most parameters of a query. No endpoint takes more than a dozen, and others that callers add are few. */
export const MOST_PARAMETERS = 100

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

const QUERY = /[?;]/

/** A path of characters that need no encoding. */
const PLAIN = /^\/[\w\-.!~*'()/]*$/

const none: Query["parameters"] = new Map()
const noNames: Query["undecodable"] = new Set()
const empty: Query = { parameters: none, repeated: none, undecodable: noNames, isTooLong: false }

/** `text`: the raw target, such as `/v1/convert?from=bitcoin&to=EUR`. */
export const parse = (text: string): Target => {
  const reference = text.startsWith("/") ? text : text.replace(ORIGIN, "")
  const fragment = reference.indexOf("#")
  const whole = fragment < 0 ? reference : reference.slice(0, fragment)
  const query = whole.search(QUERY)
  return query < 0 ? { path: whole, query: "" } : { path: whole.slice(0, query), query: whole.slice(query + 1) }
}

/** A path with normalized encoding, without a single trailing slash; unchanged if it is not percent-encoded UTF-8. */
export const normalPath = (path: string): { readonly path: string; readonly isDecodable: boolean } => {
  const trimmed = path.length > 1 && path.endsWith("/") && !path.endsWith("//") ? path.slice(0, -1) : path
  if (PLAIN.test(trimmed)) return { path: trimmed, isDecodable: true }
  if (trimmed === "") return { path: "/", isDecodable: true }
  const segments = trimmed.split("/").map(decoded)
  return segments.every((segment) => segment !== undefined)
    ? { path: segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join("/"), isDecodable: true }
    : { path: trimmed, isDecodable: false }
}

/** `query`: the text of {@link Target.query}. */
export const parseQuery = (query: string): Query => {
  if (query === "") return empty
  const parameters = new Map<string, string>()
  let repeated: Map<string, string> | undefined
  let undecodable: Set<string> | undefined
  const pairs = query.split("&", MOST_PARAMETERS + 1)
  for (const pair of pairs.slice(0, MOST_PARAMETERS)) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const sentName = equals < 0 ? pair : pair.slice(0, equals)
    const sentValue = equals < 0 ? "" : pair.slice(equals + 1)
    const name = decodedForm(sentName) ?? sentName
    const value = decodedForm(sentValue)
    if (value === undefined) (undecodable ??= new Set()).add(name)
    if (parameters.has(name)) (repeated ??= new Map()).set(name, value ?? sentValue)
    else parameters.set(name, value ?? sentValue)
  }
  return {
    parameters,
    repeated: repeated ?? none,
    undecodable: undecodable ?? noNames,
    isTooLong: pairs.length > MOST_PARAMETERS
  }
}

const decodedForm = (text: string): string | undefined => decoded(text.includes("+") ? text.replaceAll("+", " ") : text)

const decoded = (text: string): string | undefined => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
