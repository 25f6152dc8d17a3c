// How a masked headline is read: the kinds of events, the clause that a denial is of, and the reason that is given for a move.
import { assert, describe, it } from "@effect/vitest"
import { read, readWide } from "../../src/why/EventKind.ts"
import { MASKS, reasonIn, saidIn } from "../../src/why/Lexicon.ts"
import { DRIVER_THRESHOLD } from "../../src/why/Scoring.ts"
import { headlineScore } from "./support.ts"

const { coin, exch, other } = MASKS

const kindsIn = (title: string, sign = 1) => [read(title, "", sign)?.kind ?? []].flat()

describe("a kind of event", () => {
  it("is the first whose words a title has, all that it needs and none that cancels it", () => {
    assert.deepStrictEqual(kindsIn(`${exch} will list ${coin}`), ["listing"])
    assert.deepStrictEqual(kindsIn(`${coin} will make a list`), [])
    assert.deepStrictEqual(kindsIn(`${exch} will list ${coin} hack victims`), ["exploit"])
    assert.deepStrictEqual(kindsIn(`${exch} will list ${coin} card`), [])
  })

  it("has whole words", () => {
    assert.deepStrictEqual(kindsIn(`${coin} bridge hacked`), ["exploit"])
    assert.deepStrictEqual(kindsIn(`${coin} bridge shacked`), [])
  })

  it("pushes the way of its words, of the move that the title explains by it, or of its kind", () => {
    const signOf = (title: string, sign: number) => read(title, "", sign)?.sign
    assert.strictEqual(signOf(`sec sues ${coin} foundation`, 1), -1)
    assert.strictEqual(signOf(`judge throws out claims against ${coin}`, -1), 1)
    assert.strictEqual(signOf(`${coin} mainnet launched`, -1), 1)
    assert.strictEqual(signOf(`${coin} mainnet launch delayed`, 1), -1)
    assert.strictEqual(signOf(`${coin} slides after mainnet launch`, -1), -1)
  })

  it("is what a headline says in other words", () => {
    for (const [title, kind] of [
      [`${coin} treasury finds intruder in its systems`, "exploit"],
      [`${coin} to spend all its fees on its own coin`, "tokenomics"],
      [`${coin} stablecoin is changing hands at 93 cents`, "depeg"],
      [`jakarta outlaws ${coin}`, "regulatory"]
    ] as const)
      assert.deepStrictEqual(kindsIn(title, -1), [kind], title)
    assert.deepStrictEqual(kindsIn(`${coin} is changing hands at 93 cents`), [])
    assert.deepStrictEqual(kindsIn(`${exch} plans options on spot ${coin} funds`), [])
  })

  it("is read in a summary only where that names the coin", () => {
    const inSummary = (summary: string) => read("news of the day", summary, -1)
    assert.strictEqual(inSummary(`${coin} bridge hacked.`)?.kind, "exploit")
    assert.isBelow(inSummary(`${coin} bridge hacked.`)?.weight ?? 1, 0.6)
    assert.isNull(inSummary(`${other} bridge hacked.`))
  })
})

describe("an event that moves all prices", () => {
  const wideIn = (title: string) => readWide(title).map(({ kind, sign }) => [kind, sign])

  it("is war, and its end", () => {
    assert.deepStrictEqual(wideIn("russia launches hundreds of drones overnight"), [["macro", -1]])
    assert.deepStrictEqual(wideIn("ukraine accepts a truce"), [["macro", 1]])
    assert.deepStrictEqual(wideIn("russia shows new drones"), [])
    assert.deepStrictEqual(wideIn("russia fires a drone maker's chief"), [])
    assert.deepStrictEqual(wideIn("founders of two wallets agree on a truce"), [])
  })

  it('pushes the way of what follows "but"', () => {
    assert.deepStrictEqual(wideIn("ecb lowers rates but warns of fewer cuts"), [["macro", -1]])
    assert.deepStrictEqual(wideIn("ecb raises rates but hopes for a pause"), [["macro", 1]])
  })

  it("is no level of a currency", () => {
    assert.deepStrictEqual(wideIn("yen slips to its lowest against the franc"), [])
    assert.strictEqual(wideIn("yen surges as its central bank steps in").length, 1)
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
    const title = `after a vote with a close result, ${coin} falls as an exchange is hacked`
    assert.strictEqual(reasonIn(title, -1), " an exchange is hacked")
    assert.isNull(reasonIn(title, 1))
    assert.strictEqual(reasonIn(`${coin} hits five-month high as auctions get a date`, 1), " auctions get a date")
  })

  it("is none where it only says what traders did", () => {
    assert.deepStrictEqual(kindsIn(`${coin} jumps as traders return to the harbour`), [])
    assert.deepStrictEqual(kindsIn(`${coin} jumps as its largest landlord opens doors`), ["other"])
  })
})

describe("the words that say what happened", () => {
  it("have no endings, and no verbs of the price, fillers, figures or names", () => {
    assert.deepStrictEqual(saidIn(`${coin} soars 12% after the harbours closed`), ["harbour", "clos"])
    assert.deepStrictEqual(saidIn(`traders say ${coin} rises today`), [])
  })
})
