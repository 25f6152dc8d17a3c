// The few statistics that figures are reduced to.

/** Numbers in order, typed or not. */
type Values = ArrayLike<number>

const sumOf = (length: number, at: (n: number) => number): number => {
  let sum = 0
  for (let n = 0; n < length; n++) sum += at(n)
  return sum
}

/** The arithmetic mean; NaN of none. */
export const mean = (values: Values): number => sumOf(values.length, (n) => values[n] ?? 0) / values.length

/** The middle value; `null` of none. */
export const median = (values: Values): number | null => {
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[middle - 1]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2
}

/** The sum of the products of both distances from their means. */
const productsOf = (x: Values, y: Values): number => {
  const [meanX, meanY] = [mean(x), mean(y)]
  return sumOf(x.length, (n) => ((x[n] ?? 0) - meanX) * ((y[n] ?? 0) - meanY))
}

/** The mean square of the distances from the mean; NaN of none. */
export const variance = (values: Values): number => productsOf(values, values) / values.length

/** Slope of `y` on `x` (least squares), which are equally long; `null` where `x` does not vary. */
export const slopeOf = (x: Values, y: Values): number | null => {
  const squares = productsOf(x, x)
  return squares === 0 ? null : productsOf(x, y) / squares
}

/** Pearson's correlation of equally many values, -1 to 1; 0 where one of them does not vary. */
export const correlationOf = (x: Values, y: Values): number => {
  const spread = Math.sqrt(productsOf(x, x) * productsOf(y, y))
  return spread === 0 ? 0 : productsOf(x, y) / spread
}
