// The `Cache-Control` of a response, RFC 9111 and RFC 5861: fresh until the next expected refresh, then stale for a
// while, but never longer than this service would serve it.

/** Seconds for `stale-while-revalidate`. */
const WHILE_REVALIDATING = 30

/** Seconds for `stale-if-error`. */
const IF_ERROR = 300

/** For every error. */
export const NO_STORE = "no-store"

/** For documents, which change only with the version of the service. */
export const document = (hasKey: boolean): string => `${visibility(hasKey)}, max-age=300, stale-while-revalidate=3600`

/** Shared caches must not store a response to a key. */
const visibility = (hasKey: boolean): string => (hasKey ? "private" : "public")

/**
 * For an answer made from snapshots. `due`: when the first of them is likely replaced; `goodUntil`: when the answer must
 * no longer be served. Epoch milliseconds, as is `now`.
 */
export const forSnapshot = (
  { due, goodUntil }: { readonly due: number; readonly goodUntil: number },
  hasKey: boolean,
  now: number
): string => {
  const left = Math.max(0, Math.floor((goodUntil - now) / 1000))
  const fresh = Number.isFinite(due) ? Math.max(1, Math.ceil((due - now) / 1000)) : 1
  const most = (seconds: number) => Math.min(seconds, left)
  return (
    `${visibility(hasKey)}, max-age=${most(fresh)}, ` +
    `stale-while-revalidate=${most(WHILE_REVALIDATING)}, stale-if-error=${most(IF_ERROR)}`
  )
}
