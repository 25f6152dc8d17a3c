// The model of headlines: its weights are those of the headlines it is fitted to, and it knows words that no frame has.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { outlookOf } from "../../src/why/HeadlineModel.ts"
import { MASKS } from "../../src/why/Lexicon.ts"
import { isWhole } from "../isWhole.ts"
import { modelFile, modelText } from "./model/fit.ts"

const outlook = (title: string, summary = "") => outlookOf(title.replaceAll("COIN", MASKS.coin).toLowerCase(), summary)

describe("the model of headlines", () => {
  it.runIf(isWhole)(
    "has the weights that its headlines give: npm run why:fit",
    () => {
      assert.strictEqual(readFileSync(modelFile, "utf8"), modelText())
    },
    60_000
  )

  it("says how likely a text tells of no event, of good news and of bad news", () => {
    for (const text of ["", "COIN", "Main customer of COIN walks away", "naïve 漢字 $5m"]) {
      const { bad, good, none } = outlook(text)
      assert.closeTo(bad + good + none, 1, 1e-9)
      assert.isAbove(Math.min(bad, good, none), 0)
    }
  })

  it("tells events from what happens every week, and good from bad, in words of its own", () => {
    for (const title of ["Main customer of COIN walks away", "Wholesaler cuts ties with COIN's operator"])
      assert.isAbove(outlook(title).bad, 0.6, title)
    for (const title of [
      "Supermarket giant picks COIN for its tills",
      "Regulator ends its case against COIN with no charge"
    ])
      assert.isAbove(outlook(title).good, 0.6, title)
    for (const title of ["Weekly call of COIN stewards: notes", "EXCH adds COIN to savings at 3%", "Why COIN is loved"])
      assert.isAbove(outlook(title).none, 0.6, title)
  })

  it("lets a summary count beside its headline", () => {
    const title = "A word on COIN"
    const told = outlook(title, "the company lost its licence and will close")
    assert.isAbove(told.bad, outlook(title).bad)
  })
})
