// Records which values an answer was computed from, so that a cached answer is valid until one of them is replaced or
// expires. Reads are recorded where they happen; endpoints declare nothing.
import { Clock, Context, Effect } from "effect"
import { LONGEST_KEY } from "../../domain/rememberEach.ts"

/** A value that is replaced from time to time, always as a whole. */
export interface ReadonlyVersionedRef<out A> {
  readonly value: A
  /** Another number after each replacement. */
  readonly version: number | undefined
  /** The last moment at which the value may be used, epoch milliseconds. */
  readonly goodUntil: number
  /** When the next value is expected, epoch milliseconds. */
  readonly due: number
}

/** The same for the owner, who replaces the value. */
export class VersionedRef<A> implements ReadonlyVersionedRef<A> {
  value: A
  version = 0
  goodUntil = Infinity
  due = Infinity

  constructor(value: A) {
    this.value = value
  }

  replace(value: A, goodUntil: number = Infinity): void {
    if (value !== this.value) this.version++
    this.value = value
    this.goodUntil = goodUntil
  }
}

/**
 * The values that an answer was computed from. Only their versions are recorded, so that a cached answer does not keep
 * old snapshots in memory.
 */
export class Dependencies {
  // Copied on each addition: there are few, and a pushed array keeps spare capacity, in each of thousands of cached answers.
  private origins: ReadonlyArray<ReadonlyVersionedRef<unknown>> = []
  private versions: ReadonlyArray<number | undefined> = []
  /** The last moment at which all of them may be used, epoch milliseconds. */
  goodUntil = Infinity

  /**
   * Records a read at `now`, epoch milliseconds. A value that has expired by then is not part of the answer, so only its
   * replacement makes the answer outdated.
   */
  note(origin: ReadonlyVersionedRef<unknown>, now: number): void {
    this.add(origin, origin.version)
    if (origin.goodUntil < this.goodUntil && origin.goodUntil >= now) this.goodUntil = origin.goodUntil
  }

  /** Skips repeated reads: an answer of many parts reads the same few values. */
  private add(origin: ReadonlyVersionedRef<unknown>, version: number | undefined): void {
    const known = this.origins.lastIndexOf(origin)
    if (known >= 0 && this.versions[known] === version) return
    this.origins = this.origins.concat(origin)
    this.versions = this.versions.concat(version)
  }

  /** Whether the other records the same reads. */
  equals(other: Dependencies): boolean {
    const { goodUntil, origins, versions } = other
    return (
      goodUntil === this.goodUntil &&
      origins.length === this.origins.length &&
      origins.every((origin, n) => origin === this.origins[n] && versions[n] === this.versions[n])
    )
  }

  /** The value that expires first; the first one read if none expires. */
  get firstToExpire(): ReadonlyVersionedRef<unknown> | undefined {
    return this.origins.find(({ goodUntil }) => goodUntil === this.goodUntil) ?? this.origins[0]
  }

  /** Whether no read was recorded: such an answer is not cacheable. */
  get isEmpty(): boolean {
    return this.origins.length === 0
  }

  /** Records all reads of a part of the answer. */
  noteAll(part: Dependencies): void {
    if (this.isEmpty) {
      this.origins = part.origins
      this.versions = part.versions
    } else for (const [n, origin] of part.origins.entries()) this.add(origin, part.versions[n])
    if (part.goodUntil < this.goodUntil) this.goodUntil = part.goodUntil
  }

  /** Whether none of the values was replaced since it was read. */
  isCurrent(): boolean {
    for (let n = 0; n < this.origins.length; n++) {
      if (this.origins[n]?.version !== this.versions[n]) return false
    }
    return true
  }

  /** Whether an answer that was computed from them may be served at `now`, epoch milliseconds. */
  isValid(now: number): boolean {
    return now <= this.goodUntil && this.isCurrent()
  }

  /** When the first of the values is expected to be replaced, epoch milliseconds; infinite if unknown. */
  get due(): number {
    return this.origins.reduce((first, { due }) => Math.min(first, due), Infinity)
  }
}

/** How many recent records {@link sharing} compares with, of those with the same first value to expire. */
const LATELY = 16

/**
 * Replaces records of the same reads by one. Thousands of cached answers are computed from the same few values. Records
 * must be complete when they are passed.
 */
export const sharing = (): ((reads: Dependencies) => Dependencies) => {
  // By the value that expires first. A coin that was looked up by itself expires before all lists and rates, so its
  // prices in all currencies are compared with each other, whatever the order of requests.
  const lately = new WeakMap<ReadonlyVersionedRef<unknown>, ReadonlyArray<Dependencies>>()
  return (reads) => {
    const first = reads.firstToExpire
    if (first === undefined) return reads
    const known = lately.get(first) ?? []
    const same = known.find((other) => other.equals(reads))
    if (same !== undefined) return same
    lately.set(first, [reads, ...known.filter((other) => other.isCurrent())].slice(0, LATELY))
    return reads
  }
}

/** Records the reads of the current answer; `undefined` records nothing. */
export const CurrentDependencies = Context.Reference<Dependencies | undefined>(
  "crypto-data-api/services/refresh/Dependencies",
  {
    defaultValue: () => undefined
  }
)

/** The value of `origin`, recorded as read. */
export const read = <A>(origin: ReadonlyVersionedRef<A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    fiber.getRef(CurrentDependencies)?.note(origin, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
    return Effect.succeed(origin.value)
  })

/**
 * Limits the current answer to a time, epoch milliseconds. `due`: when a newer answer is expected; `version`: that of something the
 * answer was computed from and that is not a `VersionedRef`.
 */
export const validUntil = (
  goodUntil: number,
  { due = Infinity, version = () => 0 }: { readonly due?: number; readonly version?: () => number | undefined } = {}
): Effect.Effect<void> =>
  read({
    value: undefined,
    get version() {
      return version()
    },
    goodUntil,
    due
  })

/** Marks the current answer as not cacheable: the arrival of something it lacks would not make it outdated. */
export const notCacheable: Effect.Effect<void> = Effect.withFiber((fiber) => {
  const reads = fiber.getRef(CurrentDependencies)
  if (reads !== undefined) reads.goodUntil = -Infinity
  return Effect.void
})

/**
 * The effect; if it records no read, the answer is not cacheable. For services that an embedder may implement without recording
 * reads.
 */
export const accounted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const outer = fiber.getRef(CurrentDependencies)
    if (outer === undefined) return effect
    const reads = new Dependencies()
    return Effect.ensuring(
      Effect.provideService(effect, CurrentDependencies, reads),
      Effect.sync(() => {
        if (reads.isEmpty) outer.goodUntil = -Infinity
        else outer.noteAll(reads)
      })
    )
  })

/**
 * Caches the result for an input until a value that it was computed from is replaced or expires. At most `capacity` results are
 * cached. Nothing is cached for a failure, or under a key longer than {@link LONGEST_KEY}: callers choose the inputs.
 */
export const remembering = <I, A, E, R>(
  capacity: number,
  keyOf: (input: I) => string,
  find: (input: I) => Effect.Effect<A, E, R>
): ((input: I) => Effect.Effect<A, E, R>) => {
  const kept = new Map<string, { readonly answer: Effect.Effect<A>; readonly reads: Dependencies }>()
  const keep = (key: string, answer: A, reads: Dependencies) => {
    if (key.length > LONGEST_KEY) return
    if (kept.size >= capacity && !kept.has(key)) kept.clear()
    kept.set(key, { answer: Effect.succeed(answer), reads })
  }
  return (input) =>
    Effect.withFiber((fiber) => {
      const key = keyOf(input)
      const outer = fiber.getRef(CurrentDependencies)
      const found = kept.get(key)
      if (found?.reads.isValid(fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()) === true) {
        outer?.noteAll(found.reads)
        return found.answer
      }
      const reads = new Dependencies()
      return Effect.provideService(find(input), CurrentDependencies, reads).pipe(
        Effect.tap((answer) => Effect.sync(() => keep(key, answer, reads))),
        Effect.ensuring(Effect.sync(() => outer?.noteAll(reads)))
      )
    })
}
