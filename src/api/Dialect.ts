// A dialect: the form of problems below a path, and the headers that may have the API key. `/v1` has the service's own
// dialect; the paths of another API's programs have that API's.
import type { ProblemCode } from "./Problems.ts"

/** A problem document, RFC 9457, with members of its own. */
export interface Problem {
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly instance: string
  readonly errors?: ReadonlyArray<{ readonly parameter: string; readonly detail: string }>
}

/**
 * `missing`: all parameters at fault are missing. `explained`: a fault says more than the rule of its parameter. `unserved`: see
 * {@link Dialect.unserved}.
 */
export type ProblemKind = "missing" | "explained" | "unserved"

export interface Dialect {
  /** What its paths begin with. */
  readonly base: string
  /** Where its OpenAPI document is. */
  readonly document: `/${string}`
  /** Headers that hold an API key beside `x-api-key` and `authorization`, in lower case. */
  readonly keyHeaders: ReadonlyArray<string>
  readonly contentType: string
  /** Whether a basis may be the first segment of its paths, as in `/compat/yadio.io/p2p/exrates/BTC`. It is read as the parameter `basis`. */
  readonly takesBasis: boolean
  /** Why a path of the original is not answered here; `undefined` for others. */
  readonly unserved?: (path: string) => string | undefined
  /** The status and the body of a problem. `base` is what addresses in it begin with. */
  readonly write: (problem: Problem, base: string, kind?: ProblemKind) => readonly [status: number, body: object]
}

/** The service's own. */
export const ownDialect: Dialect = {
  base: "",
  document: "/openapi.json",
  keyHeaders: [],
  contentType: "application/problem+json",
  takesBasis: false,
  write: (problem) => [problem.status, problem]
}

/** One that writes problems in JSON of its own. */
export interface JsonDialect extends Dialect {
  readonly base: `/${string}`
}

export const jsonDialect = (base: `/${string}`, write: Dialect["write"], takesBasis = false): JsonDialect => ({
  base,
  document: `${base}/openapi.json`,
  keyHeaders: [],
  contentType: "application/json",
  takesBasis,
  write
})

/** Every header that may hold an API key, in lower case. */
export const keyHeadersOf = ({ keyHeaders }: Dialect): ReadonlyArray<string> => [
  ...keyHeaders,
  "x-api-key",
  "authorization"
]
