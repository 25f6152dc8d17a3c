// Random numbers of a world. Each thing draws from a stream of its own, named after it. So a world keeps all its other values when a
// process is left out of it, and one seed replays it.
import { mulberry32 } from "../domain/syntheticBooks.ts"

export interface Draw {
  /** From 0 to 1. */
  readonly share: () => number
  readonly between: (low: number, high: number) => number
  /** The same, where each order of size is equally likely. Both are above 0. */
  readonly ofAnySize: (low: number, high: number) => number
  /** A whole number, both ends included. */
  readonly whole: (low: number, high: number) => number
  readonly isOneIn: (count: number) => boolean
  readonly one: <A>(first: A, ...others: ReadonlyArray<A>) => A
  /** In random order. */
  readonly shuffled: <A>(all: ReadonlyArray<A>) => ReadonlyArray<A>
}

const hashOf = (seed: number, name: string): number => {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  for (let n = 0; n < name.length; n++) hash = Math.imul(hash ^ name.charCodeAt(n), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
}

/** The stream with this name. */
export const drawOf = (seed: number, ...name: ReadonlyArray<string | number>): Draw => {
  const share = mulberry32(hashOf(seed, name.join(" ")))
  const between = (low: number, high: number) => low + (high - low) * share()
  const whole = (low: number, high: number) => Math.floor(between(low, high + 1))
  return {
    share,
    between,
    ofAnySize: (low, high) => low * (high / low) ** share(),
    whole,
    isOneIn: (count) => share() < 1 / count,
    one: (first, ...others) => others[whole(0, others.length) - 1] ?? first,
    shuffled: (all) =>
      all
        .map((value) => ({ value, place: share() }))
        .sort((a, b) => a.place - b.place)
        .map(({ value }) => value)
  }
}
