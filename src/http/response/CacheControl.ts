// How long others may hand out an answer, https://www.rfc-editor.org/rfc/rfc9111: until the next refresh is to be expected; while
// that is asked for or fails, some more, but never longer than we would hand it out ourselves.

/** Others may hand out what is older than that only while they ask for a newer one. */
const WHILE_REVALIDATING = 30

/** What an operator's cache may bridge while this service does not answer, in seconds. */
const IF_ERROR = 300

/** For every error: what fails now may succeed at once. */
export const NO_STORE = "no-store"

/** For documents, which change with the version of the service. */
export const document = (hasKey: boolean): string => `${visibility(hasKey)}, max-age=300, stale-while-revalidate=3600`

/** Answers to a key are nobody else's. */
const visibility = (hasKey: boolean): string => (hasKey ? "private" : "public")

/**
 * For an answer from snapshots: `due` is when it will likely be replaced, `goodUntil` when it stops being an answer, epoch
 * milliseconds both.
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
