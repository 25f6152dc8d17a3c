// The paths of the service and their methods. The router answers a wrong method like an unknown path, so the gate asks
// here which of the two it is.
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { rememberEach } from "../domain/rememberEach.ts"
import { COINGECKO_BASE, CoinGeckoApi } from "../api/coingecko/CoinGeckoApi.ts"

/** The methods of every path but `MCP`. */
export const ALLOWED = "GET, HEAD, OPTIONS"

/** The Model Context Protocol over HTTP. */
export const MCP = "/mcp"

/**
 * How paths are matched: case-sensitive, doubled slashes are no match, a trailing slash is ignored. Parameters may be as
 * long as a request line (`maxHeaderSize`), so that an endless id is an unknown coin and not an unknown path.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: true,
  maxParamLength: 16_384
} as const

/** Paths outside of `/v1`. */
export const documents = {
  page: "/",
  openApi: "/openapi.json",
  coinGeckoOpenApi: "/compat/coingecko/openapi.json",
  docs: "/docs",
  llms: "/llms.txt",
  problems: "/problems",
  problem: "/problems/:code",
  alive: "/healthz",
  ready: "/readyz",
  metrics: "/metrics"
} as const

const known = FindMyWay.make<string>(routerConfig)
const reflected = {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { path } }: { readonly endpoint: { readonly path: string } }) =>
    known.on("GET", `/${path.slice(1)}`, path)
}
HttpApi.reflect(Api, reflected)
HttpApi.reflect(CoinGeckoApi, reflected)
for (const path of Object.values(documents)) known.on("GET", path, path)
known.on("GET", MCP, MCP)

const free = new Set<string>([documents.alive, documents.ready])

/** Whether requests for this URL do not count: monitors must not use up a quota. */
export const isFree = (url: string): boolean => free.has(url)

const coinGecko = `${COINGECKO_BASE}/`

/** Whether the URL is for programs made for CoinGecko. */
export const isCoinGecko = (url: string): boolean => url.startsWith(coinGecko)

export const isMcp = (url: string): boolean => url.startsWith(MCP) && routeOf(url) === MCP

/** The methods of a URL, as in `Allow`. */
export const allowed = (url: string): string => (isMcp(url) ? "POST, OPTIONS" : ALLOWED)

/** Whether the URL, if it exists, accepts the method. */
export const takes = (method: string, url: string): boolean =>
  isMcp(url) ? method === "POST" : method === "GET" || method === "HEAD"

/** Whether the URL exists for any method. */
export const exists = (url: string): boolean => known.find("GET", url) !== undefined

/** The pattern of the URL's route, such as `/v1/coins/:id`; `other` for an unknown path. */
export const routeOf = (url: string): string => (url.length > LONGEST_URL ? findRoute : heldRoute)(url)

const findRoute = (url: string): string => known.find("GET", url)?.handler ?? "other"

/** The longest URL that is held with its route, in characters. A flood repeats its URLs. */
const LONGEST_URL = 512

const heldRoute = rememberEach(1000, findRoute)

/** Whether a text is percent-encoded UTF-8. */
export const isDecodable = (text: string): boolean => {
  if (!text.includes("%")) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Whether the path of a URL is percent-encoded UTF-8. It ends where the router ends it. */
export const hasDecodablePath = (url: string): boolean =>
  !url.includes("%") || isDecodable(/^[^?#;]*/.exec(url)?.[0] ?? "")
