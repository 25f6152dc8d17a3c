// Disbelief: a figure that alone jumps many-fold between two refreshes is held back until it has been said again.

/** A jump beyond this factor, up or down, is not believed at once. */
export const JUMP_FACTOR = 5

/** How many further refreshes must repeat the new figure (within {@link AGREEMENT}) before it is believed. */
export const CONFIRMATIONS = 2

/** How close a repetition must be, as a fraction of the figure. */
export const AGREEMENT = 0.25

/** What is being doubted, by key: the figure that was not believed, who said it and how often it was repeated. */
export type Pending = ReadonlyMap<string, PendingFigure>

/** A figure that is not believed yet. */
export interface PendingFigure {
  readonly figure: number
  readonly source: string
  readonly repeated: number
}

/** Nothing is doubted. */
export const nothingPending: Pending = new Map()

/**
 * Compares figures with those last believed. Returns the keys that are held back and the doubts to carry to the next
 * refresh. A key without a former figure is believed; what a second source repeats is believed at once. Non-positive and
 * non-finite figures must not get here.
 */
export const review = (options: {
  readonly believed: (key: string) => number | null | undefined
  readonly next: Iterable<readonly [key: string, figure: number]>
  readonly source: string
  readonly doubts: Pending
}): { readonly heldBack: ReadonlySet<string>; readonly doubts: Pending } => {
  const heldBack = new Set<string>()
  const carried = new Map<string, PendingFigure>()
  for (const [key, figure] of options.next) {
    const former = options.believed(key)
    if (former === undefined || former === null || !isJump(former, figure)) continue
    const doubt = options.doubts.get(key)
    const agrees = doubt !== undefined && Math.abs(figure / doubt.figure - 1) <= AGREEMENT
    if (agrees && (doubt.source !== options.source || doubt.repeated + 1 >= CONFIRMATIONS)) continue
    heldBack.add(key)
    carried.set(key, { figure, source: options.source, repeated: agrees ? doubt.repeated + 1 : 0 })
  }
  return { heldBack, doubts: carried }
}

const isJump = (former: number, next: number): boolean => next > former * JUMP_FACTOR || next < former / JUMP_FACTOR
