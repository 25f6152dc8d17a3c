// The figures of a row that are compared with those of other rows. A `null` is not compared.
import { isWithinFactor } from "../../domain/Plausibility.ts"

export type Figures = ReadonlyArray<number | null>

/** Whether `compare` holds for all figures that both have. */
const isEvery = (some: Figures, others: Figures, compare: (a: number, b: number) => boolean): boolean =>
  some.every((figure, n) => {
    const other = others[n] ?? null
    return figure === null || other === null || compare(figure, other)
  })

/** Whether all figures differ by at most a share of the others. */
export const isNear = (some: Figures, others: Figures, share: number): boolean =>
  isEvery(some, others, (a, b) => a === b || Math.abs(a / b - 1) <= share)

/** Whether a figure differs from the former one by more than a factor, up or down. */
export const isJump = (next: Figures, former: Figures, factor: number): boolean =>
  !isEvery(next, former, (a, b) => isWithinFactor(a, b, factor))

/** The largest factor between the figures of two rows, at least 1. */
export const distance = (some: Figures, others: Figures): number =>
  some.reduce<number>((most, figure, n) => {
    const other = others[n] ?? null
    return figure === null || other === null ? most : Math.max(most, figure / other, other / figure)
  }, 1)

/** Whether a row that should have figures has none. */
export const isEmpty = (figures: Figures): boolean => figures.length > 0 && figures.every((figure) => figure === null)

/** The figures, each missing one replaced by the former one. */
export const filled = (figures: Figures, former: Figures | undefined): Figures =>
  figures.map((figure, n) => figure ?? former?.[n] ?? null)
