// A parsed request: its target and its route. Requests with equal keys ask for the same data, however their URLs are written.
import { type Dialect, ownDialect } from "../../api/Dialect.ts"
import { guards, rulesBetween } from "../../api/Parameters.ts"
import { prefersCsv } from "./weightsOf.ts"
import { dialectOf, dialectKeyHeaders, faultOfName, type Route, routeOf } from "./Routes.ts"
import type { Target } from "./Target.ts"

export interface ParsedRequest {
  readonly target: Target
  /** `undefined` for an unknown path. */
  readonly route: Route | undefined
  readonly dialect: Dialect
  /** The prefix of addresses in its response: the path of `PUBLIC_URL`. */
  readonly base: string
  /** The normalized path and declared parameters, for the router. */
  readonly url: string
  /** The cache key: `url` without guards. */
  readonly key: string
  /** The guards in the query, as text; `undefined` for most requests. */
  readonly guards: Readonly<Record<string, string>> | undefined
  /** Faults of parameters that every endpoint refuses, by name; `undefined` for most requests. */
  readonly faults: ReadonlyMap<string, string> | undefined
}

const GUARDS: ReadonlySet<string> = new Set(Object.keys(guards))

/** Strips `base` from a path, unless the whole path is a route. */
const pathBelow = (path: string, base: string): string =>
  base !== "" && `${path}/`.startsWith(`${base}/`) && routeOf(path) === undefined
    ? path.slice(base.length) || "/"
    : path

/** `accept`: the `Accept` header, which may select CSV if the route has a `format`. */
export const parseRequest = (target: Target, accept: string | undefined, base = ""): ParsedRequest => {
  const below = pathBelow(target.path, base)
  // Like the original services, the compat APIs read doubled slashes as one.
  const path = /^\/+compat\/.*\/\//.test(below) ? below.replaceAll(/\/{2,}/g, "/") : below
  const dialect = dialectOf(path)
  const route = dialect.unserved?.(path) === undefined ? routeOf(path) : undefined
  const wantsCsv = accept !== undefined && route?.parameters.has("format") === true && prefersCsv(accept)
  if (route === undefined || (target.parameters.size === 0 && !wantsCsv)) {
    return { target, route, dialect, base, url: path, key: path, guards: undefined, faults: undefined }
  }
  let url = path
  let key = path
  let sentGuards: Record<string, string> | undefined
  for (const [name, fallback] of route.parameters) {
    // Like the original services, the compat APIs use the last value of a repeated parameter and trim it.
    const last = dialect === ownDialect ? undefined : target.repeated.get(name)
    const sent = dialect === ownDialect ? target.parameters.get(name) : (last ?? target.parameters.get(name))?.trim()
    const value = sent ?? (name === "format" && wantsCsv ? "csv" : undefined)
    // In the compat APIs an empty parameter counts as omitted.
    if (value === "" && dialect !== ownDialect) continue
    // Drops parameters equal to their default, except `format=json`, which overrides `Accept`.
    if (value === undefined || (value === fallback && !(name === "format" && wantsCsv))) continue
    const pair = `${name}=${encodeURIComponent(value.toWellFormed())}`
    url += `${url === path ? "?" : "&"}${pair}`
    if (GUARDS.has(name)) (sentGuards ??= {})[name] = value
    else key += `${key === path ? "?" : "&"}${pair}`
  }
  return { target, route, dialect, base, url, key, guards: sentGuards, faults: faultsOf(target, route) }
}

/** Names that callers use for an API key in a query. */
const keyNames = new Set([
  "api_key",
  "apikey",
  ...["x-api-key", ...dialectKeyHeaders].flatMap((header) => [header, header.replaceAll("-", "_")])
])

/** The header to use for a key that was sent in the URL under this name. */
const keyHeaderFor = (name: string, { keyHeaders }: Dialect): string => {
  const header = name.toLowerCase().replaceAll("_", "-")
  return keyHeaders.includes(header) ? header : "x-api-key"
}

/** The most faults that a response lists. */
const MOST_FAULTS = 10

/** The most names that the query of an endpoint may have. Each unknown one is compared with all known ones. */
const MOST_NAMES = 100

const faultsOf = (target: Target, route: Route): ParsedRequest["faults"] =>
  route.isEndpoint && target.parameters.size > MOST_NAMES
    ? new Map([["query", `must have at most ${MOST_NAMES} parameters`]])
    : faultsOfNames(target, route)

const faultsOfNames = ({ parameters, repeated, undecodable }: Target, route: Route): ParsedRequest["faults"] => {
  let faults: Map<string, string> | undefined
  const add = (name: string, detail: string) => {
    faults ??= new Map()
    if (faults.size < MOST_FAULTS) faults.set(name, detail)
  }
  const isSent = (name: string) => route.parameters.has(name) && parameters.has(name)
  for (const name of undecodable) if (route.parameters.has(name)) add(name, "must be percent-encoded UTF-8")
  for (const name of parameters.keys()) {
    if (faults?.size === MOST_FAULTS) break
    if (keyNames.has(name.toLowerCase())) {
      add(name, `must not be in the URL; send the key in the header ${keyHeaderFor(name, route.dialect)}`)
    } else {
      const isRepeated = route.dialect === ownDialect && repeated.has(name)
      const fault = faultOfName(name, route) ?? (isRepeated ? "must be given once" : undefined)
      if (fault !== undefined) add(name, fault)
    }
  }
  if (route.dialect === ownDialect) {
    for (const { detail, isWrong, parameter } of rulesBetween) {
      if (isSent(parameter) && isWrong(isSent)) add(parameter, detail)
    }
  }
  return faults
}
