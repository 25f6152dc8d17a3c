// The commands `history status|export|backup`, over a record that a service is writing, and `history backfill`.
import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Fiber, Layer, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { parse } from "csv-parse/sync"
import { mkdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import * as DoctorMachine from "../../src/cli/DoctorMachine.ts"
import { follow } from "../../src/cli/HistoryBackfill.ts"
import { history } from "../../src/cli/HistoryCommand.ts"
import { layerRecord } from "../history/layerRecord.ts"
import * as History from "../../src/history/store/History.ts"
import { Backfill, type Progress } from "../../src/services/history/Backfill.ts"
import { hasPostgres, newDatabase } from "../history/store/Databases.ts"
import { temporaryFolder } from "../resources.ts"
import { inProcess } from "./inProcess.ts"
import { told } from "../history/records.ts"
import { liveRule, rule } from "../rulesOf.ts"

const run = (settings: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
  inProcess(history, settings, args)

const START = Date.UTC(2026, 0, 1)

const point = (day: number, close: number) => told("fx/EUR", "Frankfurter", START + day * 86_400_000, close)

describe("history", () => {
  liveRule("shows the series, prints one as CSV and copies the file, while the record is written", function* () {
    const data = yield* temporaryFolder
    const missing = yield* run({ DATA_DIR: data }, "status")
    assert.isFalse(missing.succeeded)
    assert.include(missing.failure, "No history at")
    yield* Effect.gen(function* () {
      const record = yield* History.History
      yield* (
        record?.offer([
          point(0, 0.9),
          point(1, 0.91),
          point(3, 0.92),
          // Nobody published anything on the fifth, and the euro is missing on the third alone.
          point(5, 0.93),
          { ...point(0, 0.8), series: "fx/GBP" },
          { ...point(2, 0.81), series: "fx/GBP" },
          { ...point(1, 0.93), origin: "currency-api" },
          { ...point(0, 129.5), series: "p2p/KES" }
        ]) ?? Effect.void
      )
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => Effect.sync(() => record?.version() === 1) })

      const status = yield* run({ DATA_DIR: data }, "status", "--json")
      assert.isTrue(status.succeeded, status.failure)
      const { bytes, kinds } = JSON.parse(status.out)
      assert.deepInclude(kinds, {
        kind: "fx",
        series: 2,
        first: "2026-01-01",
        last: "2026-01-06",
        days: 6,
        missing: 2
      })
      assert.strictEqual(bytes % 4096, 0)
      assert.isAbove(bytes, 4096)
      const shown = yield* run({ DATA_DIR: data }, "status")
      assert.match(shown.out, /^fx +2 series  2026-01-01 to 2026-01-06  6 days, 2 missing$/m)
      assert.match(shown.out, /^p2p\/KES +1 series  2026-01-01 to 2026-01-01  1 days, 0 missing$/m)
      assert.match(shown.out, /^naira +0 series  nothing yet$/m)
      assert.notInclude(shown.out, "p2p/GHS")
      assert.match(shown.out, /^0\.\d MB$/m)
      const exported = yield* run({ DATA_DIR: data }, "export", "fx/EUR")
      const rows: ReadonlyArray<Record<string, string>> = parse(exported.out, { columns: true })
      assert.deepStrictEqual(
        rows.map(({ date, quote, rate, source }) => [date, quote, rate, source]),
        [
          ["2026-01-01", "EUR", "0.9", "Frankfurter"],
          ["2026-01-02", "EUR", "0.91", "Frankfurter"],
          ["2026-01-04", "EUR", "0.92", "Frankfurter"],
          ["2026-01-06", "EUR", "0.93", "Frankfurter"]
        ]
      )
      const some = yield* run({ DATA_DIR: data }, "export", "fx/EUR", "--from", "2026-01-02", "--to", "2026-01-04")
      const days: ReadonlyArray<Record<string, string>> = parse(some.out, { columns: true })
      assert.deepStrictEqual(
        days.map(({ date, revised }) => [date, revised]),
        [
          ["2026-01-02", ""],
          ["2026-01-04", ""]
        ]
      )
      assert.isFalse((yield* run({ DATA_DIR: data }, "export", "fx/EUR", "--from", "2026-02-30")).succeeded)
      assert.isFalse((yield* run({ DATA_DIR: data }, "export", "fx/XYZ")).succeeded)
      const misnamed = yield* run({ DATA_DIR: data }, "export", "NGN")
      assert.isFalse(misnamed.succeeded)
      assert.include(misnamed.failure, "The history has no days of NGN. Its series: ")
      assert.include(misnamed.failure, "fx/EUR")

      const nowhere = join(data, "no-folder", "copy.sqlite")
      assert.match(
        (yield* run({ DATA_DIR: data }, "backup", nowhere)).failure,
        /no-folder.*Check that its folder exists/
      )
      assert.isTrue((yield* run({ DATA_DIR: data }, "backup", join(data, "copy.sqlite"))).succeeded)
      const again = yield* run({ DATA_DIR: data }, "backup", join(data, "copy.sqlite"))
      assert.include(again.failure, "exists")
    }).pipe(Effect.provide(History.layerSqlite(join(data, "history.sqlite"))))
  })
})

describe("history restore", () => {
  liveRule("puts back a file that was set aside, which status and the doctor show", function* () {
    const data = yield* temporaryFolder
    const file = join(data, "history.sqlite")
    const record = (days: ReadonlyArray<ReturnType<typeof point>>) =>
      Effect.flatMap(
        History.History,
        (history) => history?.ask(({ recordPiece }) => recordPiece("fx", START, days)) ?? Effect.void
      ).pipe(Effect.provide(Layer.fresh(History.layerSqlite(file))))
    yield* record([point(0, 0.9), point(1, 0.91)])
    const aside = `${file}.damaged-2026-01-03T00-00-00-000Z`
    renameSync(file, aside)
    yield* record([point(1, 0.95), point(2, 0.92)])

    const status = yield* run({ DATA_DIR: data }, "status", "--json")
    assert.deepStrictEqual(JSON.parse(status.out).set_aside, [aside])
    assert.include((yield* run({ DATA_DIR: data }, "status")).out, `damaged file: ${aside}`)
    const findings = yield* DoctorMachine.state.pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: data })))
    )
    const finding = findings.find(({ level, name }) => name === "history" && level !== "off")
    assert.strictEqual(finding?.level, "degraded")
    assert.include(finding?.text, `history restore ${aside}`)

    assert.include((yield* run({ DATA_DIR: data }, "restore", `${file}.none`)).failure, "does not exist")
    const other = import.meta.filename
    assert.include((yield* run({ DATA_DIR: data }, "restore", other)).failure, `${other} is no history`)
    const restored = yield* run({ DATA_DIR: data }, "restore", aside)
    assert.isTrue(restored.succeeded, restored.failure)
    assert.strictEqual(restored.out, "Added 0 observations and 1 points.\n")
    const exported = yield* run({ DATA_DIR: data }, "export", "fx/EUR")
    const rows: ReadonlyArray<Record<string, string>> = parse(exported.out, { columns: true })
    assert.deepStrictEqual(
      rows.map(({ date, rate }) => [date, rate]),
      [
        ["2026-01-01", "0.9"],
        ["2026-01-02", "0.95"],
        ["2026-01-03", "0.92"]
      ]
    )
  })
})

/** A progress of so many of 200 pieces. */
const at = (done: number, rest: Partial<Progress> = {}): Progress => ({
  done,
  all: 200,
  failed: new Map(),
  hasCoins: true,
  isElsewhere: false,
  minutesLeft: null,
  ...rest
})

/** What a backfill that goes through some states, one every half second, shows, and how it ends. */
const following = Effect.fnUntraced(function* (states: ReadonlyArray<Progress>, isTerminal = false) {
  const written: Array<string> = []
  let n = 0
  const fiber = yield* follow({ isTerminal, write: (text) => Effect.sync(() => void written.push(text)) }).pipe(
    Effect.provide([
      layerRecord({}),
      Backfill.layerTest({ progress: Effect.sync(() => states[Math.min(n++, states.length - 1)]) })
    ]),
    Effect.exit,
    Effect.forkChild({ startImmediately: true })
  )
  for (let half = 0; half < 300; half++) yield* TestClock.adjust("500 millis")
  return { written, ended: yield* Fiber.join(fiber) }
})

describe.skipIf(!hasPostgres)("history in PostgreSQL", () => {
  liveRule("shows the series and the size of the database", function* () {
    const url = yield* newDatabase
    yield* Effect.gen(function* () {
      const record = yield* History.History
      yield* record?.ask(({ recordPiece }) => recordPiece("fx", START, [point(0, 0.9)])) ?? Effect.void
    }).pipe(Effect.provide(History.layerPostgres(Redacted.make(url))))
    const status = yield* run({ DATABASE_URL: url }, "status", "--json")
    assert.isTrue(status.succeeded, status.failure)
    const { bytes, kinds } = JSON.parse(status.out)
    assert.deepInclude(kinds, { kind: "fx", series: 1, first: "2026-01-01", last: "2026-01-01", days: 1, missing: 0 })
    assert.isAbove(bytes, 8192)
  })
})

describe("history backfill", () => {
  rule("writes a line for each percent, and ends when each piece is done or has failed", function* () {
    const failed = new Map([["official", "CBN: unreachable"]])
    const { ended, written } = yield* following([at(0), at(1), at(2), at(120), at(199), at(199, { failed })])
    assert.isTrue(Exit.isSuccess(ended))
    assert.deepStrictEqual(written, [
      "0 of 200 pieces, 0 %\n",
      "2 of 200 pieces, 1 %\n",
      "120 of 200 pieces, 60 %\n",
      "199 of 200 pieces, 99 %\n"
    ])
  })

  rule("draws a bar on a terminal, on one line", function* () {
    const { written } = yield* following([at(0), at(100), at(200)], true)
    assert.deepStrictEqual(written, [
      `\r[${".".repeat(30)}] 0 of 200 pieces, 0 %\u001b[K`,
      `\r[${"#".repeat(15)}${".".repeat(15)}] 100 of 200 pieces, 50 %\u001b[K`,
      `\r[${"#".repeat(30)}] 200 of 200 pieces, 100 %\u001b[K`,
      "\n"
    ])
  })

  rule("does not end before the list of coins is known, and gives up where none comes", function* () {
    const late = yield* following([at(30, { all: 30, hasCoins: false }), at(200)])
    assert.isTrue(Exit.isSuccess(late.ended))
    const none = yield* following([at(30, { all: 30, hasCoins: false })])
    assert.include(String(none.ended), "No source returned a list of coins")
  })

  rule("says why it cannot: switched off, held by a running service, or without its database", function* () {
    const off = yield* run({ HISTORY: "off" }, "backfill")
    assert.include(off.failure, "HISTORY=off")
    const elsewhere = yield* following([at(3, { isElsewhere: true })])
    assert.include(String(elsewhere.ended), "Another process is filling this history")
    const data = yield* temporaryFolder
    mkdirSync(join(data, "history.sqlite"))
    const away = yield* follow({ isTerminal: false, write: () => Effect.void }).pipe(
      Effect.provide([
        History.layerSqlite(join(data, "history.sqlite")),
        Backfill.layerTest({ progress: Effect.succeed(at(0)) })
      ]),
      Effect.provide(Layer.succeed(References.MinimumLogLevel, "None")),
      Effect.flip,
      Effect.forkChild({ startImmediately: true })
    )
    const pass = Effect.andThen(TestClock.withLive(Effect.sleep("5 millis")), TestClock.adjust("1 second"))
    yield* Effect.repeat(pass, { until: () => away.pollUnsafe() !== undefined })
    assert.include((yield* Fiber.join(away)).message, "database is not available")
  })
})
