import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createHash, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import { fromRandom, hashOf, isWellFormed } from "../../src/access/ApiKey.ts"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const digit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 61 }))
const Random = Schema.Array(digit).check(Schema.isMinLength(32), Schema.isMaxLength(32))

const newKey = () => fromRandom(Array.from({ length: 32 }, () => randomInt(62)))

describe("a key", () => {
  it.effect.prop("is cda_, 32 base62 characters and the CRC32 of all that in 6", { random: Random }, ({ random }) =>
    Effect.sync(() => {
      const key = fromRandom(random)
      assert.match(key, /^cda_[0-9A-Za-z]{38}$/)
      assert.strictEqual(key.slice(4, 36), random.map((n) => ALPHABET[n]).join(""))
      const checksum = Array.from(key.slice(36)).reduce((sum, char) => sum * 62 + ALPHABET.indexOf(char), 0)
      assert.strictEqual(checksum, crc32(key.slice(0, 36)))
      assert.isTrue(isWellFormed(key))
    })
  )

  it("is told from one with any single character mistyped", () => {
    const key = newKey()
    for (let at = 0; at < key.length; at++) {
      for (const char of `${ALPHABET}_- `) {
        if (char === key[at]) continue
        assert.isFalse(isWellFormed(key.slice(0, at) + char + key.slice(at + 1)), `${at}: ${char}`)
      }
    }
  })

  it("is told from one with any two neighbours swapped, a character too few, or one too many", () => {
    for (let n = 0; n < 50; n++) {
      const key = newKey()
      for (let at = 0; at < key.length; at++) {
        const [a, b] = [key[at] ?? "", key[at + 1] ?? ""]
        if (a !== b && b !== "")
          assert.isFalse(isWellFormed(key.slice(0, at) + b + a + key.slice(at + 2)), `${key} at ${at}`)
        assert.isFalse(isWellFormed(key.slice(0, at) + key.slice(at + 1)))
        assert.isFalse(isWellFormed(key.slice(0, at) + "a" + key.slice(at)))
      }
    }
  })

  it("is told from its case changed, blanks around it, itself twice, and nothing", () => {
    const key = newKey()
    for (const text of [
      key.toLowerCase(),
      key.toUpperCase(),
      ` ${key}`,
      `${key}\n`,
      `${key}, ${key}`,
      key + key,
      "",
      "cda_"
    ]) {
      assert.isFalse(isWellFormed(text), text)
    }
  })

  it("is known by its SHA-256", () => {
    const key = newKey()
    assert.strictEqual(hashOf(key), createHash("sha256").update(key).digest("hex"))
  })
})
