// What the originals take, the compatible paths take: empty parameters, switches as digits, days without leading zeros. And
// preflights allow the same headers on every path.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { get, sharedFriday } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

const gecko = "/compat/coingecko/api/v3"

const same: ReadonlyArray<readonly [lenient: string, strict: string]> = [
  [`${gecko}/simple/price?ids=bitcoin&vs_currencies=usd&include_market_cap=1&precision=`, "include_market_cap=true"],
  [`${gecko}/simple/price?ids=bitcoin&vs_currencies=usd&include_market_cap=0`, "include_market_cap=false"],
  [`${gecko}/coins/markets?vs_currency=usd&ids=&category=&order=&page=&sparkline=`, "per_page=100"],
  [`${gecko}/coins/bitcoin/history?date=1-11-2026&localization=`, "date=01-11-2026"],
  [`${gecko}/coins/bitcoin/history?date=2026-11-1`, "date=2026-11-01"],
  [`${gecko}/coins/markets?vs_currency=USD&ids=bitcoin,%20tether,,&sparkline=FALSE`, "sparkline=false"],
  ["/compat/frankfurter/v1/latest?base=usd&symbols=eur,%20GBP,", "base=USD&symbols=EUR,GBP"],
  ["/compat/frankfurter/v2/rates?base=usd&quotes=eur,%20GBP,", "base=USD&quotes=EUR,GBP"],
  ["/compat/btcpay/api/rates?currencyPairs=btc_ngn,%20BTC_USD,", "currencyPairs=BTC_NGN,BTC_USD"],
  ["/compat/frankfurter/v1/latest?base=&symbols=", "x=1"],
  ["/compat/frankfurter/v2/rates?quotes=&providers=&group=", "x=1"]
]

rulesIn(sharedFriday)("the compatible paths", (rule, it) => {
  it.effect.each(same)("read %s as %s", ([lenient, strict]) =>
    Effect.gen(function* () {
      const [path = "", query = ""] = lenient.split("?")
      const required = query.split("&").filter((pair) => /^(ids|vs_currenc\w+)=./.test(pair))
      const [one, other] = [yield* get(lenient), yield* get(`${path}?${[...required, strict].join("&")}`)]
      assert.notStrictEqual(one.status, 400, one.text)
      assert.deepStrictEqual([one.status, one.text], [other.status, other.text])
    })
  )

  rule("say what is missing where a parameter that is required is empty", function* () {
    const { status, text } = yield* get(`${gecko}/simple/price?ids=bitcoin&vs_currencies=`)
    assert.deepStrictEqual([status, JSON.parse(text)], [422, { error: "Missing parameter vs_currencies" }])
  })

  rule("and all others allow browsers the same headers", function* () {
    const paths = ["/v1/naira", "/mcp", `${gecko}/ping`, "/compat/btcpay/rates", "/no-such-path", "/docs"]
    const allowed = yield* Effect.forEach(paths, (path) =>
      Effect.map(get(path, { method: "OPTIONS" }), ({ headers }) => headers["access-control-allow-headers"])
    )
    assert.strictEqual(new Set(allowed).size, 1)
    const names = String(allowed[0]).split(", ")
    const sent = ["authorization", "content-type", "x-requested-with", "cache-control", "traceparent", "mcp-session-id"]
    assert.includeMembers(names, [...sent, "x-cg-demo-api-key", "*"])
  })
})
