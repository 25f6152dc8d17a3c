// How frames are read: classes of words, the gaps between them, and the clause that a denial is of.
import { assert, describe, it } from "@effect/vitest"
import { framed, framesTest } from "../../src/why/Frames.ts"
import { read } from "../../src/why/EventKind.ts"
import { MASKS, reasonIn } from "../../src/why/Lexicon.ts"
import { tokenize } from "../../src/why/Tokens.ts"
import { DRIVER_THRESHOLD } from "../../src/why/Scoring.ts"
import { headlineScore } from "./support.ts"

const lemmas = (text: string) => tokenize(text).map(({ lemma }) => lemma)

describe("tokens", () => {
  it("have the base form of what the lists hold: regular, irregular, of several words", () => {
    assert.deepStrictEqual(lemmas("halts halting halted stole withdrew denies dropped"), [
      "halt",
      "halt",
      "halt",
      "steal",
      "withdraw",
      "deny",
      "drop"
    ])
    assert.deepStrictEqual(lemmas("flash-loan calls it quits"), ["flash_loan", "call_it_quits"])
    assert.deepStrictEqual(lemmas("the founder's zorbing"), ["the", "founder", "zorbing"])
  })

  it("have the singular of -ves", () => {
    assert.deepStrictEqual(lemmas("thieves"), ["thief"])
  })

  it("of numbers tell amounts, money and percent", () => {
    const classesOf = (text: string) => [...(tokenize(text)[0]?.names ?? [])].filter((name) => /^[A-Z]+$/.test(name))
    assert.deepStrictEqual(classesOf("$800m in grants"), ["NUM", "MONEY", "AMOUNT"])
    assert.deepStrictEqual(classesOf("40 million"), ["NUM", "AMOUNT"])
    assert.deepStrictEqual(classesOf("12% lower"), ["NUM", "PERCENT"])
  })
})

describe("a frame", () => {
  const fits = (frame: string, text: string) => framesTest([frame])(framed(text))

  it("is a row of classes and words, with at most five other words between two of them", () => {
    assert.isTrue(fits("EXCH STOP pair", "xxexch will soon be retiring two old pairs"))
    assert.isFalse(fits("EXCH STOP pair", "two old pairs were retired by xxexch"))
    assert.isTrue(fits("a z", "a b c d e f z"))
    assert.isFalse(fits("a z", "a b c d e f g z"))
  })

  it("says with a sign how far two slots may be apart", () => {
    assert.isTrue(fits("a + z", "a z"))
    assert.isFalse(fits("a + z", "a b z"))
    assert.isTrue(fits("a ~ z", "a b c z"))
    assert.isFalse(fits("a ~ z", "a b c d z"))
    assert.isTrue(fits("a … z", "a b c d e f g h i j k z"))
  })

  it("ends with its sentence, which the points of U.S. do not end", () => {
    assert.isFalse(fits("a z", "we met a. then z left"))
    assert.isFalse(fits("a z", "a left; z stayed"))
    assert.isTrue(fits("by court", "ruled by u.s. court"))
    for (const stop of [". ", '." ', "?) ", "; ", '."', "! - "])
      assert.isFalse(fits("a z", `we met a${stop}z left`), `after ${stop}`)
    for (const sign of [", ", " .- ", ": ", " $ ", '" '])
      assert.isTrue(fits("a z", `we met a${sign}z left`), `after ${sign}`)
  })

  it("holds alternatives, and exact forms", () => {
    assert.isTrue(fits("x|y z", "y z"))
    assert.isTrue(fits("=listed", "it is listed"))
    assert.isFalse(fits("=listed", "it lists"))
  })

  it("that is missing never fits", () => {
    assert.isFalse(framesTest(undefined)(framed("anything")))
    assert.isFalse(framesTest([])(framed("anything")))
  })
})

describe("a denial", () => {
  it("counts in its own clause only", () => {
    const best = headlineScore("Do not connect: thieves loot Kadena's wallets", -1)
    assert.strictEqual(best.kind, "exploit")
    assert.isAtLeast(best.score, DRIVER_THRESHOLD)
    assert.isBelow(headlineScore("Thieves did not loot Kadena's wallets", -1).score, DRIVER_THRESHOLD)
  })
})

describe("the reason that a headline gives", () => {
  it("stands after the verb of the price, whatever stands before it", () => {
    const title = `after a vote with a close result, ${MASKS.coin} falls as an exchange is hacked`
    assert.strictEqual(reasonIn(title, -1), " an exchange is hacked")
    assert.isNull(reasonIn(title, 1))
    assert.strictEqual(reasonIn(`${MASKS.coin} hits five-month high as auctions get a date`, 1), " auctions get a date")
  })

  it("is none where it only states the price of another coin, or the season", () => {
    const kindsIn = (title: string) => read(title, "", 1, false).map(({ kind }) => kind)
    assert.deepStrictEqual(kindsIn(`${MASKS.coin} jumps as ${MASKS.other} taps $29k`), [])
    assert.deepStrictEqual(kindsIn(`${MASKS.coin} explodes to three-year high as "uptober" kicks off`), [])
    assert.deepStrictEqual(kindsIn(`${MASKS.coin} jumps as its largest landlord opens doors`), ["other"])
  })
})
