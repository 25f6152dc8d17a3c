// What a headline states of the whole market.
import { assert, describe, it } from "@effect/vitest"
import { wideReadings } from "../../src/why/WideReading.ts"

const kindsOf = (title: string) => wideReadings(title, "").map(({ kind }) => kind)

describe("a headline about the whole market", () => {
  it("states its event", () => {
    assert.include(kindsOf("fed raises rates by half a point and bitcoin slides"), "macro")
  })

  it("states none as a question, a look back, an opinion or a denial", () => {
    for (const title of [
      "will the fed raise rates by half a point?",
      "one year ago today: fed raises rates by half a point",
      "opinion: fed raises rates by half a point",
      "fed denies it raises rates by half a point"
    ])
      assert.deepStrictEqual(kindsOf(title), [], title)
  })

  it("states none of another market", () => {
    assert.deepStrictEqual(kindsOf("fed raises rates and copper slides"), [])
  })
})
