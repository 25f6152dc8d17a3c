import { assert, describe, it } from "@effect/vitest"
import { isTitleCase } from "../../src/why/Linking.ts"
import { readPool } from "../../src/why/Pool.ts"
import { independent } from "../../src/why/ReportedEvent.ts"
import { plainName } from "../../src/why/RunFacts.ts"
import { cut } from "../../src/why/Writing.ts"
import { item } from "./support.ts"

describe("Text", () => {
  it("makes any name one line without markup", () => {
    assert.strictEqual(plainName(" Kadena\u0000 <b>{Coin}</b>\u202E\n*x* "), "Kadena b Coin /b x")
    assert.strictEqual(plainName("S&P 500 (Ondo)"), "S&P 500 (Ondo)")
  })

  it("cuts at a word, and shows that it did", () => {
    assert.strictEqual(cut("one two three", 9), "one two…")
    assert.strictEqual(cut("one two three", 99), "one two three")
  })

  it("tells Title Case from a sentence", () => {
    assert.isTrue(isTitleCase("Monero Tumbles as Exchange Says It Will Delist the Privacy Coin"))
    assert.isFalse(isTitleCase("Monero tumbles as the exchange says that it is out"))
  })
})

describe("independent reports", () => {
  const story = "Several pools exploited, forty million dollars at risk, the team said on Sunday afternoon"

  it("are no copies, and no second report of one owner", () => {
    const at = (host: string, title: string) => item({ id: host + title, title, url: `https://${host}/a` })
    const other = "Quite another text about the very same thing here"
    const reports = [
      at("a.com", story),
      at("b.com", `${story} in a post`),
      at("a.com", other),
      at("c.com", "Hackers empty pools of a large exchange in one night")
    ]
    assert.strictEqual(independent(readPool(reports, []).items), 2)
  })
})
