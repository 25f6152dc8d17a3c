// Which answers one request of the page has.
import { assert, describe, it } from "@effect/vitest"
import { ofOneView } from "../../../src/http/page/Answers.ts"
import { isCurrency } from "../../../src/http/page/browser/Figures.ts"
import { api, conversionPaths, firstPaths, routeOf } from "../../../src/http/page/browser/Route.ts"

describe("the answers of one request", () => {
  it("are all that a view shows, at first and later", () => {
    for (const address of ["", "naira", "p2p/kes", "coin/bitcoin", "convert/usd/ngn", "convert/bitcoin/usd"]) {
      const first = firstPaths(routeOf(address), isCurrency, (fiat) => ["NGN", "KES"].includes(fiat))
      assert.deepStrictEqual(ofOneView(first), first, address)
    }
    const query = "?from=2026-10-01&interval=week"
    const later = [
      api.market("KES"),
      api.marketPast("KES"),
      api.marketPast("KES", query),
      api.coin("a.b/c"),
      api.tickers("a.b/c"),
      api.why("a.b/c"),
      api.coinPast("a.b/c", "EUR", query),
      api.search("two words"),
      ...Object.values(conversionPaths("coin:tether", "fiat:NGN", "0.5", true)),
      `v1/prices?${new URLSearchParams({ ids: "bitcoin,tether", fiats: "eur" })}`
    ]
    assert.deepStrictEqual(ofOneView(later), later)
  })

  it("are of one coin, one market, one pair and one amount: others cost a request each", () => {
    for (const [kept, ...others] of [
      ["v1/coins/bitcoin", "v1/coins/ethereum", "v1/why/ethereum", "v1/price/ethereum/usd/history"],
      ["v1/price/bitcoin/usd/history", "v1/price/bitcoin/eur/history", "v1/price/bitcoin/usd/history?interval=hour"],
      ["v1/naira/history?to=2026-11-01", "v1/naira/history?to=2026-11-02", "v1/p2p/kes"],
      ...[1, 2].map((amount) => [
        `v1/convert?from=a&to=b&amount=${amount}&basis=customer`,
        `v1/convert?from=a&to=b&amount=${amount + 2}&basis=customer`,
        "v1/convert?from=a&to=c"
      ]),
      ["v1/search?q=a&limit=6", "v1/search?q=b&limit=6"],
      ["v1/prices?ids=a&fiats=usd", "v1/prices?ids=b&fiats=usd"]
    ]) {
      assert.deepStrictEqual(ofOneView([kept ?? "", ...others]), [kept ?? ""])
    }
  })

  it("are none that the page never asks for", () => {
    const others = [
      "v1/coins?limit=250",
      "v1/fx",
      "v1/prices?ids=a&fiats=usd&at=2026-11-01",
      "v1/price/a/usd",
      "docs",
      ""
    ]
    assert.deepStrictEqual(ofOneView(others), [])
  })
})
