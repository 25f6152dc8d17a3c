// The paths outside of the contract, and how paths are matched.

/** The Model Context Protocol over HTTP. */
export const MCP = "/mcp"

/** Paths outside of `/v1`. */
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

/**
 * How paths are matched, as `Target` reads them: case-sensitive, doubled slashes are no match. Parameters may be as long as a request
 * line (`maxHeaderSize`), so that an endless id is an unknown coin and not an unknown path.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 16_384
} as const
