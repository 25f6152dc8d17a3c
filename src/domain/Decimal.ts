// Rounds numbers and writes them. Only published figures are rounded; arithmetic keeps every digit.
import { BigDecimal } from "effect"

/** Digits kept in a figure that is computed from others. */
export const DERIVED_DIGITS = 12

/** Rounds to `digits` significant digits, half away from zero as `toPrecision` does. */
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

/** Rounds to so many decimals, half away from zero. */
export const roundTo = (value: number, decimals: number): number =>
  BigDecimal.toNumberUnsafe(
    BigDecimal.round(BigDecimal.fromNumberUnsafe(value), { scale: decimals, mode: "half-from-zero" })
  )
