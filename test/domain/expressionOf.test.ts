import { assert, describe, it } from "@effect/vitest"
import { expressionOf } from "../../src/domain/expressionOf.ts"
import dev from "../../build/why/bench/dev.json" with { type: "json" }
import kinds from "../../src/why/data/kinds.json" with { type: "json" }
import language from "../../src/why/data/language.json" with { type: "json" }
import list from "../../src/domain/promptInjection.json" with { type: "json" }

const texts = dev.cases
  .flatMap(({ input }) => input.evidence)
  .flatMap(({ summary, title }) => [title, summary])
  .map((text) => text.toLowerCase())

const ofKinds = Object.values(kinds.kinds).flatMap((kind) => kind.needs.map((words) => `\\b(?:${words})\\b`))

const patterns = [language.up, language.down, ...Object.values(language.wording), list.patterns, ofKinds].flat()

describe("the expression of a pattern", () => {
  it("finds what the pattern does", () => {
    for (const pattern of patterns) {
      const [written, made] = [new RegExp(pattern), expressionOf(pattern)]
      for (const text of texts) assert.deepStrictEqual(made.exec(text), written.exec(text), pattern)
    }
  })

  it("has a `\\b` only where a word begins", () => {
    assert.strictEqual(
      expressionOf("\\b(?:rises?|fell)\\b|\\bup \\d+\\b").source,
      "\\b(?:rises?|fell)(?!\\w)|\\bup \\d+(?!\\w)"
    )
    assert.strictEqual(expressionOf("^a[^.]{0,9}\\bb", "g").flags, "g")
    assert.isFalse(expressionOf("\\bfell\\b").test("it fellows"))
    assert.isTrue(expressionOf("^it\\s+\\bfell\\b").test("it fell"))
    assert.isTrue(expressionOf("^it\\s+\\b[^.]{2}l").test("it fell"))
    assert.isTrue(expressionOf("^(?:it )?\\bfell\\b$").test("it fell"))
  })
})
