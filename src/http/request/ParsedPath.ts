// Where a request goes: the route of its path. Read before the request is counted, so it judges nothing.
import { type Dialect, ownDialect } from "../../api/Dialect.ts"
import { type Basis, BASES } from "../../domain/Conversion.ts"
import { dialectOf, matchOf, type Route, routeOf, varyOf } from "./Routes.ts"
import { normalPath } from "./Target.ts"

export interface ParsedPath {
  /** The normalized path, without `base` and without a basis that a path for other programs begins with. */
  readonly path: string
  /** Such a basis. */
  readonly basis: Basis | undefined
  /** Whether the path was percent-encoded UTF-8. */
  readonly isDecodable: boolean
  /** `undefined`: unknown. */
  readonly route: Route | undefined
  /** The pattern of the route, for metrics and the log; `other` for an unknown path. */
  readonly pattern: string
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly dialect: Dialect
  /** The prefix of addresses in the response: the path of `PUBLIC_URL`. */
  readonly base: string
  /** The response's `Vary`. */
  readonly vary: string
}

/** Strips `base` from a path, unless the whole path is a route. */
const pathBelow = (path: string, base: string): string =>
  base !== "" && `${path}/`.startsWith(`${base}/`) && routeOf(path) === undefined
    ? path.slice(base.length) || "/"
    : path

const unknown: Pick<ParsedPath, "route" | "params"> = { route: undefined, params: {} }

const basisIn = (path: string, { base, takesBasis }: Dialect): Basis | undefined =>
  takesBasis ? BASES.find((basis) => path.startsWith(`${base}/${basis}/`)) : undefined

/** `sent`: the path of a target. */
export const parsePath = (sent: string, prefix = ""): ParsedPath => {
  const normal = normalPath(sent)
  const { isDecodable } = normal
  const below = pathBelow(normal.path, prefix)
  // Like the original services, the compat APIs read doubled slashes as one.
  const whole = /^\/+compat\/.*\/\//.test(below) ? below.replaceAll(/\/{2,}/g, "/") : below
  const dialect = dialectOf(whole)
  const basis = basisIn(whole, dialect)
  const path = basis === undefined ? whole : dialect.base + whole.slice(`${dialect.base}/${basis}`.length)
  // A path that cannot be decoded is refused, in the dialect of the path without percent signs.
  const matched = isDecodable ? path : path.replaceAll("%", "x")
  const { params, route } = (dialect.unserved?.(path) === undefined ? matchOf(matched) : undefined) ?? unknown
  const { pattern, vary } = route ?? { pattern: "other", vary: varyOf(dialect) }
  return { path, basis, isDecodable, route, pattern, params, dialect, base: prefix, vary }
}

/** Whether the path is this service's. Paths below a compat API are, known or not. */
export const isOwnPath = ({ dialect, route }: ParsedPath): boolean => route !== undefined || dialect !== ownDialect
