// The histories over HTTP, with a record that began with the service.
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse } from "csv-parse/sync"
import { friday, get, sharedFriday, sharedRecord, untilAnswered } from "../RunningService.ts"
import { answerAt, jsonAt, refused } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const Body = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Struct({
      points: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
      coverage: Schema.Struct({
        from: Schema.NullOr(Schema.String),
        to: Schema.NullOr(Schema.String),
        missing: Schema.Array(Schema.Struct({ from: Schema.String, to: Schema.String }))
      })
    }),
    meta: Schema.Struct({ source: Schema.String, updated: Schema.String, tier: Schema.String })
  })
)
const history = Effect.fnUntraced(function* (path: string) {
  const { text } = yield* answerAt(path)
  return yield* Schema.decodeUnknownEffect(Body)(text)
})

rulesIn(sharedRecord)("History: a service with a record", (rule) => {
  rule("answers the histories with their coverage", function* () {
    for (const path of ["/v1/price/bitcoin/usd", "/v1/naira", "/v1/fx"]) yield* untilAnswered(`${path}?at=2026-11-20`)
    const prices = yield* history("/v1/price/bitcoin/usd/history")
    const [point] = prices.data.points
    assert.deepInclude(point, { date: "2026-11-20", time: "2026-11-20T00:00:00.000Z", final: false, revised: null })
    assert.deepStrictEqual(prices.data.coverage, {
      from: "2026-11-20",
      to: "2026-11-20",
      missing: [{ from: "2026-10-22", to: "2026-11-19" }]
    })
    assert.strictEqual(prices.meta.updated, point?.["observed"])
    assert.strictEqual(prices.meta.source, "CoinGecko (sandbox)")
    const naira = yield* history("/v1/naira/history?interval=hour&from=2026-11-20")
    assert.deepInclude(naira.data.points[0], {
      kind: "p2p",
      method: "p2p/1",
      confidence: "high",
      time: "2026-11-20T12:00:00.000Z"
    })
    const month = yield* history("/v1/price/bitcoin/usd/history?interval=month")
    const [first] = month.data.points
    assert.deepInclude(first, { date: "2026-11-01", final: false, open: null, close: point?.["close"], days: 1 })
    const fx = yield* history("/v1/fx/history?quotes=eur,NGN")
    assert.hasAllKeys(fx.data.points[0]?.["rates"], ["EUR", "NGN"])
  })

  rule("answers at= with the observation of that time, and its stamp", function* () {
    const then = yield* get("/v1/naira?at=2026-11-20T12:01:00Z")
    assert.strictEqual(then.status, 200, then.text)
    const { updated } = JSON.parse(then.text).meta
    assert.isBelow(Date.parse(updated), friday + 45_000)
    for (const path of ["/v1/price/bitcoin/ngn", "/v1/convert?from=bitcoin&to=EUR", "/v1/fx", "/v1/naira"]) {
      const at = `${path}${path.includes("?") ? "&" : "?"}at=2026-11-20`
      assert.strictEqual((yield* get(at)).status, 200, at)
    }
  })

  rule("has the naira's past by both of its paths, to the byte", function* () {
    const histories = [
      "/history",
      "/history?interval=hour",
      "/history?interval=hour&fill=previous",
      "/history?format=csv"
    ]
    for (const query of ["?at=2026-11-20T12:01:00Z", "?at=2026-11-20", "?max_age=600", ...histories]) {
      const { text } = yield* answerAt(`/v1/naira${query}`)
      assert.strictEqual((yield* answerAt(`/v1/p2p/ngn${query}`)).text, text, query)
    }
  })

  rule("stamps each leg of a conversion with its own time, and the answer with the oldest", function* () {
    const at = "at=2026-11-20T12:00:40Z"
    const { data, meta } = yield* jsonAt(`/v1/convert?from=bitcoin&to=NGN&${at}`)
    const times = data.legs.map(({ updated }: { readonly updated: string }) => updated)
    const { meta: ofNaira } = yield* jsonAt(`/v1/naira?${at}`)
    const { meta: ofCoin } = yield* jsonAt(`/v1/price/bitcoin/usd?${at}`)
    assert.include(times, ofNaira.updated)
    assert.include(times, ofCoin.updated)
    assert.notStrictEqual(ofNaira.updated, ofCoin.updated)
    assert.strictEqual(meta.updated, times.toSorted()[0])
  })

  rule("answers a series of which nothing is known without points, and with no coverage", function* () {
    const { data } = yield* history("/v1/price/velas/usd/history")
    assert.deepStrictEqual([data.points, data.coverage.from, data.coverage.to], [[], null, null])
  })

  rule("answers many prices at a moment, each to the digit what a request for it alone says", function* () {
    for (const at of ["at=2026-11-20", "at=2026-11-20T12:00:40Z", "at=2026-11-20&basis=customer"]) {
      const ids = ["tether", "bitcoin", "btc", "ethereum"]
      const many = yield* get(`/v1/prices?ids=${ids.join(",")}&fiats=usd,ngn,gbp&${at}`)
      assert.strictEqual(many.status, 200, many.text)
      const { data } = JSON.parse(many.text)
      assert.strictEqual(data.prices.length, 3)
      for (const row of data.prices) {
        const times: Array<string> = []
        for (const fiat of ["USD", "NGN", "GBP"]) {
          const one = JSON.parse((yield* get(`/v1/price/${row.id}/${fiat}?${at}`)).text)
          assert.isNumber(one.data.price)
          assert.deepStrictEqual(
            [row.price[fiat], row.change_24h[fiat]],
            [one.data.price, one.data.change_24h],
            `${row.id} ${fiat} ${at}`
          )
          times.push(one.meta.updated)
        }
        assert.strictEqual(row.updated, times.toSorted()[0])
      }
      assert.deepStrictEqual([data.missing[0].id, data.missing[0].code], ["btc", "unknown_coin"])
    }
  })

  rule("has no_data for a coin among many of which nothing was observed", function* () {
    const { data, meta } = JSON.parse((yield* get("/v1/prices?ids=bitcoin,btc&at=2020-01-01")).text)
    assert.deepStrictEqual(
      data.missing.map(({ code, id }: { readonly code: string; readonly id: string }) => [id, code]),
      [
        ["bitcoin", "no_data"],
        ["btc", "unknown_coin"]
      ]
    )
    assert.deepStrictEqual([data.prices, meta.updated], [[], "2020-01-01T00:00:00.000Z"])
  })

  rule("refuses impossible ranges and times, and says what is allowed", function* () {
    const eleven = "EUR,GBP,INR,ZAR,AED,CAD,JPY,NGN,KES,GHS,CHF"
    for (const [path, told] of [
      ["/v1/naira/history?to=2026-11-21", /^to must not be after today/],
      ["/v1/naira/history?from=2026-02-30", /^from must be a day of UTC/],
      ["/v1/naira/history?from=2000-01-01", /^from at most 3660 points/],
      ["/v1/naira/history?interval=year", /^interval must be day, hour, week or month/],
      ["/v1/fx/history?quotes=EUR&interval=hour", /^interval must be day, week or month/],
      ["/v1/naira/history?format=hledger", /^format must be json or csv/],
      ["/v1/fx/history", /^quotes is required/],
      ...["EUR,xyz", "", "EUR,", eleven].map(
        (quotes) => [`/v1/fx/history?quotes=${quotes}`, /^quotes must be 1 to 10 fiat codes/] as const
      ),
      ["/v1/naira/history?fill=next", /^fill must be none or previous/],
      ["/v1/naira?at=2026-11-21", /^at must not be in the future/],
      ["/v1/naira?at=yesterday", /^at must be a day/],
      ["/v1/naira?at=2026-11-20&max_age=60", /max_age/],
      ["/v1/prices?ids=bitcoin&at=2026-11-20&max_age=60", /max_age/]
    ] as const) {
      const { errors = [] } = yield* refused(path, 400, "invalid_parameter")
      assert.match(errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "), told, path)
    }
    const ten = yield* history(`/v1/fx/history?quotes=${eleven.slice(0, -4)}`)
    assert.lengthOf(Object.keys(Object(ten.data.points[0]?.["rates"])), 10)
  })

  rule("says no_data with the coverage where nothing was observed", function* () {
    const { coverage } = yield* refused("/v1/price/bitcoin/usd?at=2020-01-01", 404, "no_data")
    assert.deepStrictEqual(coverage, { from: "2026-11-20", to: "2026-11-20" })
    yield* refused("/v1/price/nothing-such/usd/history", 404, "unknown_coin")
  })

  rule("answers with at= are cached, for every endpoint that takes it", function* () {
    for (const path of [
      ...["usd", "eur", "ngn"].map((fiat) => `/v1/price/bitcoin/${fiat}?`),
      "/v1/prices?ids=bitcoin,tether&fiats=usd,ngn,eur&",
      "/v1/convert?from=NGN&to=EUR&amount=5&",
      "/v1/naira?",
      "/v1/fx?"
    ]) {
      const { headers, text } = yield* get(`${path}at=2026-11-20T12:01:00Z`)
      assert.match(String(headers["cache-control"]), /max-age=[1-9]/, `${path}: ${text.slice(0, 200)}`)
    }
  })

  rule("answers CSV and price directives, a row a point", function* () {
    const path = "/v1/price/bitcoin/usd/history"
    const [point] = (yield* history(path)).data.points
    const ledger = yield* answerAt(`${path}?format=hledger`)
    assert.strictEqual(ledger.text, `P 2026-11-20 BTC ${point?.["close"]} USD\n`)
    const weeks = yield* get(`${path}?format=hledger&interval=week`)
    assert.strictEqual(weeks.text, ledger.text, "the price of a week is that of its last day")
    const rowOf = Effect.fnUntraced(function* (of: string) {
      const rows: ReadonlyArray<Record<string, string>> = parse((yield* answerAt(of)).text, { columns: true })
      return rows[0] ?? {}
    })
    const row = yield* rowOf(`${path}?format=csv`)
    assert.deepStrictEqual(Object.keys(row), [...Object.keys(point ?? {}), "id", "fiat"])
    assert.deepInclude(row, { id: "bitcoin", fiat: "USD", close: String(point?.["close"]) })
    for (const [path, column] of [
      ["/v1/price/bitcoin/usd/history?", "id"],
      ["/v1/naira/history?", "pair"],
      ["/v1/fx/history?quotes=EUR&", "quote"]
    ] as const) {
      const week = yield* rowOf(`${path}interval=week&format=csv`)
      const [shown] = (yield* history(`${path}interval=week`)).data.points
      assert.containsAllKeys(week, ["average", "days", column])
      assert.strictEqual(Number(week["days"]), shown?.["days"])
    }
  })
})

rulesIn(sharedFriday)("History: without a record", (rule) => {
  rule("histories are 503, and everything else is answered", function* () {
    for (const path of ["/v1/naira/history", "/v1/price/bitcoin/usd/history", "/v1/naira?at=2026-11-20"]) {
      const { detail } = yield* refused(path, 503, "source_unavailable")
      assert.strictEqual(detail, "This server keeps no history (HISTORY=off).")
    }
    const many = yield* answerAt("/v1/prices?ids=bitcoin&at=2026-11-20")
    const [missing] = JSON.parse(many.text).data.missing
    assert.strictEqual(missing.code, "source_unavailable", "200, as for all else it lacks")
    assert.match(String(many.headers["cache-control"]), /max-age=0,/)
  })
})
