// Which paths exist. The router answers a wrong method like an unknown path; asked here, the two can be told apart.
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** The methods every path takes. */
export const ALLOWED = "GET, HEAD, OPTIONS"

/** How paths are matched: in their own case, without doubled slashes, a trailing slash answered in place. */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: true,
  maxParamLength: 512
} as const

/** Paths that serve documents and not data. */
export const documents = {
  openApi: "/openapi.json",
  docs: "/docs",
  problem: "/problems/:code",
  alive: "/healthz",
  ready: "/readyz",
  metrics: "/metrics"
} as const

const known = FindMyWay.make<string>(routerConfig)
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => known.on("GET", `/${endpoint.path.slice(1)}`, endpoint.path)
})
for (const path of Object.values(documents)) known.on("GET", path, path)

const free = new Set<string>([documents.alive, documents.ready])

/** Whether asking for this address costs nothing: those who watch over the service must not use up anybody's quota. */
export const isFree = (url: string): boolean => free.has(url)

/** Whether a GET for this address would find a handler. */
export const exists = (url: string): boolean => known.find("GET", url) !== undefined

/** The pattern that an address is matched by, such as `/v1/coins/:id`; all that nothing matches is `other`. */
export const routeOf = (url: string): string => known.find("GET", url)?.handler ?? "other"
