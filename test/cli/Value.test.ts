// `value`: a file of transactions against a running service and against its data folder.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { BigDecimal, Console, Effect, Fiber } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { parse } from "csv-parse/sync"
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { value } from "../../src/cli/ValueCommand.ts"
import { BATCH, valueFile } from "../../src/cli/ValueFile.ts"
import * as ValueRecord from "../../src/cli/ValueRecord.ts"
import { makeAsking } from "../../src/cli/ValueSource.ts"
import type { Stored } from "../../src/history/store/History.ts"
import { layerRecord } from "../history/layerRecord.ts"
import { observed } from "../history/records.ts"
import { friday, get, RunningService, until, withoutEvidence } from "../RunningService.ts"
import { temporaryFolder } from "../resources.ts"
import { rule, rulesIn } from "../rulesOf.ts"
import { inProcess } from "./inProcess.ts"

const service = RunningService.layer({
  at: friday,
  hasPast: true,
  kept: "state",
  config: { HISTORY: "on", ...withoutEvidence }
})

/** The command's output for a text, with the folder of the running service or by its address. */
const valued = Effect.fnUntraced(function* (text: string | Uint8Array, ...flags: ReadonlyArray<string>) {
  const { baseUrl, dataDir, serving } = yield* RunningService
  const file = join(yield* temporaryFolder, "file.csv")
  writeFileSync(file, text)
  const folder = yield* inProcess(value, { DATA_DIR: dataDir }, [file, ...flags])
  const server = yield* serving(inProcess(value, {}, [file, "--url", baseUrl, ...flags]))
  return { folder, server }
})

type Row = Readonly<Record<string, string>>
const rowsOf = (out: string, delimiter = ","): ReadonlyArray<Row> =>
  parse(out, { columns: true, delimiter, record_delimiter: "\r\n" })

const TIMES = ["2026-11-13", "2026-11-14T10:30:00Z", "2026-10-20", "2026-11-20T12:30:00+01:00"]

rulesIn(service)("value", (rule) => {
  rule("has the figures of /v1/convert, from the folder and from the server, each row in its place", function* () {
    const assets = ["bitcoin", "tether", "USD", "eur", "NGN"]
    const asked = TIMES.flatMap((time) => assets.map((asset) => [asset, time] as const))
    yield* until(Effect.map(get("/v1/convert?from=eth&to=NGN&at=2026-10-20"), ({ status }) => status !== 503))
    yield* until(Effect.map(get("/v1/convert?from=bitcoin&to=NGN&at=2026-10-20"), ({ status }) => status === 200))
    yield* until(Effect.map(get("/v1/convert?from=EUR&to=NGN&at=2026-10-20"), ({ status }) => status === 200))
    const lines = asked.map(([asset, time], n) => `${n},${asset},0.${n}5,${time},memo ${n}`)
    const { folder, server } = yield* valued(["id,asset,amount,time,note", ...lines].join("\n"))
    assert.strictEqual(folder.out, server.out)
    assert.isTrue(folder.succeeded, folder.failure)
    assert.include(folder.err, "20 of 20 rows have their values.")
    const rows = rowsOf(folder.out)
    assert.deepStrictEqual(
      rows.map(({ amount, id, note }) => [id, amount, note]),
      asked.map((_, n) => [String(n), `0.${n}5`, `memo ${n}`])
    )
    for (const [n, [asset, time]] of asked.entries()) {
      const row = rows[n] ?? {}
      for (const fiat of ["NGN", "USD"]) {
        const path = `/v1/convert?from=${asset}&to=${fiat}&amount=${row["amount"]}&at=${encodeURIComponent(time)}`
        const { data, meta } = JSON.parse((yield* get(path)).text)
        const figure = Number(row[fiat.toLowerCase()])
        assert.closeTo(figure / data.result, 1, 2e-11, `${asset} in ${fiat} at ${time}`)
        if (asset === "bitcoin") assert.strictEqual(figure, data.result)
        if (asset === "bitcoin" && fiat === "NGN") {
          assert.deepStrictEqual(
            [row["rate"], row["observed"], row["source"]],
            [String(data.rate), meta.updated, meta.source]
          )
        }
      }
      const isDay = !time.includes("T")
      const end = Date.parse(isDay ? `${time}T23:59:59.999Z` : time)
      assert.strictEqual(Number(row["age"]), Math.max(0, Math.round((end - Date.parse(row["observed"] ?? "")) / 1000)))
      assert.include(["order_book", "p2p"], row["kind"])
    }
  })

  rule("gives a row without a value its reason, and the others their values", function* () {
    const faults: ReadonlyArray<readonly [line: string, reason: string]> = [
      ["a,bitcoin,1,1970-01-01", "Nothing of bitcoin was recorded"],
      ["b,bitcoin,1,2100-01-01", "in the future"],
      ["c,bitcoin,1,2026-02-30", "is not a day of the calendar"],
      ["d,bitcoin,1e400,2026-11-13", "not a plain decimal"],
      ["e,bitcoin,1,2026-11-13 10:00", "has no zone"],
      ["f,BTC,1,2026-11-13", 'No coin has the id "btc"'],
      ["g,bitcoin,1", "The row has 3 cells, and the first line has 4."],
      ['h,bitcoin,"1,234",2026-11-13', "may mean thousands"],
      ["i,GBX,1,2026-11-13", "a hundredth of GBP"],
      ["j,KES,1,2026-11-13", "not one of the fiats"],
      ["k,,1,2026-11-13", "no asset"],
      ["l,a@b,1,2026-11-13", "neither a coin's id"],
      [`m,bitcoin,1,${"9".repeat(1_000_000)}`, "more than 65536 characters"],
      ['n,"bitcoin,1,2026-11-13', "quotation mark"],
      ["o,bitcoin,1,2026-11-13T25:00Z", "not a time of the day"],
      ["p,bitcoin,1,13/11/2026", "is not like"],
      ["q,tether,1,2015-01-01", "Nothing of tether"]
    ]
    const good = "good,bitcoin,1,2026-11-13"
    const text = ["id,asset,amount,time", ...faults.flatMap(([line]) => [line, good])].join("\r\n")
    const { folder, server } = yield* valued(text)
    for (const { failure, out, succeeded } of [folder, server]) {
      assert.isFalse(succeeded)
      assert.include(failure, "Unvalued")
      const rows = rowsOf(out)
      assert.lengthOf(rows, 2 * faults.length)
      for (const [n, [line, reason]] of faults.entries()) {
        const [bad = {}, next = {}] = rows.slice(2 * n, 2 * n + 2)
        assert.include(bad["reason"], reason, line.slice(0, 40))
        assert.deepStrictEqual([bad["ngn"], bad["usd"], bad["id"]], ["", "", line[0]], line.slice(0, 40))
        assert.deepStrictEqual([next["reason"], next["id"], next["usd"] === ""], ["", "good", false])
      }
    }
  })

  rule("values a side at what a customer pays or gets, and says where only the middle is known", function* () {
    const now = "2026-11-20T12:00:30Z"
    const ask = (path: string) => Effect.map(get(path), ({ text }) => JSON.parse(text).data)
    yield* until(Effect.map(get(`/v1/naira?at=${now}`), ({ text }) => text.includes('"buy":1')))
    const { buy, mid, sell } = yield* ask(`/v1/naira?at=${now}`)
    const lines = ["buy", "sell", "", "hold"].map((side) => `${side},tether,1,${now},${side}`)
    const bitcoin = ["buy", "sell"].map((side) => `${side},bitcoin,1,${now},${side}`)
    const past = "past,tether,1,2026-10-20,sell"
    const { folder, server } = yield* valued(["id,asset,amount,time,side", ...lines, ...bitcoin, past].join("\n"))
    assert.strictEqual(folder.out, server.out)
    const [atBuy, atSell, atMid, wrong, paid, got, before] = rowsOf(folder.out)
    assert.deepStrictEqual([atBuy?.["ngn"], atSell?.["ngn"], atMid?.["ngn"]], [buy, sell, mid].map(String))
    assert.include(wrong?.["reason"], "neither buy nor sell")
    const sold = yield* ask(`/v1/convert?from=bitcoin&to=NGN&basis=customer&at=${now}`)
    assert.strictEqual(got?.["ngn"], String(sold.result))
    assert.isAbove(Number(paid?.["ngn"]), Number(got?.["ngn"]))
    assert.include(before?.["reason"], "Only the middle")
    assert.deepStrictEqual([before?.["ngn"], before?.["usd"] === ""], ["", false])
  })

  rule("reads what spreadsheets write, and writes nothing that they run", function* () {
    const text =
      "\uFEFFTime;Amount;Asset;Note;Id\r\n" +
      '2026-11-14 11:30;0,5;bitcoin;"=HYPERLINK(""x"")";-1\r\n' +
      "2026-11-14 11:30;-0.5;bitcoin;+234 803 000;@x\r\n\r\n" +
      '2026-11-14T10:30:00Z;1,234;bitcoin;"two\r\nlines; and ""marks""";\r\n'
    const { folder, server } = yield* valued(text, "--zone", "Africa/Lagos", "--decimal-comma")
    assert.strictEqual(folder.out, server.out)
    assert.isTrue(folder.succeeded, folder.failure)
    assert.isTrue(folder.out.startsWith("Time;Amount;Asset;Note;Id;ngn;usd;rate;"))
    const [first = {}, second = {}, third = {}] = rowsOf(folder.out, ";")
    assert.deepStrictEqual([first["Note"], first["Id"]], [`'=HYPERLINK("x")`, "-1"])
    assert.deepStrictEqual([second["Note"], second["Id"], second["Amount"]], ["'+234 803 000", "'@x", "-0.5"])
    assert.deepStrictEqual([third["Note"], third["Amount"]], ['two\r\nlines; and "marks"', "1,234"])
    const rate = BigDecimal.fromStringUnsafe(third["rate"] ?? "")
    assert.strictEqual(first["rate"], third["rate"])
    assert.strictEqual(Number(first["ngn"]), -Number(second["ngn"]))
    assert.closeTo(Number(third["ngn"]) / (1.234 * BigDecimal.toNumberUnsafe(rate)), 1, 1e-11)
  })

  rule("ends with a sentence for what is no file of transactions", function* () {
    const utf16 = Buffer.from("\uFEFFid,asset,amount,time\n", "utf16le")
    for (const [text, sentence] of [
      ["", "is empty"],
      ["id,asset,amount\n", "It lacks time."],
      ["asset,amount,time,ngn\n", "already has a column ngn"],
      ["asset,asset,amount,time\n", "names the column asset twice"],
      [utf16, "UTF-16"]
    ] as const) {
      const { folder } = yield* valued(text)
      assert.include(folder.failure, sentence)
      assert.strictEqual(folder.out, "")
    }
    const { dataDir } = yield* RunningService
    const missing = yield* inProcess(value, { DATA_DIR: dataDir }, ["/no/such/file.csv"])
    assert.include(missing.failure, "/no/such/file.csv cannot be read.")
    const { folder } = yield* valued("asset,amount,time\n", "--zone", "Lagos")
    assert.include(folder.failure, "no time zone")
  })
})

rule(
  "value: rows keep their place while the record is away in the middle, and those before and after have their values",
  function* () {
    yield* TestClock.setTime(friday)
    let asked = 0
    const newestAt: Stored["newestAt"] = (pairs) => {
      asked++
      if (asked > 1 && asked < 6) return Effect.die("away")
      const rows = Array.from(pairs, ([series, askedFor]) => ({ ...observed(series, askedFor, 2000), askedFor }))
      const found = rows.map((row) => (row.series === "coin/tether" ? { ...row, value: 1 } : row))
      return Effect.succeed({
        observations: Map.groupBy(found, ({ series }) => series),
        hours: new Map(),
        days: new Map()
      })
    }
    const file = join(yield* temporaryFolder, "file.csv")
    const lines = Array.from(
      { length: 1000 },
      (_, n) => `${n},bitcoin,1,2026-11-13T00:00:${String(n % 60).padStart(2, "0")}Z`
    )
    writeFileSync(file, ["id,asset,amount,time", ...lines].join("\n"))
    const console = yield* TestConsole.make
    const options = { zone: undefined, hasDecimalComma: false, screen: { isTerminal: true, write: () => Effect.void } }
    const running = yield* Effect.flatMap(ValueRecord.make, (source) => valueFile(file, source, options)).pipe(
      Effect.provide([layerRecord({ newestAt }), NodeServices.layer]),
      Effect.provideService(Console.Console, console),
      Effect.forkChild
    )
    const pass = Effect.andThen(TestClock.withLive(Effect.sleep("5 millis")), TestClock.adjust("1 second"))
    yield* Effect.repeat(pass, { until: () => running.pollUnsafe() !== undefined })
    const { rows, valued } = yield* Fiber.join(running)
    const out = rowsOf((yield* console.logLines).map((line) => `${String(line)}\n`).join(""))
    assert.deepStrictEqual(
      out.map(({ id }) => id),
      lines.map((_, n) => String(n))
    )
    const away = out.flatMap(({ id, reason }) =>
      reason?.startsWith("The history's database did not answer.") === true ? Number(id) : []
    )
    assert.deepStrictEqual([rows, valued, away.length], [1000, 1000 - away.length, BATCH])
    assert.strictEqual((away.at(-1) ?? 0) - (away[0] ?? 0), BATCH - 1, "one batch, not the ends")
    assert.isAbove(away[0] ?? 0, 0)
    assert.strictEqual(out.at(-1)?.["ngn"], "4000000")
  }
)

rule("value: a server that takes requests and never answers is a sentence in each row", function* () {
  const silent = createServer()
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => silent.close())
  )
  const address = silent.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const file = join(yield* temporaryFolder, "file.csv")
  writeFileSync(file, "id,asset,amount,time\n1,bitcoin,1,1969-12-31\n")
  const running = yield* Effect.forkChild(inProcess(value, {}, [file, "--url", url]))
  const pass = Effect.andThen(TestClock.withLive(Effect.sleep("5 millis")), TestClock.adjust("1 second"))
  yield* Effect.repeat(pass, { until: () => running.pollUnsafe() !== undefined })
  const { err, out } = yield* Fiber.join(running)
  assert.include(rowsOf(out)[0]?.["reason"], "The server did not answer in time.")
  assert.include(err, "0 of 1 rows")
})

rule("value: a source that fails three times in a row for one reason rests, and is asked again", function* () {
  const asking = makeAsking()
  let asked = 0
  const answered = (reason: string | undefined) =>
    asking(
      Effect.suspend(() => (asked++, reason === undefined ? Effect.succeed("value") : Effect.fail({ reason }))),
      (failed) => failed.reason
    )
  const script = ["away", "away", undefined, "away", "refused", "away", "away", "away", "other", undefined]
  const running = yield* Effect.forkChild(Effect.forEach(script, answered), { startImmediately: true })
  yield* TestClock.adjust("21 seconds")
  const given = ["away", "away", "value", "away", "refused", "away", "away", "away", "away", "away"]
  assert.deepStrictEqual(yield* Fiber.join(running), given)
  assert.strictEqual(asked, 7 * 4 + 1)
  yield* TestClock.adjust("5 seconds")
  assert.strictEqual(yield* answered(undefined), "value")
  // A clock that is set back ends a rest.
  const failing = yield* Effect.forkChild(Effect.forEach(["away", "away", "away"], answered), {
    startImmediately: true
  })
  yield* TestClock.adjust("9 seconds")
  yield* Fiber.join(failing)
  assert.strictEqual(yield* answered(undefined), "away")
  yield* TestClock.setTime(0)
  assert.strictEqual(yield* answered(undefined), "value")
})
