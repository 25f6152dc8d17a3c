// The paths outside of the contract, and how paths are matched.

/** The Model Context Protocol over HTTP. */
export const MCP = "/mcp"

/** Paths outside of `/v1`. */
export const otherPaths = {
  page: "/",
  pageOfNaira: "/naira",
  pageOfMarket: "/p2p/:fiat",
  pageOfCoin: "/coin/:id",
  pageOfConversion: "/convert/:from/:to",
  weeks: "/page/weeks",
  answers: "/page/answers",
  preview: "/preview/:view/:name",
  badge: "/badge/:name",
  openApi: "/openapi.json",
  openApi30: "/openapi-3.0.json",
  docs: "/docs",
  llms: "/llms.txt",
  publicKeys: "/.well-known/jwks.json",
  problems: "/problems",
  problem: "/problems/:code",
  alive: "/healthz",
  ready: "/readyz",
  metrics: "/metrics"
} as const

/** The most bytes of a request line and its headers: the largest valid request has 500 addresses of 66 characters. */
export const MAX_HEADER_BYTES = 65_536

/**
 * How paths from `Target` are matched: case-sensitive, and doubled slashes never match. Path parameters may be as long as a request
 * line ({@link MAX_HEADER_BYTES}), so that a very long id is an unknown coin and not an unknown path.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: MAX_HEADER_BYTES
} as const
