// CSV of lists: the figures of the JSON answer, read back by a parser that is not ours.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "csv-parse/sync"
import { codesIn, tableUnder } from "../docs/Markdown.ts"
import { friday, RunningService, withoutEvidence, get } from "../RunningService.ts"
import { Coins, Fx, read, refused, written } from "./support.ts"

const rowsOf = (text: string): ReadonlyArray<Record<string, string>> =>
  parse(text, { columns: true, record_delimiter: "\r\n" })

/** A cell as CSV has it, with the digits of the JSON text of its row. */
const cellOf = (json: string, column: string): string => {
  const value = JSON.parse(json)[column]
  if (value === null) return ""
  if (typeof value !== "string") return written(json, column) ?? ""
  return column !== "id" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

layer(RunningService.layer({ at: friday, config: withoutEvidence }))("Formats: tables", (it) => {
  it.effect("of coins have a row a coin, with the members of JSON as columns and the same digits", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/coins?limit=250", "/v1/coins?ids=tether,bitcoin,no-such-coin"]) {
        const json = yield* get(path)
        const table = yield* get(`${path}&format=csv`)
        assert.strictEqual(table.headers["content-type"], "text/csv; charset=utf-8")
        const coins = json.text.match(/\{"id":[^{}]*"source":"[^"]*"\}/g) ?? []
        const rows = rowsOf(table.text)
        const { data } = JSON.parse(json.text)
        assert.strictEqual(rows.length, data.coins.length)
        for (const [n, row] of rows.entries()) {
          assert.deepStrictEqual(Object.keys(row), Object.keys(data.coins[n]))
          for (const [column, cell] of Object.entries(row)) {
            assert.strictEqual(cell, cellOf(coins[n] ?? "", column), `${row["id"]} ${column}`)
          }
        }
      }
    })
  )

  it.effect("of fiat rates have a row a rate, now and at a day", () =>
    Effect.gen(function* () {
      const { answer, data, meta } = yield* read("/v1/fx", Fx)
      const table = yield* get("/v1/fx?format=csv")
      assert.strictEqual(table.text.split("\r\n")[0], "base,quote,rate,observed,source,updated")
      assert.deepStrictEqual(
        rowsOf(table.text),
        Object.entries(data.observed).map(([quote, observed]) => ({
          base: "USD",
          quote,
          rate: written(answer.text, quote) ?? "",
          observed,
          source: quote === "NGN" ? "CBN (sandbox)" : "Frankfurter (sandbox)",
          updated: meta.updated
        }))
      )
      assert.strictEqual(meta.source, "Frankfurter (sandbox) + CBN (sandbox)")
      const refusal = yield* get("/v1/fx?format=csv&max_age=1")
      assert.deepStrictEqual([refusal.status, refusal.headers["content-type"]], [503, "application/problem+json"])
      assert.strictEqual((yield* get("/v1/fx?format=csv&max_age=10000000")).text, table.text)
    })
  )

  it.effect("are answered to Accept where no format is given, each format with its ETag, source and time", () =>
    Effect.gen(function* () {
      const csv = { headers: { accept: "text/csv" } }
      for (const path of ["/v1/coins?limit=3", "/v1/coins?ids=bitcoin", "/v1/fx"]) {
        const json = yield* get(path)
        const { meta } = JSON.parse(json.text)
        const table = yield* get(`${path}${path.includes("?") ? "&" : "?"}format=csv`)
        const accepted = yield* get(path, csv)
        assert.strictEqual(accepted.text, table.text)
        assert.deepStrictEqual([table.headers["x-source"], table.headers["x-updated"]], [meta.source, meta.updated])
        for (const { headers } of [json, table, accepted]) {
          assert.strictEqual(headers["vary"], "x-api-key, Accept-Encoding, Accept")
        }
        assert.notStrictEqual(accepted.headers.etag, json.headers.etag)
        const known = { headers: { ...csv.headers, "if-none-match": accepted.headers.etag ?? "" } }
        assert.strictEqual((yield* get(path, known)).status, 304)
        assert.strictEqual(
          (yield* get(path, { headers: { "if-none-match": accepted.headers.etag ?? "" } })).status,
          200
        )
        const chosen = yield* get(`${path}${path.includes("?") ? "&" : "?"}format=json`, csv)
        assert.strictEqual(chosen.text, json.text, "format goes before Accept")
        assert.strictEqual((yield* get(path)).text, json.text, "the cached table is not answered as JSON")
      }
    })
  )

  it.effect("of a page link to the next page in the same format", () =>
    Effect.gen(function* () {
      const table = yield* get("/v1/coins?limit=3&format=csv")
      assert.include(table.headers["link"], '</v1/coins?limit=3&page=2&format=csv>; rel="next"')
      const empty = yield* get("/v1/coins?limit=250&page=1000000&format=csv")
      const { data } = yield* read("/v1/coins?limit=1", Coins)
      assert.strictEqual(empty.text, `${Object.keys(data.coins[0] ?? {}).join(",")}\r\n`)
    })
  )

  it.effect("have no ledger format for coins and rates", () =>
    Effect.gen(function* () {
      for (const path of ["/v1/coins?format=hledger", "/v1/fx?format=beancount", "/v1/fx?format="]) {
        const { errors } = yield* refused(path, 400, "invalid_parameter")
        assert.match(errors?.[0]?.detail ?? "", /json or csv/)
      }
    })
  )
})

const withHistory = RunningService.layer({ at: friday, hasPast: true, config: { HISTORY: "on", ...withoutEvidence } })

layer(withHistory)("the columns in docs/endpoints.md", (it) => {
  it.effect("are the documented ones, in their order", () =>
    Effect.gen(function* () {
      const query: Readonly<Record<string, string>> = {
        "/v1/prices": "ids=bitcoin&",
        "/v1/coins": "limit=1&",
        "/v1/fx/history": "quotes=EUR&"
      }
      for (const [path = "", columns = ""] of tableUnder("docs/endpoints.md", "CSV").map((row) =>
        row.flatMap(codesIn)
      )) {
        const asked = path.replace("{id}", "bitcoin").replace("{fiat}", path.startsWith("/v1/p2p") ? "ngn" : "usd")
        const { status, text } = yield* get(`${asked}?${query[path] ?? ""}format=csv`)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(text.split("\r\n")[0], columns, path)
      }
    })
  )
})
