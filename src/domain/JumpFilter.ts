// Holds back figures that jump by more than a factor 5 between two refreshes until the new figure is confirmed.

/** A change beyond this factor, up or down, is held back. */
export const JUMP_FACTOR = 5

/** Further refreshes that must repeat a figure (within {@link AGREEMENT}) to confirm it. */
const CONFIRMATIONS = 2

/** How close a repetition must be, as a fraction of the figure. */
export const AGREEMENT = 0.25

interface PendingFigure {
  readonly figure: number
  readonly source: string
  readonly repeated: number
}

/** The figures that are held back, by key. */
export type Pending = ReadonlyMap<string, PendingFigure>

export const nothingPending: Pending = new Map()

/**
 * Compares figures above 0 with the ones held. Returns the keys that are held back, and `pending` for the next refresh. A
 * key without a held figure passes; a figure that another source repeats is confirmed at once.
 */
export const review = (options: {
  readonly held: (key: string) => number | null | undefined
  readonly next: Iterable<readonly [key: string, figure: number]>
  readonly source: string
  readonly pending: Pending
}): { readonly heldBack: ReadonlySet<string>; readonly pending: Pending } => {
  const heldBack = new Set<string>()
  const pending = new Map<string, PendingFigure>()
  for (const [key, figure] of options.next) {
    const held = options.held(key)
    if (held === undefined || held === null || !isJump(held, figure)) continue
    const before = options.pending.get(key)
    const agrees = before !== undefined && Math.abs(figure / before.figure - 1) <= AGREEMENT
    if (agrees && (before.source !== options.source || before.repeated + 1 >= CONFIRMATIONS)) continue
    heldBack.add(key)
    pending.set(key, { figure, source: options.source, repeated: agrees ? before.repeated + 1 : 0 })
  }
  return { heldBack, pending }
}

const isJump = (held: number, next: number): boolean => next > held * JUMP_FACTOR || next < held / JUMP_FACTOR
