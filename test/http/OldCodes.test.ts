// Codes of fiats that another one has replaced: the answer names the successor, and since when. And codes that are none: codes and ids are
// read in any case of ASCII letters, and of no others.
import { assert, describe, it } from "@effect/vitest"

import { isoCurrencies } from "../../src/domain/Fiat.ts"
import { otherUnit } from "../../src/domain/otherUnits.ts"
import { retiredCurrencies } from "../../src/domain/RetiredCurrencies.ts"
import { friday, get, sharedFriday } from "../RunningService.ts"
import { message, post } from "../mcp/Agent.ts"
import { answerAt, jsonAt, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

describe("the table of old codes", () => {
  it("leads to codes in use, with a day and a source of each", () => {
    for (const [code, { since, source, successor }] of retiredCurrencies) {
      assert.isTrue(isoCurrencies.has(successor) && !retiredCurrencies.has(successor), code)
      assert.isBelow(Date.parse(since), friday, code)
      assert.match(source, /^https:/)
    }
    const known =
      "HRK ZWL SLL VEF BGN ANG CUC BYR MRO STD ZMK GHC TRL ROL AZM MZM SDD DEM FRF LTL EEK LVL SKK SIT MTL CYP CSK XEU"
    assert.includeMembers([...retiredCurrencies.keys()], known.split(" "))
  })
})

const gecko = "/compat/coingecko/api/v3"

rulesIn(sharedFriday)("an old code", (rule) => {
  rule("is a 404 that names its successor, and is in no list of rates", function* () {
    const { rates } = (yield* jsonAt("/v1/fx")).data
    for (const [code, { since, successor }] of retiredCurrencies) {
      for (const [path, parameter] of [
        [`/v1/convert?from=${code}&to=USD`, "from"],
        [`/v1/convert?from=usd&to=${code.toLowerCase()}`, "to"],
        [`/v1/convert?from=bitcoin&to=fiat:${code}&basis=official`, "to"]
      ] as const) {
        const { detail, errors, suggestions } = yield* refused(path, 404, "unknown_asset")
        assert.strictEqual(detail, `"${code}" is no longer in use: ${successor} replaced it on ${since}.`, path)
        assert.deepStrictEqual([errors?.[0]?.parameter, suggestions?.map(({ id }) => id)], [parameter, [successor]])
      }
      assert.notProperty(rates, code)
    }
  })

  /** The paths that take a currency, each with the status of an old code and of the spelling of another unit. */
  const places: ReadonlyArray<readonly [path: string, old: number | undefined, other: number | undefined]> = [
    ["/v1/convert?from=CODE&to=USD", 404, 400],
    ["/v1/convert?from=bitcoin&to=fiat:CODE&basis=official", 404, 400],
    ["/v1/price/bitcoin/CODE", 400, 400],
    ["/v1/prices?ids=bitcoin&fiats=usd,CODE", 400, 400],
    ["/v1/price/CODE/usd", 404, 400],
    ["/v1/coins/CODE", 404, undefined],
    ["/v1/coins?ids=CODE,bitcoin", undefined, 400],
    ["/v1/p2p/CODE", 404, 400],
    ["/v1/p2p/CODE/history", 404, undefined],
    ["/v1/fx/history?quotes=EUR,CODE", undefined, 400],
    [`${gecko}/simple/price?ids=bitcoin&vs_currencies=CODE`, 400, 400],
    [`${gecko}/coins/markets?vs_currency=CODE`, 400, 400],
    [`${gecko}/coins/bitcoin/market_chart?vs_currency=CODE&days=1`, 400, undefined],
    ["/compat/yadio.io/exrates/CODE", 400, 400],
    ["/compat/yadio.io/rate/USD/CODE", 400, undefined],
    ["/compat/yadio.io/p2p/convert/1/CODE/USD", 400, 400],
    ["/compat/btcpay/rates/BTC/CODE", 400, undefined],
    ["/compat/btcpay/rates?currencyPairs=BTC_USD,BTC_CODE", undefined, 400],
    ["/compat/frankfurter/v1/latest?base=CODE", 404, 422],
    ["/compat/frankfurter/v2/rates?base=CODE", 422, undefined],
    ["/compat/frankfurter/v2/rate/USD/CODE", 422, 422]
  ]

  const { since = "", successor = "" } = retiredCurrencies.get("ZWL") ?? {}
  for (const [what, code, sentence, statusOf] of [
    ["is refused", "zwl", `"ZWL" is no longer in use: ${successor} replaced it on ${since}.`, 1],
    ["and a spelling of another unit are refused", "GBp", otherUnit("GBp"), 2],
    ["and a name of another unit are refused", "XBT", otherUnit("XBT"), 2]
  ] as const) {
    rule(`${what} by every endpoint that takes a currency, with one sentence`, function* () {
      assert(sentence !== undefined)
      for (const place of places) {
        const [path, status] = [place[0].replace("CODE", code), place[statusOf]]
        if (status === undefined) continue
        const answer = yield* get(path)
        assert.strictEqual(answer.status, status, `${path}: ${answer.text}`)
        assert.include(JSON.stringify(JSON.parse(answer.text)).replaceAll("\\", ""), sentence, path)
        if (statusOf === 2) assert.notInclude(answer.text, "Did you mean", path)
      }
      const { text } = yield* post(message("tools/call", { name: "convert", arguments: { from: code, to: "USD" } }))
      assert.include(text.replaceAll("\\", ""), sentence)
    })
  }

  rule("that has a past here is known in the past alone", function* () {
    for (const [path, status] of [
      ["/compat/frankfurter/v2/rate/EUR/BGN", 404],
      ["/compat/yadio.io/rate/bgn", 400]
    ] as const) {
      assert.include((yield* answerAt(path, status)).text, "EUR replaced it on 2026-01-01")
    }
  })
})

// `ſ` is `S` in upper case, the Kelvin sign `k` in lower case.
rulesIn(sharedFriday)("a text that only Unicode folds to a code or an id", (rule) => {
  rule("is another one, on every path", function* () {
    for (const [path, status] of [
      ["/v1/price/bitcoin/usd", 400],
      ["/v1/convert?from=usd&to=ngn", 404],
      ["/v1/convert?from=fiat:usd&to=ngn", 404],
      ["/v1/p2p/kes", 404],
      ["/v1/coins/kaspa", 404],
      ["/v1/prices?ids=bitcoin&fiats=usd", 400],
      ["/v1/fx/history?quotes=usd", 400],
      ["/compat/yadio.io/rate/kes", 400],
      ["/compat/btcpay/api/rates?currencyPairs=kes_eur", 400],
      ["/compat/frankfurter/v2/rate/usd/eur", 422]
    ] as const) {
      assert.notStrictEqual((yield* get(path)).status, status, path)
      const folded = path.replace(/usd/, "u%C5%BFd").replace(/\bk(?=es|aspa)/, "%E2%84%AA")
      const { text, ...answer } = yield* get(folded)
      assert.strictEqual(answer.status, status, `${folded}: ${text}`)
    }
  })
})
