// A refusal says what the mistake probably was, where the value looks like a known slip.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { slipIn } from "../../src/http/target/slipIn.ts"
import { friday, onlyNaira, pass, RunningService, withoutEvidence } from "../RunningService.ts"
import { refused } from "./support.ts"

const convert = "/v1/convert?from=tether&to=NGN&amount="

/** What is asked, what was probably meant, and what is wrong. */
const slips: ReadonlyArray<readonly [path: string, meant: string, told: RegExp]> = [
  [`${convert}+5`, "5", /It has blanks/],
  [`${convert}%2B5`, "5", /sign beside the number/],
  [
    "/v1/naira?at=2026-11-20T13:00:00+01:00",
    "2026-11-20T13:00:00+01:00",
    /A \+ in a URL is read as a blank; write it as %2B/
  ],
  [`${convert}1,000`, "1000", /commas between thousands/],
  [`${convert}1,234,567.5`, "1234567.5", /commas between thousands/],
  [`${convert}1,5`, "1.5", /comma for the decimal point/],
  [`${convert}1.000,50`, "1000.50", /comma for the decimal point/],
  [`${convert}1_000`, "1000", /signs between its digits/],
  [`${convert}1e3`, "1000", /exponent/],
  [`${convert}$20`, "20", /sign beside the number/],
  [`${convert}.5`, "0.5", /begins with the decimal point/],
  [`${convert}%22200%22`, "200", /quotation marks/],
  [`${convert}%EF%BC%91`, "1", /another width/],
  ["/v1/naira?max_age=5m", "300", /It has a unit/],
  ["/v1/naira?max_age=300.0", "300", /It has decimals/],
  ["/v1/price/bitcoin/usd?expect=1&tolerance=1%25", "1", /sign beside the number/],
  ["/v1/fx?at=20-11-2026", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=11/20/2026", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=20.11.2026", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=2026/11/20", "2026-11-20", /YYYY-MM-DD/],
  ["/v1/fx?at=2026-11-5", "2026-11-05", /YYYY-MM-DD/],
  ["/v1/naira/history?from=05-11-2026", "2026-11-05 or 2026-05-11", /YYYY-MM-DD/],
  ["/v1/fx/history?quotes=EUR;NGN", "EUR,NGN", /single commas/],
  ["/v1/prices?ids=bitcoin&fiats=usd;ngn", "usd,ngn", /single commas/],
  ["/v1/fx?format=CSV", "csv", /lower case/],
  ["/v1/convert?from=tether&to=NGN&basis=Mid", "mid", /lower case/]
]

describe("a slip", () => {
  it("is never found where no correction would be accepted", () => {
    for (const value of ["", "nonsense", "1,000", 5, "x".repeat(300)]) assert.isUndefined(slipIn(value, () => false))
    assert.isUndefined(slipIn("yesterday", (text) => text !== "yesterday" && /^\d/.test(String(text))))
  })
})

layer(RunningService.layer({ at: friday, config: { ...withoutEvidence, ...onlyNaira } }))("a refusal", (it) => {
  it.effect("names the slip, and how the value was probably meant, after the rule", () =>
    Effect.gen(function* () {
      for (const [path, meant, told] of slips) {
        const { errors } = yield* refused(path, 400, "invalid_parameter")
        const detail = errors?.[0]?.detail ?? ""
        assert.match(detail, /^must be /, path)
        assert.include(detail, `Did you mean ${meant}? `, path)
        assert.match(detail, told, path)
      }
    })
  )

  it.effect("of a ticker says whose it is", () =>
    Effect.gen(function* () {
      yield* pass("20 seconds")
      for (const [path, code] of [
        ["/v1/coins/btc", "unknown_coin"],
        ["/v1/price/BTC/usd", "unknown_coin"],
        ["/v1/convert?from=btc&to=usd", "unknown_asset"]
      ] as const) {
        const { detail } = yield* refused(path, 404, code)
        assert.match(detail, /Tickers are not ids: btc is the ticker of bitcoin/, path)
      }
    })
  )
})
