// What every endpoint takes and refuses on account of who is calling. Enforced by the gate around everything, declared here so
// that the document and typed clients know of it.
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { InvalidApiKey, RateLimited } from "./Problems.ts"

/** An optional key in `x-api-key`, and the quota that comes with it or without. */
export class Access extends HttpApiMiddleware.Service<Access>()("crypto-data-api/api/Access", {
  error: [InvalidApiKey, RateLimited],
  security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) }
}) {}
