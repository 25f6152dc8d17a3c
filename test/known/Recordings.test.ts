// The recorded answers of upstreams, where they lie beside the repository (skipped where they do not): what the HTTP API makes of them.
import { assert, describe } from "@effect/vitest"

import { memberOf } from "../faults/Answers.ts"
import { hasRecordings, recording } from "../sources/ScriptedUpstream.ts"
import { answersAt, asText, assertJune, assertSeptember, bybit, emptyBook, near, venue } from "./answersAt.ts"
import { liveRule } from "../rulesOf.ts"

describe.skipIf(!hasRecordings)("recorded answers", () => {
  liveRule("12 June 2026: CBN's table, Quidax and Luno", function* () {
    const answer = yield* answersAt(
      "2026-06-12T01:50:00Z",
      {
        "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.trimmed.json")),
        "QUIDAX/markets/tickers/usdtngn": asText(recording("quidax/ticker-usdtngn.json")),
        // Recorded a day later; a time in the future is refused.
        "LUNO/api/1/ticker": asText(recording("luno/ticker-USDTNGN.json").replace("1781373138363", "1781228980000")),
        ...emptyBook
      },
      ["/v1/naira"]
    )
    const { data, meta } = answer(0)
    assertJune(data, Number(memberOf(data, ["official"])))
    near(memberOf(data, ["official"]), 1363.33, 0.51)
    assert.deepInclude(meta, { updated: "2026-06-12T01:48:11.000Z" })
  })

  liveRule("13 June 2026: Quidax's quote of the day before is too old to take part", function* () {
    const answer = yield* answersAt(
      "2026-06-13T17:53:00Z",
      {
        "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.trimmed.json")),
        "QUIDAX/markets/tickers/usdtngn": asText(recording("quidax/ticker-usdtngn.json")),
        "LUNO/api/1/ticker": asText(recording("luno/ticker-USDTNGN.json")),
        ...emptyBook
      },
      ["/v1/naira"]
    )
    const { data, meta } = answer(0)
    near(memberOf(data, ["mid"]), (1385.6695 + 1382.7796) / 2)
    assert.strictEqual(memberOf(data, ["confidence"]), "low")
    assert.deepInclude(meta, { source: "Luno (sandbox) + CBN (sandbox)", updated: "2026-06-13T17:52:18.363Z" })
  })

  liveRule("21 May 2026: Bybit's ads in roubles are rejected and counted", function* () {
    const answer = yield* answersAt(
      "2026-05-21T22:46:00Z",
      {
        "CBN/api/GetAllExchangeRates": asText(recording("cbn/GetAllExchangeRates.recorded-2026-05-22.json")),
        "BYBIT_P2P/": bybit(
          asText(recording("bybit-p2p/api2-side1-makers-selling.RUB.2026-05.json")),
          asText(recording("bybit-p2p/api2-side0-makers-buying.RUB.2026-05.json"))
        ),
        ...emptyBook
      },
      ["/v1/naira", "/v1/price/bitcoin/ngn"]
    )
    const { data, status } = answer(0)
    assert.strictEqual(status, 200)
    assert.deepInclude(data, { mid: null, official: 1371.8079, official_date: "2026-05-21", premium: null })
    assert.deepInclude(venue(data, "Bybit P2P"), { reason: "too_few_ads", ads_rejected: { wrong_currency: 2 } })
    assert.strictEqual(answer(1).status, 503)
  })

  liveRule("13 September 2026: CoinGecko's page", function* () {
    const page = asText(recording("coingecko/coins-markets.recorded-2026-09-13.trimmed.json"))
    const answer = yield* answersAt("2026-09-13T17:06:00Z", { "COINGECKO/coins/markets": page }, [
      "/v1/coins",
      "/v1/coins/zcash",
      "/v1/price/bitcoin/usd"
    ])
    assertSeptember(answer)
  })

  liveRule("29 September 2026: currency-api, where Frankfurter's answer has two currencies only", function* () {
    const answer = yield* answersAt(
      "2026-09-29T12:00:00Z",
      {
        "FRANKFURTER/v2/rates": asText(recording("frankfurter/v2-rates-USD-EUR-TWD.2026-07-03.json")),
        "CURRENCY_API/currency-api@2026-09-29": asText(recording("fawazahmed-currency-api/usd.trimmed.json"))
      },
      ["/v1/fx"]
    )
    assert.strictEqual(memberOf(answer(0).data, ["rates", "EUR"]), 0.88022588)
    assert.isUndefined(memberOf(answer(0).data, ["rates", "NGN"]), "the official rate is the central bank's")
    assert.deepInclude(answer(0).meta, { source: "currency-api (sandbox)" })
  })
})
