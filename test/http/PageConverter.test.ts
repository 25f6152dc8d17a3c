// What the page's script says of amounts, conversions and searches, without a browser.
import { assert, describe, it } from "@effect/vitest"
import { amountOf, remarkOn } from "../../src/http/page/browser/Amount.ts"
import type { Problem, Search } from "../../src/http/page/browser/Answers.ts"
import { fiatsFor, foundIn } from "../../src/http/page/browser/Found.ts"
import { conversionPath, plainly, routeOf } from "../../src/http/page/browser/Route.ts"
import { lackOf, onlyOfficial } from "../../src/http/page/browser/Street.ts"
import { tabTitle } from "../../src/http/page/browser/Title.ts"

describe("an amount that is typed", () => {
  const valueOf = (text: string, isEdited = false) => amountOf(text, isEdited).value

  it("is a number with or without commas between its thousands", () => {
    assert.deepStrictEqual(
      ["250", "1,250.50", "0.5", ".5", "1234567", "7."].map((text) => valueOf(text)),
      ["250", "1250.50", "0.5", "0.5", "1234567", "7"]
    )
    assert.strictEqual(amountOf("1234567.5").text, "1,234,567.5")
    assert.strictEqual(valueOf("1,2345", true), "12345", "a digit was added to 1,234")
  })

  it("stays as it is where it is none, with a sentence and without a result", () => {
    for (const text of ["1e3", "abc", "-5", "1,5", "1.2.3", "1 000", "12,34", "1,000,00"]) {
      const { fault, text: kept, value } = amountOf(text)
      assert.deepStrictEqual([kept, value], [text, undefined])
      assert.match(fault ?? "", /[.?]$/, text)
    }
    assert.match(amountOf("1,5").fault ?? "", /1\.5/)
    for (const text of ["", "0", "0.00", "."]) {
      const amount = amountOf(text)
      assert.deepStrictEqual([amount.value, amount.fault], [undefined, undefined])
      assert.strictEqual(remarkOn(amount), "Type an amount above 0, such as 250.")
    }
    assert.isUndefined(remarkOn(amountOf("250")))
    assert.isDefined(amountOf("9".repeat(17)).fault)
    assert.isDefined(amountOf(`0.${"1".repeat(19)}`).fault)
  })

  it("is suggested where a text probably means one, and never taken", () => {
    const meant = (text: string) => {
      assert.isUndefined(valueOf(text), text)
      return /^Did you mean (.*)\?$/.exec(amountOf(text).fault ?? "")?.[1]
    }
    assert.deepStrictEqual(
      ["1e3", "5k", "2.5 M", "1bn", "1.5e-2", "₦5,000", "$1.5k", "100 ngn", "5€", "1 000", "1_000_000"].map(meant),
      ["1,000", "5,000", "2,500,000", "1,000,000,000", "0.015", "5,000", "1,500", "100", "5", "1,000", "1,000,000"]
    )
    for (const text of ["1e30", "0k", "5mln", "5x", "1.2.3", "12,34", "-5", "e3", "k"])
      assert.isUndefined(meant(text), text)
  })
})

it("a result at an official rate that people do not pay says so", () => {
  const leg = { from: "USD", to: "VES", rate: "36.5", source: "A", updated: "2026-11-27T00:00:00.000Z" } as const
  const marked = { ...leg, basis: "official", street: "not_followed" } as const
  const said = "at the official rate of the Venezuelan Bolívar. People pay another rate, which is not known here"
  assert.strictEqual(onlyOfficial([marked]), said)
  assert.strictEqual(onlyOfficial([{ ...marked, from: "VES", to: "USD" }, leg]), said)
  assert.isUndefined(onlyOfficial([leg, { ...leg, basis: "official" }]))
})

const asset = (asked: string, symbol: string, name: string) => ({ asked, symbol, name })
const naira = asset("fiat:NGN", "NGN", "Nigerian Naira")
const cedi = asset("fiat:GHS", "GHS", "Ghanaian Cedi")
const bitcoin = asset("coin:bitcoin", "BTC", "Bitcoin")

it("a missing result names the currency that has no rate, and which rate that is", () => {
  const problem: Problem = { code: "no_price", title: "No price", detail: "No rate of GHS is known on this basis." }
  const pair = { from: cedi, to: naira }
  const official = lackOf(problem, pair, "official", undefined)
  assert.strictEqual(official, "No official rate of the Ghanaian Cedi is known today.")
  const customer = lackOf(problem, { from: naira, to: cedi }, "customer", "1")
  assert.strictEqual(customer, "No rate of the Ghanaian Cedi is known today.")
  const ofCoin = { ...problem, detail: "bitcoin exists, but no source has a price for it." }
  assert.strictEqual(lackOf(ofCoin, { from: bitcoin, to: naira }, "mid", undefined), ofCoin.detail)
  const thin: Problem = { code: "too_thin", title: "Too thin", available: "1500000", fiat: "NGN" }
  assert.strictEqual(
    lackOf(thin, { from: bitcoin, to: naira }, "customer", "150000000"),
    "P2P offers cover about ₦1.5M (0.01 BTC) of it now. Try a smaller amount."
  )
})

it("the title of the tab has the figure of its view, and of no other", () => {
  const market = { fiat: "NGN", mid: "1394.64" } as const
  const titled = (path: string, shown: Partial<Parameters<typeof tabTitle>[1]> = {}) =>
    tabTitle(routeOf(path), { market, fiatName: "Nigerian Naira", ...shown })
  assert.strictEqual(titled(""), "₦1,394.64 · P2P rates, coin prices, and why coins moved")
  assert.strictEqual(titled("naira"), "₦1,394.64 · USDT/NGN: the P2P rate of the Nigerian Naira")
  const noMid = { market: { fiat: "NGN", mid: null } } as const
  assert.strictEqual(titled("naira", noMid), "USDT/NGN: the P2P rate of the Nigerian Naira")
  assert.strictEqual(titled("coin/bitcoin", { coin: bitcoin }), "Bitcoin: price, venues and history")
  assert.strictEqual(titled("coin/etherium"), "etherium: price, venues and history")
  assert.strictEqual(titled("convert/eur/ngn"), "EUR to NGN: converter")
  const conversion = { from: bitcoin, to: naira, rate: "92800000.5" } as const
  assert.strictEqual(titled("convert/bitcoin/ngn", { conversion }), "₦92,800,000.50 · BTC to NGN: converter")
  const unknown = { from: naira, to: bitcoin, rate: undefined }
  assert.strictEqual(titled("convert/ngn/bitcoin", { conversion: unknown }), "NGN to BTC: converter")
  const small = { ...unknown, rate: "0.0000000107" } as const
  assert.strictEqual(titled("convert/ngn/bitcoin", { conversion: small }), "0.0000000107 BTC · NGN to BTC: converter")
})

it("the address of a conversion leads back to its assets", () => {
  const path = conversionPath(plainly(bitcoin), plainly(naira))
  assert.strictEqual(path, "convert/bitcoin/ngn")
  assert.deepStrictEqual(routeOf(path), { view: "convert", from: "bitcoin", to: "ngn" })
  assert.deepStrictEqual(routeOf(conversionPath("a/b", "%")), { view: "convert", from: "a/b", to: "%" })
})

describe("a word in the search of the coins", () => {
  const coins = [
    { id: "bitcoin", symbol: "BTC", name: "Bitcoin" },
    { id: "tether", symbol: "USDT", name: "Tether" }
  ]
  const result = (id: string, matched: Search["coins"][number]["matched"]): Search["coins"][number] => ({
    id,
    symbol: id,
    name: id,
    rank: null,
    matched,
    platforms: {}
  })
  const found = (word: string, results?: Search["coins"]) => {
    const { others, rows } = foundIn(coins, word, results)
    return [rows.map(({ id }) => id), others.map(({ id }) => id)]
  }

  it("finds each result of the API as a row or as a link", () => {
    assert.deepStrictEqual(found(""), [["bitcoin", "tether"], []])
    assert.deepStrictEqual(found("BTC"), [["bitcoin"], []])
    assert.deepStrictEqual(found("0xdac17f958d2ee523a", [result("tether", "address")]), [["tether"], []])
    const similar = [result("bitcoin", "similar"), result("bitcicoin", "similar")]
    assert.deepStrictEqual(found("bitcion", similar), [["bitcoin"], ["bitcicoin"]])
  })

  it("finds currencies by name and code", () => {
    const named = ["naira", "pounds", "cedi", "kes", "bitcoin", "", "a"].map((word) => fiatsFor(word).join())
    assert.deepStrictEqual(named, ["NGN", "GBP", "GHS", "KES", "", "", ""])
    assert.include(fiatsFor("shilling"), "KES")
    assert.isAtMost(fiatsFor("franc").length, 5)
  })
})
