// Where a request goes: its path and the route of it. Read before the request is counted, so it judges nothing.
import { type Dialect, ownDialect } from "../../api/Dialect.ts"
import { dialectOf, matchOf, type Route, routeOf } from "./Routes.ts"
import type { Target } from "./Target.ts"

export interface ParsedRequest {
  readonly target: Target
  /** The normalized path, without `base`. */
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

export const parseRequest = (target: Target, base = ""): ParsedRequest => {
  const below = pathBelow(target.path, base)
  // Like the original services, the compat APIs read doubled slashes as one.
  const path = /^\/+compat\/.*\/\//.test(below) ? below.replaceAll(/\/{2,}/g, "/") : below
  const dialect = dialectOf(path)
  // A path that cannot be decoded is refused, and belongs where it would without its percent signs.
  const matched = target.isPathDecodable ? path : path.replaceAll("%", "x")
  const { params, route } = (dialect.unserved?.(path) === undefined ? matchOf(matched) : undefined) ?? unknown
  return { target, path, route, params, dialect, base }
}

const unknown = { route: undefined, params: none }

/** Whether the path is this service's. Paths below a compat API are, known or not. */
export const isOwnPath = ({ dialect, route }: ParsedRequest): boolean => route !== undefined || dialect !== ownDialect
