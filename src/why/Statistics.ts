// The few statistics that figures are reduced to.

/** The arithmetic mean; NaN of none. */
export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean square of the distances from the mean; NaN of none. */
export const variance = (values: ReadonlyArray<number>): number => {
  const centre = mean(values)
  return mean(values.map((value) => (value - centre) ** 2))
}

/** The middle value; `null` of none. */
export const median = (values: ReadonlyArray<number>): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[middle - 1]
  if (upper === undefined) return null
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2
}

/** Slope of the second value of each pair on the first (least squares); `null` where the first does not vary. */
export const slopeOf = (pairs: ReadonlyArray<readonly [x: number, y: number]>): number | null => {
  const meanX = mean(pairs.map(([x]) => x))
  const meanY = mean(pairs.map(([, y]) => y))
  const variance = pairs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const covariance = pairs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return variance === 0 ? null : covariance / variance
}

/** Pearson's correlation of the values of pairs, -1 to 1; 0 where one of them does not vary. */
export const correlationOf = (pairs: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const meanX = mean(pairs.map(([x]) => x))
  const meanY = mean(pairs.map(([, y]) => y))
  const covariance = mean(pairs.map(([x, y]) => (x - meanX) * (y - meanY)))
  const spread = Math.sqrt(mean(pairs.map(([x]) => (x - meanX) ** 2)) * mean(pairs.map(([, y]) => (y - meanY) ** 2)))
  return spread === 0 ? 0 : covariance / spread
}
