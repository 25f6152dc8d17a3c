// CSV of lists: the figures of the JSON answer, read back by a parser that is not ours.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "csv-parse/sync"
import { codesIn, tableUnder } from "../docs/Markdown.ts"
import { history } from "../../src/cli/HistoryCommand.ts"
import * as HistoryReader from "../../src/history/store/HistoryReader.ts"
import * as SqliteClient from "../../src/history/store/SqliteClient.ts"
import { inProcess } from "../cli/inProcess.ts"
import { type Answer, friday, RunningService, withoutEvidence, get, until, sharedFriday } from "../RunningService.ts"
import { isWhole } from "../isWhole.ts"
import { Fx } from "../../src/api/ConversionApi.ts"
import { Coins } from "../../src/api/MarketApi.ts"
import { read, refused, written } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const rowsOf = (text: string): ReadonlyArray<Record<string, string>> =>
  parse(text, { columns: true, record_delimiter: "\r\n" })

/** A cell as CSV has it, with the digits of the JSON text of its row. */
const cellOf = (json: string, column: string): string => {
  const value = JSON.parse(json)[column]
  if (value === null) return ""
  if (typeof value !== "string") return written(json, column) ?? ""
  return column !== "id" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

rulesIn(sharedFriday)("Formats: tables", (rule) => {
  rule("of coins have a row a coin, with the members of JSON as columns and the same digits", function* () {
    for (const path of ["/v1/coins?limit=250", "/v1/coins?ids=tether,bitcoin,no-such-coin"]) {
      const json = yield* get(path)
      const table = yield* get(`${path}&format=csv`)
      assert.strictEqual(table.headers["content-type"], "text/csv; charset=utf-8")
      const coins = json.text.match(/\{"id":[^{}]*"source":"[^"]*"\}/g) ?? []
      const all = rowsOf(table.text)
      const { data } = JSON.parse(json.text)
      const [rows, missing] = [all.slice(0, data.coins.length), all.slice(data.coins.length)]
      assert.deepStrictEqual(
        missing.map((row) => Object.values(row).filter((cell) => cell !== "")),
        (data.missing ?? []).map(({ id }: { readonly id: string }) => [id])
      )
      for (const [n, row] of rows.entries()) {
        assert.deepStrictEqual(Object.keys(row), Object.keys(data.coins[n]))
        for (const [column, cell] of Object.entries(row)) {
          assert.strictEqual(cell, cellOf(coins[n] ?? "", column), `${row["id"]} ${column}`)
        }
      }
    }
  })

  rule("of one record have one row: its members without members of their own, source and time last", function* () {
    const nested = new Set(["platforms", "quotes", "venues"])
    for (const path of ["/v1/naira", "/v1/p2p/ngn", "/v1/p2p/kes", "/v1/global", "/v1/coins/bitcoin"]) {
      const json = yield* get(path)
      const { data, meta } = JSON.parse(json.text)
      const [row = {}, ...others] = rowsOf((yield* get(`${path}?format=csv`)).text)
      const members = Object.keys(data).filter((name) => !nested.has(name))
      assert.deepStrictEqual(Object.keys(row), [...new Set([...members, "source", "updated"])], path)
      const own = json.text.replaceAll(/"(?:venues|quotes|platforms)":(?:\[.*?\]|\{.*?\})/g, '"x":0')
      for (const name of members) {
        const cell = data[name] === null ? "" : typeof data[name] === "string" ? data[name] : written(own, name)
        assert.strictEqual(row[name], cell, `${path} ${name}`)
      }
      assert.deepStrictEqual(
        [row["source"], row["updated"]],
        [data.source ?? meta.source, data.updated ?? meta.updated]
      )
      assert.deepStrictEqual(others, [])
    }
  })

  rule("of a market have what an amount gets in columns of its own", function* () {
    const { data } = JSON.parse((yield* get("/v1/naira?amount=250000&side=buy")).text)
    const [row = {}] = rowsOf((yield* get("/v1/naira?amount=250000&side=buy&format=csv")).text)
    const quote = Object.entries(row).filter(([name]) => name.startsWith("quote_"))
    assert.deepStrictEqual(
      quote.map(([name, cell]) => [name.slice("quote_".length), cell]),
      Object.entries(data.quote).map(([name, value]) => [name, value === null ? "" : String(value)])
    )
    assert.strictEqual(row["quote_amount"], "250000")
  })

  rule("of P2P markets have a row a market, with its sources", function* () {
    const { data } = JSON.parse((yield* get("/v1/p2p")).text)
    const rows = rowsOf((yield* get("/v1/p2p?format=csv")).text)
    assert.deepStrictEqual(
      rows,
      data.markets.map((market: object) =>
        Object.fromEntries(Object.entries(market).map(([name, value]) => [name, value === null ? "" : String(value)]))
      )
    )
    assert.include(rows[0]?.["source"], "Bybit")
  })

  rule(
    "of a conversion have every digit of the amount, and say where people pay another rate than the official one",
    function* () {
      for (const [asked, street] of [
        ["from=bitcoin&to=ngn&amount=0.000000000000000123", ""],
        ["from=usd&to=ves&amount=20", "not_followed"],
        ["from=tether&to=ngn&amount=100&basis=customer", ""]
      ] as const) {
        const json = yield* get(`/v1/convert?${asked}`)
        const { data, meta } = JSON.parse(json.text)
        const own = json.text.replace(/"legs":.*?\]/, "")
        const [row = {}] = rowsOf((yield* get(`/v1/convert?${asked}&format=csv`)).text)
        const { confidence, ...others } = row
        assert.deepStrictEqual<object>(others, {
          from: data.from,
          to: data.to,
          amount: written(own, "amount"),
          rate: written(own, "rate"),
          result: written(own, "result"),
          street,
          source: meta.source,
          updated: meta.updated
        })
        assert.include(["high", "medium", "low"], confidence)
        const refusal = yield* get(`/v1/convert?${asked}&format=csv&expect=1`)
        assert.deepStrictEqual([refusal.status, refusal.headers["content-type"]], [409, "application/problem+json"])
      }
    }
  )

  rule("of fiat rates have a row a rate, now and at a day", function* () {
    const { answer, data, meta } = yield* read("/v1/fx", Fx)
    const table = yield* get("/v1/fx?format=csv")
    assert.strictEqual(table.text.split("\r\n")[0], "base,quote,rate,observed,source,updated")
    const rows = rowsOf(table.text)
    for (const { source = "" } of rows) assert.include(meta.source.split(" + "), source)
    assert.deepStrictEqual(
      rows.map((row) => ({ ...row, source: "" })),
      Object.entries(data.observed).map(([quote, observed]) => ({
        base: "USD",
        quote,
        rate: written(answer.text, quote) ?? "",
        observed,
        source: "",
        updated: meta.updated
      }))
    )
    assert.strictEqual(rows.find(({ quote }) => quote === "NGN")?.["source"], "CBN (sandbox)")
    const refusal = yield* get("/v1/fx?format=csv&max_age=1")
    assert.deepStrictEqual([refusal.status, refusal.headers["content-type"]], [503, "application/problem+json"])
    assert.strictEqual((yield* get("/v1/fx?format=csv&max_age=10000000")).text, table.text)
  })

  rule("are answered to Accept where no format is given, each format with its ETag, source and time", function* () {
    const csv = { headers: { accept: "text/csv" } }
    for (const path of [
      "/v1/coins?limit=3",
      "/v1/coins?ids=bitcoin",
      "/v1/fx",
      "/v1/naira",
      "/v1/convert?from=bitcoin&to=ngn"
    ]) {
      const json = yield* get(path)
      const { meta } = JSON.parse(json.text)
      const table = yield* get(`${path}${path.includes("?") ? "&" : "?"}format=csv`)
      const accepted = yield* get(path, csv)
      assert.strictEqual(accepted.text, table.text)
      assert.deepStrictEqual([table.headers["x-source"], table.headers["x-updated"]], [meta.source, meta.updated])
      for (const { headers } of [json, table, accepted]) {
        assert.strictEqual(headers["vary"], "x-api-key, authorization, Accept-Encoding, Accept")
      }
      assert.notStrictEqual(accepted.headers.etag, json.headers.etag)
      const known = { headers: { ...csv.headers, "if-none-match": accepted.headers.etag ?? "" } }
      assert.strictEqual((yield* get(path, known)).status, 304)
      assert.strictEqual((yield* get(path, { headers: { "if-none-match": accepted.headers.etag ?? "" } })).status, 200)
      const chosen = yield* get(`${path}${path.includes("?") ? "&" : "?"}format=json`, csv)
      assert.strictEqual(chosen.text, json.text, "format goes before Accept")
      assert.strictEqual((yield* get(path)).text, json.text, "the cached table is not answered as JSON")
    }
  })

  rule("of a page link to the next page in the same format", function* () {
    const table = yield* get("/v1/coins?limit=3&format=csv")
    assert.include(table.headers["link"], '</v1/coins?limit=3&page=2&format=csv>; rel="next"')
    const empty = yield* get("/v1/coins?limit=250&page=1000000&format=csv")
    const { data } = yield* read("/v1/coins?limit=1", Coins)
    assert.strictEqual(empty.text, `${Object.keys(data.coins[0] ?? {}).join(",")}\r\n`)
  })

  rule("have no ledger format for coins and rates", function* () {
    for (const path of ["/v1/coins?format=hledger", "/v1/fx?format=beancount", "/v1/fx?format="]) {
      const { errors } = yield* refused(path, 400, "invalid_parameter")
      assert.match(errors?.[0]?.detail ?? "", /json or csv/)
    }
  })
})

const withHistory = RunningService.layer({
  at: friday,
  hasPast: true,
  kept: "state",
  config: { HISTORY: "on", ...withoutEvidence }
})

/** The endpoint of a series' history, and its parameters. */
const historyOf = (series: string): readonly [path: string, query: string] => {
  const key = series.slice(series.indexOf("/") + 1)
  if (series.startsWith("coin/")) return [`/v1/price/${key}/usd/history`, ""]
  if (series === "naira") return ["/v1/naira/history", ""]
  if (series.startsWith("p2p/")) return [`/v1/p2p/${key}/history`, ""]
  return ["/v1/fx/history", `quotes=${series === "official" ? "NGN" : key}&`]
}

rulesIn(withHistory)("Formats: tables of histories", (rule) => {
  rule("have the documented columns, in their order", function* () {
    const query: Readonly<Record<string, string>> = {
      "/v1/prices": "ids=bitcoin&",
      "/v1/coins": "limit=1&",
      "/v1/fx/history": "quotes=EUR&",
      "/v1/convert": "from=bitcoin&to=NGN&",
      "/v1/statement": "from=USD&to=NGN&on=2026-11-14&"
    }
    for (const [path = "", columns = ""] of tableUnder("docs/endpoints.md", "CSV").map((row) => row.flatMap(codesIn))) {
      const asked = path.replace("{id}", "bitcoin").replace("{fiat}", path.startsWith("/v1/p2p") ? "ngn" : "usd")
      const { status, text } = yield* get(`${asked}?${query[path] ?? ""}format=csv`)
      assert.strictEqual(status, 200, path)
      assert.strictEqual(text.split("\r\n")[0], columns, path)
    }
  })

  rule("are the same to the byte as `history export`, of each series, in any range", function* () {
    const { dataDir } = yield* RunningService
    const names = Effect.flatMap(HistoryReader.make, (reader) => reader.names("")).pipe(
      Effect.provide(SqliteClient.layer({ filename: `${dataDir}/history.sqlite`, readonly: true }))
    )
    const kinds = ["fx/EUR", "official", "naira", "p2p/KES", "coin/bitcoin"]
    const days = "from=2026-11-14&to=2026-11-14"
    const isPast = ({ text }: Answer) => /,p2p,|,order_book,/.test(text)
    yield* until(Effect.map(get(`/v1/naira/history?${days}&format=csv`), isPast))
    const exported = (series: string, ...flags: ReadonlyArray<string>) =>
      Effect.map(inProcess(history, { DATA_DIR: dataDir }, ["export", series, ...flags]), ({ out }) => out)
    const recorded = yield* names
    const coins = recorded.filter((name) => name.startsWith("coin/") && name !== "coin/bitcoin")
    const others = recorded.filter((name) => !coins.includes(name))
    // Coins and fiats are many of one kind.
    const series = isWhole ? [...others, ...coins.slice(0, 10)] : kinds
    for (const name of [...series, "p2p/NGN", "fx/NGN"]) {
      const [path, query] = historyOf(name)
      for (const interval of path === "/v1/fx/history" ? ["day", "week", "month"] : ["day", "hour", "week", "month"]) {
        for (const [from, to] of [["2026-11-01"], ["2026-11-14", "2026-11-18"]] as const) {
          const range = { interval, from, ...(to && { to }) }
          const { text } = yield* get(`${path}?${query}${new URLSearchParams(range)}&format=csv`)
          const flags = Object.entries(range).flatMap(([flag, value]) => [`--${flag}`, value])
          const isEmpty = text.split("\r\n").length === 2
          assert.isTrue(!isEmpty || to !== undefined, `${name} ${interval} ${from} has rows`)
          assert.strictEqual(yield* exported(name, ...flags), isEmpty ? "" : text, `${name} ${interval} ${from}`)
        }
      }
    }
  })
})
