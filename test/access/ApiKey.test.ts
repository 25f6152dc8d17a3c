import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fromRandom, hashOf, isWellFormed } from "../../src/access/ApiKey.ts"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const digit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 61 }))
const Random = Schema.Array(digit).check(Schema.isMinLength(32), Schema.isMaxLength(32))

const key = fromRandom(Array.from({ length: 32 }, (_, n) => (n * 37 + 11) % 62))

describe("an API key", () => {
  it("ends with the CRC-32 of the rest in base62", () => {
    // The checksums were computed with Python's zlib.crc32.
    const ascending = Array.from({ length: 32 }, (_, n) => n + 30)
    assert.strictEqual(fromRandom(Array(32).fill(0)), "cda_0000000000000000000000000000000026tGUK")
    assert.strictEqual(fromRandom(ascending), "cda_UVWXYZabcdefghijklmnopqrstuvwxyz0Ws4BR")
    assert.strictEqual(fromRandom(Array(32).fill(61)), "cda_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz0g49CE")
  })

  it.prop(
    "is cda_, 32 random base62 characters and a checksum of 6, and is well-formed",
    { random: Random },
    (test) => {
      const made = fromRandom(test.random)
      assert.match(made, /^cda_[0-9A-Za-z]{38}$/)
      assert.strictEqual(made.slice(4, 36), test.random.map((n) => ALPHABET[n]).join(""))
      assert.isTrue(isWellFormed(made))
    }
  )

  it("is rejected with any single character mistyped", () => {
    for (let at = 0; at < key.length; at++) {
      for (const char of `${ALPHABET}_- `) {
        if (char !== key[at])
          assert.isFalse(isWellFormed(key.slice(0, at) + char + key.slice(at + 1)), `${at}: ${char}`)
      }
    }
  })

  it("is rejected with two neighbours swapped, a character too few, or one too many", () => {
    for (let at = 0; at < key.length; at++) {
      const [a, b] = [key[at] ?? "", key[at + 1] ?? ""]
      if (a !== b && b !== "") assert.isFalse(isWellFormed(key.slice(0, at) + b + a + key.slice(at + 2)), `at ${at}`)
      assert.isFalse(isWellFormed(key.slice(0, at) + key.slice(at + 1)))
      assert.isFalse(isWellFormed(key.slice(0, at) + "a" + key.slice(at)))
    }
  })

  it("is rejected in another case, with blanks around it, twice, and empty", () => {
    const wrong = [key.toLowerCase(), key.toUpperCase(), ` ${key}`, `${key}\n`, `${key}, ${key}`, key + key, "", "cda_"]
    for (const text of wrong) assert.isFalse(isWellFormed(text), text)
  })

  it("is identified by its SHA-256", () => {
    // The SHA-256 of "abc" from FIPS 180-2.
    assert.strictEqual(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
