// The table of routes: the endpoint of each path, its declared parameters, and the properties that all its requests share.
// Derived from the contracts, so an endpoint is declared once.
import { Context } from "effect"
import { FindMyWay } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { CachePolicy, IsShapedByAmount } from "../../api/Described.ts"
import { type Dialect, keyHeadersOf, ownDialect } from "../../api/Dialect.ts"
import { endpointsOf, type Parameter, parametersOf } from "../../api/Parameter.ts"
import { compatApis } from "../../api/compat/compatApis.ts"
import * as MeantBy from "./meantBy.ts"
import { otherPaths, MCP, routerConfig } from "./Paths.ts"

export interface Route {
  /** The path with its parameters, such as `/v1/coins/:id`. */
  readonly pattern: string
  readonly dialect: Dialect
  /** The declared parameters of the path, in its order. */
  readonly inPath: ReadonlyMap<string, Parameter>
  /** The declared parameters of the query, in alphabetical order. */
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly cachePolicy: (typeof CachePolicy)["Service"]
  /** Whether its `amount` only shapes the answer, unless the handler finds that the rate depends on it. */
  readonly isShapedByAmount: boolean
  /** Whether requests cost nothing: monitors must not use up a quota. */
  readonly isFree: boolean
  /** Whether it is an endpoint of a contract, which checks its parameters itself. */
  readonly isEndpoint: boolean
  /** Whether it serves data, for which the operator may require a key. Documents and health are open. */
  readonly hasData: boolean
  /** The methods, as in `Allow`. */
  readonly allow: string
  /** The headers that its responses vary by, as in `Vary`. */
  readonly vary: string
}

/** `Vary`: the headers for the key, the encoding, and the format if the caller can choose it. */
export const varyOf = (dialect: Dialect, hasFormats = false): string =>
  [...keyHeadersOf(dialect), "Accept-Encoding", ...(hasFormats ? ["Accept"] : [])].join(", ")

/** The methods of every path but that of MCP. */
export const READ_ONLY = "GET, HEAD, OPTIONS"

const find = FindMyWay.make<Route>(routerConfig)

/** Parameter names in paths and queries: of `/v1`, and of the compat APIs. */
const ownNames = new Set<string>()
const otherNames = new Set<string>()

const patterns: Array<string> = []

export const endpointPatterns: ReadonlyArray<string> = patterns

const add = (route: Route) => {
  find.on("GET", `/${route.pattern.slice(1)}`, route)
  if (route.isEndpoint) patterns.push(route.pattern)
}

export const endpointRoute = ({ annotations, params, path, query }: HttpApiEndpoint.Top, dialect: Dialect): Route => {
  const declared = parametersOf(query)
  const inPath = parametersOf(params)
  for (const name of [...declared.keys(), ...inPath.keys()]) (dialect === ownDialect ? ownNames : otherNames).add(name)
  return {
    pattern: path,
    dialect,
    inPath,
    parameters: new Map([...declared].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    vary: varyOf(dialect, declared.has("format")),
    cachePolicy: Context.get(annotations, CachePolicy),
    isShapedByAmount: Context.get(annotations, IsShapedByAmount),
    isFree: false,
    isEndpoint: true,
    hasData: true,
    allow: READ_ONLY
  }
}

for (const endpoint of endpointsOf(Api)) add(endpointRoute(endpoint, ownDialect))
for (const { dialect, endpoints } of compatApis) {
  for (const endpoint of endpoints) add(endpointRoute(endpoint, dialect))
}

/** Paths whose responses are cached. A path that is not listed is never cached. */
const cachePolicies: Readonly<Record<string, Route["cachePolicy"]>> = {
  // The same for every caller, and changed by nothing but a new version of the service.
  [otherPaths.openApi]: "always",
  [otherPaths.openApi30]: "always",
  [otherPaths.docs]: "always",
  [otherPaths.llms]: "always",
  [otherPaths.publicKeys]: "always",
  [otherPaths.problems]: "always",
  [otherPaths.problem]: "always",
  // With figures.
  [otherPaths.weeks]: "while current",
  [otherPaths.preview]: "while current",
  [otherPaths.badge]: "while current"
}

const withData: ReadonlySet<string> = new Set([
  otherPaths.weeks,
  otherPaths.answers,
  otherPaths.preview,
  otherPaths.badge,
  otherPaths.metrics
])

/** Documents that programs get as text. */
const inTwoForms: ReadonlySet<string> = new Set([
  otherPaths.page,
  otherPaths.pageOfNaira,
  otherPaths.pageOfMarket,
  otherPaths.pageOfCoin,
  otherPaths.pageOfConversion
])

/** The paths of `/page/answers`, separated by blanks. In the query, because proxies change encoded slashes in a path. */
const answered: Parameter = {
  description: "",
  rule: "paths of this service, separated by blanks",
  shape: { type: "string" },
  fallback: undefined,
  isRequired: true,
  read: (text) => ({ value: text, text })
}

const otherRoute = (pattern: string): Route => ({
  pattern,
  dialect: ownDialect,
  inPath: new Map(),
  parameters: new Map(pattern === otherPaths.answers ? [["paths", answered]] : []),
  vary: varyOf(ownDialect, inTwoForms.has(pattern)),
  cachePolicy: cachePolicies[pattern] ?? "never",
  isShapedByAmount: false,
  isFree: pattern === otherPaths.alive || pattern === otherPaths.ready,
  isEndpoint: false,
  hasData: withData.has(pattern),
  allow: READ_ONLY
})

for (const pattern of Object.values(otherPaths)) add(otherRoute(pattern))
for (const { dialect } of compatApis) add({ ...otherRoute(dialect.document), cachePolicy: "always" })
add({ ...otherRoute(MCP), hasData: true, allow: "POST, OPTIONS" })

/** The route of a `Target.path` and the decoded parameters of the path; `undefined` if unknown. */
export const matchOf = (path: string) => {
  const found = find.find("GET", path)
  return found && { route: found.handler, params: found.params }
}

export const routeOf = (path: string): Route | undefined => find.find("GET", path)?.handler

const meantBy = MeantBy.make(ownNames, otherNames)

/**
 * The fault of an unknown parameter if the caller may have meant a known one. The compat APIs ignore misspelt names, as the originals do,
 * but not one with the letters of a parameter that they take: `date[]` would be answered with the rates of now.
 */
export const faultOfName = (name: string, { dialect, isEndpoint, parameters }: Route): string | undefined => {
  if (!isEndpoint || parameters.has(name)) return undefined
  const meant = dialect === ownDialect ? meantBy(name, parameters) : [...parameters.keys()].find(MeantBy.isSameAs(name))
  if (meant === undefined) return undefined
  if (parameters.has(meant)) return `is not a parameter of this path; did you mean ${meant}?`
  const taken = [...parameters.keys()].join(", ")
  return `is not a parameter of this path, which takes ${taken === "" ? "none" : taken}`
}

const dialects: ReadonlyArray<Dialect> = compatApis.map(({ dialect }) => dialect)

/** The base paths of the compat APIs. */
export const compatBases: ReadonlyArray<string> = dialects.map(({ base }) => base)

/** Headers that hold an API key in some dialect. */
export const dialectKeyHeaders: ReadonlyArray<string> = dialects.flatMap(({ keyHeaders }) => keyHeaders)

/** The dialect of a path that may be unknown. */
export const dialectOf = (path: string): Dialect =>
  (path.startsWith("/compat/") ? dialects.find(({ base }) => `${path}/`.startsWith(`${base}/`)) : undefined) ??
  ownDialect

/** Whether the route accepts this method. Preflights do not count. */
export const takes = ({ allow }: Route, method: string): boolean =>
  method !== "OPTIONS" && allow.split(", ").includes(method)
