// Rounds and writes numbers. Only published figures are rounded; arithmetic keeps every digit.
import { BigDecimal } from "effect"

/** The significant digits of a computed figure. */
export const DERIVED_DIGITS = 12

/** Rounds to `digits` significant digits, half away from zero like `toPrecision`. */
export const roundSignificant = (value: number, digits: number = DERIVED_DIGITS): number =>
  Number(value.toPrecision(digits))

/** Rounds a computed figure for publication: 12 significant digits. */
export const derived = (value: number): number => roundSignificant(value)

/** The number of significant digits of an exact decimal. */
export const significantDigits = (value: BigDecimal.BigDecimal): number => digitsOf(BigDecimal.normalize(value))

/** The digits of a decimal without zeros at its end. */
const digitsOf = ({ value }: BigDecimal.BigDecimal): number => String(value < 0n ? -value : value).length

/** Rounds an exact decimal to `digits` significant digits. */
export const roundDecimal = (value: BigDecimal.BigDecimal, digits: number = DERIVED_DIGITS): BigDecimal.BigDecimal => {
  const normal = BigDecimal.normalize(value)
  const excess = digitsOf(normal) - digits
  return excess <= 0 ? normal : BigDecimal.normalize(BigDecimal.round(normal, { scale: normal.scale - excess }))
}

/** A finite number written as a plain decimal: `1e-7` becomes `0.0000001`, `1e21` becomes `1000000000000000000000`. */
export const plain = (value: number): string => {
  const shortest = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(shortest)
  return match === null ? shortest : shift(match[1] ?? "", match[2] ?? "", match[3] ?? "", Number(match[4]))
}

/** An exact decimal written the same way, with all its digits. */
export const plainDecimal = (value: BigDecimal.BigDecimal): string => {
  const normal = BigDecimal.normalize(value)
  const digits = normal.value.toString()
  return digits.startsWith("-") ? shift("-", digits.slice(1), "", -normal.scale) : shift("", digits, "", -normal.scale)
}

const shift = (sign: string, whole: string, fraction: string, exponent: number): string => {
  const digits = whole + fraction
  const point = whole.length + exponent
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits + "0".repeat(point - digits.length)
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Rounds to this many decimals, half away from zero. */
export const roundTo = (value: number, decimals: number): number =>
  BigDecimal.toNumberUnsafe(
    BigDecimal.round(BigDecimal.fromNumberUnsafe(value), { scale: decimals, mode: "half-from-zero" })
  )

/**
 * `a − b` without float noise: computed from the decimal forms of the numbers, so that 0.3 − 0.1 is 0.2, and the difference of two
 * close figures is exact.
 */
export const difference = (a: number, b: number): number =>
  Number.isFinite(a) && Number.isFinite(b)
    ? BigDecimal.toNumberUnsafe(BigDecimal.subtract(BigDecimal.fromNumberUnsafe(a), BigDecimal.fromNumberUnsafe(b)))
    : a - b

/** Compounds two changes in percent without float noise: +10 % and then −10 % is −1 %. */
export const compounded = (first: number, second: number): number => {
  if (!Number.isFinite(first) || !Number.isFinite(second)) return first + second
  const [a, b] = [BigDecimal.fromNumberUnsafe(first), BigDecimal.fromNumberUnsafe(second)]
  const both = BigDecimal.multiply(BigDecimal.multiply(a, b), BigDecimal.make(1n, 2))
  return BigDecimal.toNumberUnsafe(BigDecimal.sum(BigDecimal.sum(a, b), both))
}

/** How far `a` is above `b`, percent of `b`; negative below it. */
export const percentAbove = (a: number, b: number): number => (difference(a, b) / b) * 100

/** The mean of some figures, from the exact sum of their decimals: it does not depend on their order. */
export const mean = (figures: ReadonlyArray<number>): number =>
  BigDecimal.toNumberUnsafe(BigDecimal.sumAll(figures.map(BigDecimal.fromNumberUnsafe))) / figures.length
