import { assert, describe, it } from "@effect/vitest"
import { OWN_RECORD } from "../../../src/history/model/Point.ts"
import * as SeriesName from "../../../src/history/store/SeriesName.ts"
import { sourceCatalog } from "../../../src/sources/catalog/SourceCatalog.ts"

describe("the series of a P2P market", () => {
  it("is named after its fiat, and that of the naira as in every record so far", () => {
    assert.deepStrictEqual([SeriesName.p2p("NGN"), SeriesName.fiat("NGN")], ["naira", "official"])
    assert.deepStrictEqual([SeriesName.p2p("KES"), SeriesName.fiat("KES")], ["p2p/KES", "fx/KES"])
  })

  it("is sampled once in five minutes, whichever fiat it is of", () => {
    assert.deepStrictEqual(["NGN", "KES"].map(SeriesName.p2p).map(SeriesName.slotOf), [300_000, 300_000])
    assert.deepStrictEqual(
      ["NGN", "KES"].map((fiat) => SeriesName.preferenceOf(SeriesName.p2p(fiat)).heldFor("A")),
      [600_000, 600_000]
    )
    assert.strictEqual(SeriesName.slotOf(SeriesName.coin("p2p")), 1)
  })
})

describe("the series of a coin", () => {
  it("prefers our own record, then the sources in the order of the catalog", () => {
    const named = sourceCatalog.flatMap(({ dataSets, name }) =>
      dataSets.some((one) => one === "tickers" || one === "coins") ? [name] : []
    )
    assert.deepStrictEqual(SeriesName.preferenceOf(SeriesName.coin("bitcoin")).origins, [OWN_RECORD, ...named])
  })
})
