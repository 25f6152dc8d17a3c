// The headers of every response.

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id",
  "X-Source",
  "X-Updated"
].join(", ")

/** Any page may read a response (CORS). It varies by API key and accepted encoding. */
export const commonHeaders = {
  vary: "x-api-key, Accept-Encoding",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff"
} as const
