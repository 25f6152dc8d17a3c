import { assert, describe, it } from "@effect/vitest"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"

describe("the series of a P2P market", () => {
  it("is named after its fiat, and that of the naira as in every record so far", () => {
    assert.deepStrictEqual([SeriesName.p2p("NGN"), SeriesName.fiat("NGN")], ["naira", "official"])
    assert.deepStrictEqual([SeriesName.p2p("KES"), SeriesName.fiat("KES")], ["p2p/KES", "fx/KES"])
  })

  it("has a name that is read back, and no other text is a name", () => {
    const { coin, fiat, p2p, parse, spot } = SeriesName
    assert.deepStrictEqual(parse(spot("EUR")), { kind: "spot", key: "EUR" })
    for (const key of ["NGN", "KES"]) {
      assert.deepStrictEqual(parse(p2p(key)), { kind: "market", key })
      assert.deepStrictEqual(parse(fiat(key)), { kind: "fiat", key })
    }
    assert.deepStrictEqual(parse(coin("a/b")), { kind: "coin", key: "a/b" })
    assert.isTrue(SeriesName.examples.every((name) => parse(name) !== undefined))
    const others = ["usdt/KES", "market/KES", "NGN", "nairas", "official/NGN", "coin/", "p2p", ""]
    assert.deepStrictEqual(
      others.map(parse),
      others.map(() => undefined)
    )
  })

  it("is sampled once in five minutes, whichever fiat it is of", () => {
    assert.deepStrictEqual(["NGN", "KES"].map(SeriesName.p2p).map(SeriesName.slotOf), [300_000, 300_000])
    assert.deepStrictEqual(
      ["NGN", "KES"].map((fiat) => SeriesName.preferenceOf(SeriesName.p2p(fiat)).heldFor("A")),
      [600_000, 600_000]
    )
    assert.strictEqual(SeriesName.slotOf(SeriesName.spot("EUR")), 300_000)
    assert.strictEqual(SeriesName.slotOf(SeriesName.coin("p2p")), 1)
  })
})
