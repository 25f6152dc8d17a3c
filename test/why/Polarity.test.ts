// Which way words lean, and what turns them around.
import { assert, describe, it } from "@effect/vitest"
import { polarityOf } from "../../src/why/Polarity.ts"

const leaning = (text: string): number => Math.sign(polarityOf(text))

describe("a leaning", () => {
  it("is that of the words where nothing is done to them", () => {
    assert.strictEqual(leaning("xxcoin wins a licence"), 1)
    assert.strictEqual(leaning("xxcoin hit by an outage"), -1)
    assert.strictEqual(leaning("xxcoin names its new yard"), 0)
  })

  it("is turned around by what undoes a word in the same phrase, before it or, in matters of law, after it", () => {
    assert.strictEqual(leaning("xxcoin probe ends without charges"), 1)
    assert.strictEqual(leaning("judge dismisses the long lawsuit"), 1)
    assert.strictEqual(leaning("xxcoin delays its upgrade"), -1)
    assert.strictEqual(leaning("no approval for xxcoin"), -1)
  })

  it("is not turned around across a preposition, nor by an attack that ends something", () => {
    assert.strictEqual(leaning("xxcoin stops vans after theft"), -1)
    assert.strictEqual(leaning("attack stops xxcoin vans"), -1)
  })
})
