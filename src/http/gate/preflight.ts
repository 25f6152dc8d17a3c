import type { Asked } from "../target/Asked.ts"
import { MCP } from "../target/Paths.ts"
import { READ_ONLY } from "../target/Routes.ts"

const requestHeaders = "x-api-key, if-none-match"
const mcpHeaders = `${requestHeaders}, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name`

/** Libraries made for other APIs send headers of their own in browsers; without credentials `*` allows them. */
const headersFor = ({ dialect: { keyHeaders }, route }: Asked): string => {
  if (route?.pattern === MCP) return mcpHeaders
  return keyHeaders.length === 0 ? requestHeaders : `${requestHeaders}, ${keyHeaders.join(", ")}, *`
}

/** The headers of a 204 to a preflight (CORS). */
export const preflight = (asked: Asked) => {
  const allow = asked.route?.allow ?? READ_ONLY
  return {
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": headersFor(asked),
    "access-control-max-age": "86400"
  }
}
