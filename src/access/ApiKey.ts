// What a key looks like: `cda_`, 32 random base62 characters (190 bits), and the CRC32 of all that in 6 base62 characters, so
// that a typo is told from a key without asking anybody. Only a key's SHA-256 is ever kept; random keys need no salt.
import { Schema } from "effect"
import { createHash } from "node:crypto"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const SHAPE = /^cda_[0-9A-Za-z]{38}$/

const RANDOM_LENGTH = 32

/** What is kept of a key. `label` is the operator's own; two live keys may share one while one replaces the other. */
export const KeyRecord = Schema.Struct({
  /** SHA-256 of the whole key, hex. */
  hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
  plan: Schema.Literals(["developer", "business"]),
  label: Schema.String,
  created: Schema.DateTimeUtcFromString,
  expires: Schema.NullOr(Schema.DateTimeUtcFromString),
  revoked: Schema.NullOr(Schema.DateTimeUtcFromString)
})

/** {@link KeyRecord}. */
export type KeyRecord = typeof KeyRecord.Type

/** A key from 32 uniformly random numbers below 62. */
export const fromRandom = (random: ReadonlyArray<number>): string => {
  if (random.length !== RANDOM_LENGTH) throw new RangeError(`a key takes ${RANDOM_LENGTH} random numbers`)
  const body = `cda_${random.map((n) => ALPHABET.charAt(n)).join("")}`
  return body + checksum(body)
}

/** Whether this can be a key at all: shape and checksum. */
export const isWellFormed = (text: string): boolean =>
  SHAPE.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)

/** What a key is known by. */
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex")

/** CRC-32 (IEEE 802.3, as in zlib) in six base62 digits, most significant first. */
const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let n = 0; n < 6; n++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
