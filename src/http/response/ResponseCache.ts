// Cached responses by the keys of requests. An entry is valid until one of its snapshots is replaced or expires. Each look-up checks
// that, so nothing has to be invalidated. The bound is in bytes, keys included. Two generations share it equally: a hit moves an entry
// to the young one, and a full young one replaces the old one.
import type { CachedResponse } from "./CachedResponse.ts"
import { SMALLEST } from "./Encodings.ts"

/** About 100 pages of 250 coins, or 25,000 prices. */
export const MAX_BYTES = 32 * 1024 * 1024

/** Bytes that a cached response takes beside its body and key, estimated. */
const OVERHEAD = 1024

/** The size of an entry, estimated as if both compressed bodies were there and as long as the body. */
const bytesOf = (
  key: string,
  {
    body: {
      identity: { length }
    }
  }: CachedResponse
): number => 2 * key.length + (length < SMALLEST ? length : 3 * length) + OVERHEAD

export const make = (maxBytes: number = MAX_BYTES) => {
  let young = new Map<string, CachedResponse>()
  let old: typeof young = new Map()
  let youngBytes = 0
  let oldBytes = 0

  const store = (key: string, answer: CachedResponse) => {
    const bytes = bytesOf(key, answer)
    if (bytes > maxBytes / 2) return
    const before = young.get(key)
    const more = bytes - (before === undefined ? 0 : bytesOf(key, before))
    if (youngBytes + more <= maxBytes / 2) {
      young.set(key, answer)
      youngBytes += more
      return
    }
    old = young
    oldBytes = youngBytes
    young = new Map([[key, answer]])
    youngBytes = bytes
  }

  return {
    /** The valid answer under a key. `now` in epoch milliseconds. */
    find: (key: string, now: number): CachedResponse | undefined => {
      const recent = young.get(key)
      const answer = recent ?? old.get(key)
      if (answer === undefined || !answer.isValid(now)) return undefined
      if (recent === undefined) store(key, answer)
      return answer
    },
    /** Caches an answer, unless one of its snapshots is already replaced or has expired. */
    add: (key: string, answer: CachedResponse, now: number): void => {
      if (answer.isValid(now)) store(key, answer)
    },
    /** Bytes in the cache, estimated. */
    size: () => youngBytes + oldBytes
  }
}
