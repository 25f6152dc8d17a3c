// What an answer was made of: everything that was read on the way and the state it was in. Whoever keeps an answer learns from
// this whether it still is the answer, when it will stop being one, and when a newer one is to be expected. Reading is noted where
// it happens, so no endpoint has to say what it depends on, and none can forget to.
import { Context, Effect } from "effect"

/** Something answers are made of that is replaced from time to time, always as a whole. */
export interface Origin<out A> {
  readonly value: A
  /** Until when the value may be used, epoch milliseconds. */
  readonly goodUntil: number
  /** When the next value is to be expected, epoch milliseconds. */
  readonly due: number
}

/** The same, in the hands of its owner. A value is put in place in one step, never while somebody reads. */
export class OwnOrigin<A> implements Origin<A> {
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
export class Reads {
  private readonly origins: Array<Origin<unknown>> = []
  private readonly values: Array<unknown> = []
  /** Until when all that was read may be used, epoch milliseconds. */
  goodUntil = Infinity

  /** Notes that the origin was read as it is now. */
  note(origin: Origin<unknown>): void {
    this.origins.push(origin)
    this.values.push(origin.value)
    if (origin.goodUntil < this.goodUntil) this.goodUntil = origin.goodUntil
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
export const CurrentReads = Context.Reference<Reads | undefined>("crypto-data-api/services/Reads", {
  defaultValue: () => undefined
})

/** The origin's value, noted as read. */
export const read = <A>(origin: Origin<A>): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    fiber.getRef(CurrentReads)?.note(origin)
    return Effect.succeed(origin.value)
  })
