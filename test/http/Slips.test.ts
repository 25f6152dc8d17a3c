// A refusal says what the mistake probably was, where the value looks like a known slip.
import { assert, describe, it } from "@effect/vitest"

import { slipIn } from "../../src/http/request/slipIn.ts"
import { sharedFriday } from "../RunningService.ts"
import { refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const convert = "/v1/convert?from=tether&to=NGN&amount="

/** What is asked, what was probably meant, and what is wrong. */
const slips: ReadonlyArray<readonly [path: string, meant: string, told: RegExp]> = [
  [`${convert}%2B5`, "5", /sign beside the number/],
  ["/v1/naira?at=2026-11-20T13:00:00+01:00", "2026-11-20T13:00:00+01:00", /A \+ in a URL is read as a blank; write/],
  [`${convert}1,000`, "1000", /signs between its digits/],
  [`${convert}1,5`, "1.5", /comma for the decimal point/],
  [`${convert}1.000,50`, "1000.50", /comma for the decimal point/],
  [`${convert}1.000.000`, "1000000", /signs between its digits/],
  [`${convert}%E2%82%A6500`, "500", /sign beside the number/],
  [`${convert}500%20%E2%82%A6`, "500", /sign beside the number/],
  [`${convert}NGN500`, "500", /currency or a sign beside the number/],
  [`${convert}500%20usdt`, "500", /currency or a sign beside the number/],
  [`${convert}5%25`, "5", /sign beside the number/],
  [`${convert}1_000`, "1000", /signs between its digits/],
  [`${convert}1e3`, "1000", /exponent/],
  ["/v1/naira?at=2026-11-20%2010:30", "2026-11-20T10:30Z", /with its zone; Z is UTC/],
  ["/v1/naira?at=2026-11-20T10:30", "2026-11-20T10:30Z", /with its zone; Z is UTC/],
  ["/v1/naira?at=1763596800", "2025-11-20T00:00:00Z", /with its zone; Z is UTC/],
  ["/v1/p2p/kes?amount=KES%20500", "500", /currency or a sign beside the number/],
  ["/v1/price/bitcoin/usd?expect=1&tolerance=1%25", "1", /sign beside the number/],
  ["/v1/fx?at=20-11-2026", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=11/20/2026", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=2026/11/20", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=01/11/2026", "2026-11-01 or 2026-01-11", /YYYY-MM-DD/],
  ["/v1/fx?at=20261101", "2026-11-01", /YYYY-MM-DD/],
  ["/v1/prices?ids=bitcoin;tether", "bitcoin,tether", /Commas separate the items/],
  ["/v1/coins?ids=bitcoin;%20tether", "bitcoin,tether", /Commas separate the items/],
  ["/v1/fx/history?quotes=euro", "EUR", /by their codes/],
  ["/v1/fx/history?quotes=HRK", "EUR", /"HRK" is no longer in use/],
  ["/v1/price/bitcoin/naira", "NGN", /by their codes/],
  ["/v1/price/bitcoin/%E2%82%A6", "NGN", /by their codes/],
  ["/v1/price/bitcoin/dollars", "USD", /by their codes/],
  ["/v1/prices?ids=bitcoin&fiats=naira,Euros", "NGN,EUR", /by their codes/],
  ["/v1/coins?limit=1e2", "100", /exponent/],
  ["/v1/price/bitcoin/usd?expect=70,000", "70000", /signs between its digits/]
]

describe("a slip", () => {
  it("is never found where no correction would be accepted", () => {
    for (const value of ["nonsense", "1,000", "x".repeat(300)]) assert.isUndefined(slipIn(value, () => false))
    for (const value of ["", " ", "BTC_"]) {
      assert.isUndefined(slipIn(value, () => false, "pairs separated by commas")?.meant, value)
    }
    assert.isUndefined(slipIn("yesterday", (text) => text !== "yesterday" && /^\d/.test(String(text))))
  })

  it("in a list names the items that are not accepted", () => {
    const isPair = (text: unknown) =>
      String(text)
        .split(",")
        .every((pair) => /^[A-Z]{3}_[A-Z]{3}$/.test(pair))
    const rule = "pairs separated by commas"
    assert.strictEqual(slipIn("BTC_", isPair, rule)?.hint, 'not accepted: "BTC_"')
    const slip = slipIn("BTC_NGN,BTC_USD_X,\u0007BTC_", isPair, rule)
    assert.deepStrictEqual(slip, { meant: undefined, hint: 'not accepted: "BTC_USD_X", "BTC_"' })
  })
})

rulesIn(sharedFriday)("a refusal", (rule) => {
  rule("names the slip, and how the value was probably meant, after the rule", function* () {
    for (const [path, meant, told] of slips) {
      const { errors } = yield* refused(path, 400, "invalid_parameter")
      const detail = errors?.[0]?.detail ?? ""
      assert.match(detail, /^must be /, path)
      assert.include(detail, `Did you mean ${meant}? `, path)
      assert.match(detail, told, path)
    }
  })

  rule("of a name that is none names what it may be: a pair, a currency, a ticker", function* () {
    for (const [path, code, told, ids] of [
      ["/v1/convert?from=usdt_ngn&to=usd", "unknown_asset", /a pair: name its sides apart, tether and NGN/, []],
      ["/v1/convert?from=usdtngn&to=usd", "unknown_asset", /tether and NGN/, []],
      ["/v1/convert?from=btc/usd&to=usd", "unknown_asset", /bitcoin and USD/, []],
      ["/v1/price/BTCUSD/usd", "unknown_coin", /bitcoin and USD/, []],
      ["/v1/convert?from=tether&to=naira", "unknown_asset", /Did you mean NGN/, ["NGN"]],
      ["/v1/convert?from=tether&to=%E2%82%A6", "unknown_asset", /Did you mean NGN/, ["NGN"]],
      ["/v1/convert?from=dollars&to=NGN", "unknown_asset", /Did you mean USD, /, ["USD"]],
      ["/v1/convert?from=kenyan+shillings&to=NGN", "unknown_asset", /Did you mean KES/, ["KES"]],
      ["/v1/convert?from=bitcoins&to=NGN", "unknown_asset", /Did you mean bitcoin/, ["bitcoin"]],
      ["/v1/coins/naira", "unknown_coin", /"naira" names the fiat NGN/, []],
      ["/v1/p2p/naira", "unknown_asset", /"NAIRA" names the fiat NGN/, ["NGN"]]
    ] as const) {
      const { detail, suggestions } = yield* refused(path, 404, code)
      assert.match(detail, told, path)
      assert.includeMembers(suggestions?.map(({ id }) => id) ?? [], [...ids], path)
    }
  })

  rule("of a path says which one is near: slashes, capitals, the version, another API's base", function* () {
    for (const [path, meant] of [
      ["/v1//naira", "/v1/naira"],
      ["/V1/Naira", "/v1/naira"],
      ["/v1/Price/bitcoin/usd", "/v1/price/bitcoin/usd"],
      ["/api/v1/fx", "/v1/fx"],
      ["/api/convert?from=a", "/v1/convert"],
      ["/v1/v1/fx", "/v1/fx"],
      ["/compat/coingecko/simple/price?ids=bitcoin", "/compat/coingecko/api/v3/simple/price"],
      ["/compat/coingecko/v3/ping", "/compat/coingecko/api/v3/ping"],
      ["/coingecko/api/v3/coins/list", "/compat/coingecko/api/v3/coins/list"]
    ] as const) {
      const { detail } = yield* refused(path, 404, "not_found")
      assert.include(detail, ` Did you mean ${meant}? `, path)
    }
    assert.notInclude((yield* refused("/v1/nothing", 404, "not_found")).detail, "Did you mean")
  })

  rule("of a ticker says whose it is", function* () {
    for (const [path, code] of [
      ["/v1/coins/btc", "unknown_coin"],
      ["/v1/price/BTC/usd", "unknown_coin"],
      ["/v1/convert?from=btc&to=usd", "unknown_asset"]
    ] as const) {
      const { detail } = yield* refused(path, 404, code)
      assert.match(detail, /Tickers are not ids: btc is the ticker of bitcoin/, path)
    }
  })
})
