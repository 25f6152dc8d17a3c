// The format of an API key: `cda_`, 32 random base62 characters (190 bits), and the CRC-32 of those 36 characters as 6
// base62 characters. The checksum rejects a mistyped key without a look-up. Only the SHA-256 of a key is stored; keys
// are random, so the hash needs no salt.
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const SHAPE = /^cda_[0-9A-Za-z]{38}$/

const RANDOM_LENGTH = 32

/** Requests per window. */
export const Limit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

/**
 * The stored record of a key. `label` is free text of the operator and need not be unique: a key and its replacement
 * may both be live under one label.
 */
export const KeyRecord = Schema.Struct({
  /** SHA-256 of the whole key, hex. */
  hash: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)),
  plan: Schema.Literals(["developer", "business"]),
  /** Requests per window where the key has a limit of its own, instead of that of its plan. */
  limit: Schema.optionalKey(Limit),
  label: Schema.String,
  created: Schema.DateTimeUtcFromString,
  expires: Schema.NullOr(Schema.DateTimeUtcFromString),
  revoked: Schema.NullOr(Schema.DateTimeUtcFromString)
})

export type KeyRecord = typeof KeyRecord.Type

/** Builds a key from 32 uniformly random integers from 0 to 61. Throws a `RangeError` on any other count. */
export const fromRandom = (random: ReadonlyArray<number>): string => {
  if (random.length !== RANDOM_LENGTH) throw new RangeError(`a key takes ${RANDOM_LENGTH} random numbers`)
  const body = `cda_${random.map((n) => ALPHABET.charAt(n)).join("")}`
  return body + checksum(body)
}

/** Whether the text has the shape and the checksum of a key. */
export const isWellFormed = (text: string): boolean =>
  SHAPE.test(text) && checksum(text.slice(0, -6)) === text.slice(-6)

/** The text with whatever may be a key redacted. */
export const withoutKeys = (text: string): string => text.replace(/cda_[0-9A-Za-z]{8,}/g, "cda_<redacted>")

/** The SHA-256 of a key in lower-case hex: its identity in the store, the listing and the quota. */
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("hex")

/** CRC-32 (IEEE 802.3) as six base62 digits, most significant first. */
const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let n = 0; n < 6; n++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
