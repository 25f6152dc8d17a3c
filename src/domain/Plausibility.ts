// The plausible bounds of figures, the same for all sources. Bounds are wide: every figure that was ever true passes, and
// impossible ones (a wrong unit, a wrong column, a lie) do not. Every figure of a source goes through a `Check` before it is
// stored; the files `Plausible*` have one for each kind of answer.
import type { DateTime } from "effect"

/** Inclusive, except `above`. Sources write "unknown" as 0, so at `above: 0` a 0 is dropped without a count. */
export interface Bounds {
  readonly above?: number
  readonly least?: number
  readonly most: number
  /** Whole numbers only. */
  readonly isWhole?: true
}

/** Money in USD, shares and changes in percent, unless noted. */
export const bounds = {
  /** A coin's price. The most expensive coins cost some hundred thousand, the cheapest about 1e-12. */
  price: { above: 0, least: 1e-24, most: 1e9 },
  /** A coin's market cap. 1e14 is about the world's yearly product. */
  coinCap: { above: 0, most: 1e14 },
  /** The cap of all coins together: 4e12 at its peak in 2025. */
  marketCap: { above: 0, most: 1e15 },
  /** Turnover of a coin in 24 hours; 0 is possible. */
  coinVolume: { least: 0, most: 1e14 },
  marketVolume: { least: 0, most: 1e15 },
  /** Coins in existence. The largest supplies in the registry are about 2e17. */
  supply: { above: 0, most: 1e24 },
  rank: { above: 0, most: 1e6, isWhole: true },
  /** Nothing loses more than 100 %; new coins have risen a thousandfold in a day. */
  change: { least: -100, most: 1e6 },
  share: { least: 0, most: 100 },
  count: { above: 0, most: 1e8, isWhole: true },
  /** Units per 1 USD: the Kuwaiti dinar is near 0.3, the Iranian rial past a million. */
  fiatRate: { least: 0.01, most: 1e7 }
} as const satisfies Readonly<Record<string, Bounds>>

export const isWithin = (value: number, { above = -Infinity, isWhole, least = -Infinity, most }: Bounds): boolean =>
  Number.isFinite(value) && value > above && value >= least && value <= most && (!isWhole || Number.isInteger(value))

/** Whether two figures above 0 differ by at most a factor. */
export const isWithinFactor = (a: number, b: number, factor: number): boolean => a <= b * factor && b <= a * factor

/** The plausible part of an answer; `value` is `null` if all of it is refused. */
export interface Plausible<out A> {
  readonly value: A | null
  /** The number of dropped figures, by name. */
  readonly leftOut: ReadonlyMap<string, number>
  /** The time of the newest remaining row, if rows have their own times. */
  readonly newest?: DateTime.Utc | undefined
}

/** Checks one answer alone. Jumps against earlier figures are withheld later, when a source is chosen. */
export type Check<A> = (value: A, circumstances: { readonly now: DateTime.Utc }) => Plausible<A>

/** Bounds for every figure of a row. A numeric member without bounds does not type-check. */
export type BoundsOf<A> = {
  readonly [K in keyof A as number extends A[K] ? K : never]-?: Bounds
}

/** Whether a type contains a number anywhere but in a time. */
export type HasFigures<A> = A extends number
  ? true
  : A extends string | boolean | null | undefined | DateTime.DateTime
    ? false
    : A extends ReadonlyMap<unknown, infer V> | ReadonlyArray<infer V>
      ? HasFigures<V>
      : A extends object
        ? { [K in keyof A]-?: HasFigures<A[K]> }[keyof A]
        : false

export class Tally {
  readonly leftOut = new Map<string, number>()

  add(figure: string): void {
    this.leftOut.set(figure, (this.leftOut.get(figure) ?? 0) + 1)
  }

  /** The value if it is within bounds, else `null`. */
  bounded(figure: string, value: number | null, bounds: Bounds): number | null {
    if (value === null || isWithin(value, bounds)) return value
    if (value !== bounds.above) this.add(figure)
    return null
  }

  /** The row with `null` for every figure that is out of bounds. */
  row<A extends object>(row: A, table: BoundsOf<A>): A {
    const known: ReadonlyMap<string, Bounds> = new Map(Object.entries(table))
    const checked = Object.entries({ ...row }).map(([figure, value]: [string, unknown]) => {
      const limits = known.get(figure)
      return [figure, limits !== undefined && typeof value === "number" ? this.bounded(figure, value, limits) : value]
    })
    return { ...row, ...Object.fromEntries(checked) }
  }
}
