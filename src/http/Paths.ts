// Which paths exist. The router answers a wrong method like an unknown path; asked here, the two can be told apart.
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"

/** The methods that every path takes, but for `MCP`. */
export const ALLOWED = "GET, HEAD, OPTIONS"

/** Where agents post their messages (MCP). */
export const MCP = "/mcp"

/** How paths are matched: in their own case, without doubled slashes, a trailing slash answered in place. */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: true,
  maxParamLength: 512
} as const

/** Paths that serve documents and not data. */
export const documents = {
  page: "/",
  openApi: "/openapi.json",
  docs: "/docs",
  llms: "/llms.txt",
  problems: "/problems",
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
known.on("GET", MCP, MCP)

const free = new Set<string>([documents.alive, documents.ready])

/** Whether asking for this address costs nothing: those who watch over the service must not use up anybody's quota. */
export const isFree = (url: string): boolean => free.has(url)

/** Whether the address is that of the agents. */
export const isMcp = (url: string): boolean => url.startsWith(MCP) && routeOf(url) === MCP

/** The methods that the address takes. */
export const allowed = (url: string): string => (isMcp(url) ? "POST, OPTIONS" : ALLOWED)

/** Whether the address takes the method, if it exists. */
export const takes = (method: string, url: string): boolean =>
  isMcp(url) ? method === "POST" : method === "GET" || method === "HEAD"

/** Whether there is such a path, whatever methods it takes. */
export const exists = (url: string): boolean => known.find("GET", url) !== undefined

/** The pattern that an address is matched by, such as `/v1/coins/:id`; all that nothing matches is `other`. */
export const routeOf = (url: string): string => known.find("GET", url)?.handler ?? "other"
