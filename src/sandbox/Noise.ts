// Deterministic noise: every number is a hash of a key and a step, so that the same seed and time give the same world,
// regardless of earlier calls. Not cryptographic.

/** A key for {@link unit} and {@link wave}: the seed and any words, hashed (FNV-1a). */
export const keyOf = (seed: number, ...words: ReadonlyArray<string>): number => {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)
  for (const char of words.join("/")) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

/** Uniform in [0, 1), one number per key and step. */
export const unit = (key: number, step: number): number => {
  let n = key ^ Math.imul(step, 0x9e3779b1)
  n = Math.imul(n ^ (n >>> 16), 0x21f0aaad)
  n = Math.imul(n ^ (n >>> 15), 0x735a2d97)
  return ((n ^ (n >>> 15)) >>> 0) / 2 ** 32
}

export const pick = (key: number, step: number, count: number): number => Math.floor(unit(key, step) * count)

/** Smooth noise in (−1, 1): a value per period, joined by S-curves. */
export const wave = (key: number, at: number, period: number): number => {
  const position = at / period
  const step = Math.floor(position)
  const fraction = position - step
  const blend = fraction * fraction * (3 - 2 * fraction)
  return (unit(key, step) * (1 - blend) + unit(key, step + 1) * blend) * 2 - 1
}

/** Waves of `[period, amplitude]`, added up. */
export const waves = (key: number, at: number, octaves: ReadonlyArray<readonly [number, number]>): number => {
  let sum = 0
  for (const [period, amplitude] of octaves) sum += amplitude * wave(key ^ period, at, period)
  return sum
}
