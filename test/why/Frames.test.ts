// How frames are read, and that each kind is recognised in words that its headlines elsewhere in these tests do not use.
import { assert, describe, it } from "@effect/vitest"
import { framesTest } from "../../src/why/Frames.ts"
import { hasClass, tokenize } from "../../src/why/Tokens.ts"
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

  it("are of the classes of each base form", () => {
    assert.isTrue(hasClass("robbed", ["HACK"]) && hasClass("robbed", ["LOSE"]))
  })

  it("have the singular of -ves", () => {
    assert.deepStrictEqual(lemmas("thieves"), ["thief"])
  })

  it("of numbers tell amounts, money and percent", () => {
    const classesOf = (text: string) => [...(tokenize(text)[0]?.classes ?? [])]
    assert.deepStrictEqual(classesOf("$800m in grants"), ["NUM", "MONEY", "AMOUNT"])
    assert.deepStrictEqual(classesOf("40 million"), ["NUM", "AMOUNT"])
    assert.deepStrictEqual(classesOf("12% lower"), ["NUM", "PERCENT"])
  })

  it("of a dollar's name are a stablecoin", () => {
    assert.isTrue(hasClass("crvusd slips", ["STABLE"]))
    assert.isFalse(hasClass("busy day", ["STABLE"]))
  })
})

describe("a frame", () => {
  const fits = (frame: string, text: string) => framesTest([frame])(text)

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
    assert.isFalse(framesTest(undefined)("anything"))
    assert.isFalse(framesTest([])("anything"))
  })
})

const unlisted: ReadonlyArray<readonly [kind: string, sign: 1 | -1, title: string]> = [
  ["exploit", -1, "Kadena's cross-chain gateway raided overnight, $31M gone"],
  ["outage", -1, "Kadena has been stuck on the same block since dawn"],
  ["insolvency", -1, "Crypto lender with heavy Kadena exposure seeks court protection from creditors"],
  ["depeg", -1, "Kadena's dollar-linked stablecoin sinks to 84 cents"],
  ["delisting", -1, "Binance gives Kadena holders two weeks as pairs are retired"],
  ["listing", 1, "Kadena becomes tradable for Robinhood's US customers"],
  ["regulatory", 1, "Court tosses fraud claims against Kadena's makers"],
  ["etf", 1, "Nasdaq seeks permission to trade shares of a spot Kadena trust"],
  ["treasury", 1, "Japanese hotel group puts a tenth of its reserves into KDA"],
  ["funding", 1, "Kadena secures nine-figure backing from Sequoia and Pantera"],
  ["partnership", 1, "Swift runs settlement trial over Kadena"],
  ["upgrade", 1, "Kadena's long-promised main network is finally open for business"],
  ["migration", 1, "Kadena to fold into Radix in all-token deal"],
  ["tokenomics", 1, "Kadena to spend all trading fees on its own token"],
  ["token_unlock", -1, "A fifth of Kadena's supply is freed for early backers today"],
  ["airdrop", 1, "Kadena to hand stakers 5% of new token"],
  ["whale", -1, "Early Kadena investor ships $35M of coins to Binance"],
  ["liquidations", -1, "Leveraged Kadena longs worth $45M wiped off the books"],
  ["social", 1, "Musk puts Kadena mascot on his profile"],
  ["leadership", -1, "Kadena CTO and three core engineers call it a day"]
]

describe("a denial", () => {
  it("counts in its own clause only", () => {
    const best = headlineScore("Do not connect: thieves loot Kadena's wallets", -1)
    assert.strictEqual(best.kind, "exploit")
    assert.isAtLeast(best.score, DRIVER_THRESHOLD)
    assert.isBelow(headlineScore("Thieves did not loot Kadena's wallets", -1).score, DRIVER_THRESHOLD)
  })
})

describe("kinds in other words", () => {
  for (const [kind, sign, title] of unlisted)
    it(`${kind}: ${title}`, () => {
      const best = headlineScore(title, sign)
      assert.strictEqual(best.kind, kind, JSON.stringify(best))
      assert.isAtLeast(best.score, DRIVER_THRESHOLD)
    })

  for (const [sign, title] of [
    [1, "Inside Kadena's plan to win over developers"],
    [-1, "Crypto trader loses fortune on Kadena bet"],
    [1, "Kadena's co-founder speaks about decentralization"],
    [1, "Kadena tops list of week's best performers"],
    [-1, "Kadena slides below one dollar"]
  ] as const)
    it(`nothing: ${title}`, () => {
      assert.isBelow(headlineScore(title, sign).score, DRIVER_THRESHOLD)
    })
})
