// The bit-parallel distance against the table that defines it, up to a word of 32 code units.
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { LONGEST_WORD, spelledLike } from "../../src/domain/spelledLike.ts"

/** Optimal string alignment distance by its definition: the full table. */
const distance = (a: string, b: string): number => {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => i + j))
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = table[i] ?? []
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Infinity
      )
    }
  }
  return at(a.length, b.length)
}

const Letter = Schema.Literals(["a", "b", "c", "é"])
const word = (longest: number) => Schema.Array(Letter).check(Schema.isMinLength(1), Schema.isMaxLength(longest))

const Typo = Schema.Tuple([
  Schema.Literals(["insert", "delete", "replace", "swap"]),
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
])

it.prop(
  "agrees with the definition of the distance, up to the longest word",
  { letters: word(LONGEST_WORD), other: word(LONGEST_WORD + 3) },
  ({ letters, other }) => {
    const [wanted, text] = [letters.join(""), other.join("")]
    for (const errors of [0, 1, 2, 3, 4, 20]) {
      assert.strictEqual(spelledLike(wanted, errors)(text), distance(wanted, text) <= errors)
    }
  },
  { arbitrary: { runs: 1_000 } }
)

it.prop(
  "agrees with the definition where a word was mistyped up to three times",
  { letters: word(LONGEST_WORD), typos: Schema.Array(Typo).check(Schema.isMaxLength(3)) },
  ({ letters, typos }) => {
    const wanted = letters.join("")
    const text = typos.reduce((typed, [kind, where]) => {
      const at = where % (typed.length + 1)
      const [before, after] = [typed.slice(0, at), typed.slice(at)]
      if (kind === "insert") return `${before}b${after}`
      if (kind === "delete") return before + after.slice(1)
      if (kind === "replace") return `${before}c${after.slice(1)}`
      return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)
    }, wanted)
    for (const errors of [0, 1, 2, 3]) {
      assert.strictEqual(spelledLike(wanted, errors)(text), distance(wanted, text) <= errors)
    }
  },
  { arbitrary: { runs: 1_000 } }
)

it("counts a swap of neighbours as one error", () => {
  assert.isTrue(spelledLike("bitcoin", 1)("bitcion"))
  assert.isFalse(spelledLike("bitcoin", 1)("btcion"))
})
