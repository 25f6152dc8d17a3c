// Answers by what was asked for. An entry is valid until a snapshot that it was made from is replaced; that is checked at each
// look-up, so nothing has to be invalidated. Bounded in bytes, keys included, by two generations of half the bound each: a hit
// moves an entry to the young one, and a full young one replaces the old one.
import type { Answer } from "./Answer.ts"
import { SMALLEST } from "./Encodings.ts"

/** About 100 pages of 250 coins, or 25,000 prices. */
export const MAX_BYTES = 32 * 1024 * 1024

/** Bytes that a held answer takes beside its body and key, estimated. */
const OVERHEAD = 1024

/** What is held under a key: an answer, or that one was made. */
type Entry = Answer | "made"

/** The size of an entry, estimated as if both compressed bodies were held and as long as the body. */
const bytesOf = (key: string, entry: Entry): number => {
  if (entry === "made") return 2 * key.length + MARK
  const { length } = entry.identity
  return 2 * key.length + (length < SMALLEST ? length : 3 * length) + OVERHEAD
}

/** Bytes that a mark takes beside its key, estimated. */
const MARK = 64

export interface AnswerCache {
  /** The valid answer under a key. `now` in epoch milliseconds. */
  readonly find: (key: string, now: number) => Answer | undefined
  /**
   * Holds an answer, unless a snapshot that it was made from is already replaced. `isRare`: only if one was made under this key
   * before, not long ago.
   */
  readonly keep: (key: string, answer: Answer, now: number, isRare?: boolean) => void
  /** Bytes held, estimated. */
  readonly size: () => number
}

export const make = (maxBytes: number = MAX_BYTES): AnswerCache => {
  let young = new Map<string, Entry>()
  let old: typeof young = new Map()
  let youngBytes = 0
  let oldBytes = 0

  const hold = (key: string, entry: Entry) => {
    const bytes = bytesOf(key, entry)
    if (bytes > maxBytes / 2) return
    const before = young.get(key)
    const more = bytes - (before === undefined ? 0 : bytesOf(key, before))
    if (youngBytes + more <= maxBytes / 2) {
      young.set(key, entry)
      youngBytes += more
      return
    }
    old = young
    oldBytes = youngBytes
    young = new Map([[key, entry]])
    youngBytes = bytes
  }

  return {
    find: (key, now) => {
      const recent = young.get(key)
      const answer = recent ?? old.get(key)
      if (answer === undefined || answer === "made" || !answer.isValid(now)) return undefined
      if (recent === undefined) hold(key, answer)
      return answer
    },
    keep: (key, answer, now, isRare = false) => {
      if (answer.isValid(now)) hold(key, isRare && !young.has(key) && !old.has(key) ? "made" : answer)
    },
    size: () => youngBytes + oldBytes
  }
}
