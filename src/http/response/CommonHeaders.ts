// The headers that every response has, whatever it says.

const exposed = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "ETag",
  "Link",
  "Retry-After",
  "X-Request-Id"
].join(", ")

/** Anybody's page may read the answer; what it depends on beside its address is the key and how it may be encoded. */
export const commonHeaders = {
  vary: "x-api-key, Accept-Encoding",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff"
} as const
