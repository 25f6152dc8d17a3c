// What an answer was made of: everything that was read on the way and the state it was in. Whoever keeps an answer learns from
// this whether it still is the answer, when it will stop being one, and when a newer one is to be expected. Reading is noted where
// it happens, so no endpoint has to say what it depends on, and none can forget to.
import { Clock, Context, Effect } from "effect"

/** Something answers are made of that is replaced from time to time, always as a whole. */
export interface ReadonlyVersionedRef<out A> {
  readonly value: A
  /** Until when the value may be used, epoch milliseconds. */
  readonly goodUntil: number
  /** When the next value is to be expected, epoch milliseconds. */
  readonly due: number
}

/** The same, in the hands of its owner. A value is put in place in one step, never while somebody reads. */
export class VersionedRef<A> implements ReadonlyVersionedRef<A> {
  value: A
  goodUntil = Infinity
  due = Infinity

  constructor(value: A) {
    this.value = value
  }

  replace(value: A, goodUntil: number = Infinity): void {
    this.value = value
    this.goodUntil = goodUntil
  }
}

/** What was read for one answer. */
export class Dependencies {
  private readonly origins: Array<ReadonlyVersionedRef<unknown>> = []
  private readonly values: Array<unknown> = []
  /** Until when all that was read may be used, epoch milliseconds. */
  goodUntil = Infinity

  /**
   * Notes that the origin was read as it is, at this time, epoch milliseconds. What may not be used any more by then is no part of
   * the answer, and ends none: only its next value will.
   */
  note(origin: ReadonlyVersionedRef<unknown>, now: number): void {
    this.origins.push(origin)
    this.values.push(origin.value)
    if (origin.goodUntil < this.goodUntil && origin.goodUntil >= now) this.goodUntil = origin.goodUntil
  }

  /** Whether nothing was noted: of such an answer nobody knows what it was made of. */
  get isEmpty(): boolean {
    return this.origins.length === 0
  }

  /** Notes all that was read for a part of the answer. */
  noteAll(part: Dependencies): void {
    this.origins.push(...part.origins)
    this.values.push(...part.values)
    if (part.goodUntil < this.goodUntil) this.goodUntil = part.goodUntil
  }

  /** Whether everything still is what it was when it was read. */
  isCurrent(): boolean {
    for (let n = 0; n < this.origins.length; n++) {
      if (this.origins[n]?.value !== this.values[n]) return false
    }
    return true
  }

  /** When the first of what was read is to be replaced, epoch milliseconds; infinite where nobody knows. */
  get due(): number {
    return this.origins.reduce((first, { due }) => Math.min(first, due), Infinity)
  }
}

/** Where the reads of the answer at hand are noted; nowhere by default. */
export const CurrentDependencies = Context.Reference<Dependencies | undefined>(
  "crypto-data-api/services/refresh/Dependencies",
  {
    defaultValue: () => undefined
  }
)

/** The origin's value, noted as read. */
export const read = <A>(origin: ReadonlyVersionedRef<A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    fiber.getRef(CurrentDependencies)?.note(origin, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe())
    return Effect.succeed(origin.value)
  })

/**
 * The effect; if it notes nothing, whatever is made of it is good for the moment only. For services that may be somebody else's
 * implementation, which does not note what it reads.
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
 * Remembers what an input came to until something that was read for it changes or may not be used any more; failures are not
 * remembered. At most `capacity` inputs in each of two generations, of which the older is dropped whole.
 */
export const remembering = <I, A, E, R>(
  capacity: number,
  keyOf: (input: I) => string,
  find: (input: I) => Effect.Effect<A, E, R>
): ((input: I) => Effect.Effect<A, E, R>) => {
  type Found = { readonly answer: Effect.Effect<A>; readonly reads: Dependencies }
  let young = new Map<string, Found>()
  let old = new Map<string, Found>()

  const keep = (key: string, found: Found) => {
    if (young.size >= capacity) {
      old = young
      young = new Map()
    }
    young.set(key, found)
  }

  return (input) =>
    Effect.withFiber((fiber) => {
      const key = keyOf(input)
      const outer = fiber.getRef(CurrentDependencies)
      const known = young.get(key) ?? old.get(key)
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      if (known !== undefined && now <= known.reads.goodUntil && known.reads.isCurrent()) {
        outer?.noteAll(known.reads)
        return known.answer
      }
      const reads = new Dependencies()
      return Effect.provideService(find(input), CurrentDependencies, reads).pipe(
        Effect.tap((answer) => Effect.sync(() => keep(key, { answer: Effect.succeed(answer), reads }))),
        Effect.ensuring(Effect.sync(() => outer?.noteAll(reads)))
      )
    })
}
