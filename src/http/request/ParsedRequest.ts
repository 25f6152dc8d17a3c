// Where a request goes: its path and the route of it. Read before the request is counted, so it judges nothing.
import { type Dialect, ownDialect } from "../../api/Dialect.ts"
import { type Basis, BASES } from "../../domain/Conversion.ts"
import { dialectOf, matchOf, type Route, routeOf } from "./Routes.ts"
import type { Target } from "./Target.ts"

export interface ParsedRequest {
  /** As it was sent, and in the query the basis that a path for other programs begins with. */
  readonly target: Target
  /** The normalized path, without `base` and without such a basis. */
  readonly path: string
  /** `undefined` for an unknown path. */
  readonly route: Route | undefined
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly dialect: Dialect
  /** The prefix of addresses in its response: the path of `PUBLIC_URL`. */
  readonly base: string
}

/** Strips `base` from a path, unless the whole path is a route. */
const pathBelow = (path: string, base: string): string =>
  base !== "" && `${path}/`.startsWith(`${base}/`) && routeOf(path) === undefined
    ? path.slice(base.length) || "/"
    : path

const none: ParsedRequest["params"] = {}

/** A basis that is the first segment of a path of the dialect. */
const basisIn = (path: string, { base, takesBasis }: Dialect): Basis | undefined =>
  takesBasis ? BASES.find((basis) => path.startsWith(`${base}/${basis}/`)) : undefined

export const parseRequest = (sent: Target, prefix = ""): ParsedRequest => {
  const below = pathBelow(sent.path, prefix)
  // Like the original services, the compat APIs read doubled slashes as one.
  const whole = /^\/+compat\/.*\/\//.test(below) ? below.replaceAll(/\/{2,}/g, "/") : below
  const dialect = dialectOf(whole)
  const basis = basisIn(whole, dialect)
  // The parameter after all others: of a repeated one the compat APIs use the last.
  const target = basis === undefined ? sent : { ...sent, query: `${sent.query}&basis=${basis}` }
  const path = basis === undefined ? whole : dialect.base + whole.slice(`${dialect.base}/${basis}`.length)
  // A path that cannot be decoded is refused, and belongs where it would without its percent signs.
  const matched = target.isPathDecodable ? path : path.replaceAll("%", "x")
  const { params, route } = (dialect.unserved?.(path) === undefined ? matchOf(matched) : undefined) ?? unknown
  return { target, path, route, params, dialect, base: prefix }
}

const unknown = { route: undefined, params: none }

/** Whether the path is this service's. Paths below a compat API are, known or not. */
export const isOwnPath = ({ dialect, route }: ParsedRequest): boolean => route !== undefined || dialect !== ownDialect
