// A damaged file: it is set aside, a new one is begun, and what can be read of it is put back.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { closeSync, copyFileSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs"
import { basename, dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as History from "../../../src/history/store/History.ts"
import * as HistoryReader from "../../../src/history/store/HistoryReader.ts"
import * as HistoryWriter from "../../../src/history/store/HistoryWriter.ts"
import * as Migrations from "../../../src/history/store/Migrations.ts"
import { restore } from "../../../src/history/store/Restore.ts"
import * as SqliteClient from "../../../src/history/store/SqliteClient.ts"
import { inEachDatabase, newFile } from "./Databases.ts"
import { buildAll, DAY, HOUR, MINUTE } from "./EmptiedStore.ts"
import { START } from "./RunningRecord.ts"
import * as SimulatedClock from "./SimulatedClock.ts"
import { observed, told } from "../records.ts"
import { capturedLog } from "../../resources.ts"

const observation = (series: string, time: number) => observed(series, time, 1 + ((time - START) % 7919))

/** One observation every five minutes of some series. */
const observations = (names: ReadonlyArray<string>, from: number, to: number) =>
  names.flatMap((series) =>
    Array.from({ length: Math.ceil((to - from) / (5 * MINUTE)) }, (_, n) => observation(series, from + n * 5 * MINUTE))
  )

/** More pages than SQLite keeps in memory: damage to a page that it has there is not found. */
const DAYS = 30

const NAMES = ["kept/a", "kept/b", "kept/c"]

const setAside = (file: string) =>
  readdirSync(dirname(file)).filter((name) => /^history\.sqlite\.damaged-[-0-9TZ]+$/.test(name))

/** What can be done to the bytes of a file, and whether something can be read afterwards. */
const damages = [
  ["overwritten from the first byte", (file: string) => writeFileSync(file, Buffer.alloc(20_000, 7)), false],
  [
    "overwritten in the middle",
    (file: string) => {
      const pages = Math.floor(statSync(file).size / 4096)
      const opened = openSync(file, "r+")
      for (const page of [Math.floor(pages * 0.4), Math.floor(pages * 0.6)]) {
        writeSync(opened, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096)
      }
      closeSync(opened)
    },
    true
  ]
] as const

describe("a file that is damaged while it is in use", () => {
  it.live.each(damages)("%s is set aside, loudly, and recording goes on in a new one", ([, damage, isReadable]) =>
    Effect.gen(function* () {
      const file = yield* newFile
      const { layer: log, lines } = capturedLog()
      yield* Effect.gen(function* () {
        const history = (yield* History.History) ?? assert.fail("no history")
        const written = Effect.repeat(Effect.sleep("5 millis"), {
          until: () => Effect.sync(() => history.pendingSince() === undefined)
        })
        yield* history.offer(observations(NAMES, START, START + DAYS * DAY))
        yield* written
        // All buckets before the newest observation's are built too: upkeep would write to the file while it is copied and damaged.
        const other = new DatabaseSync(file, { timeout: 5000 })
        const builtUntil = other.prepare("SELECT until FROM history_progress WHERE name = ?")
        const isBuilt = (name: string, until: number) => Number(builtUntil.get(name)?.["until"]) >= until
        const end = START + DAYS * DAY
        yield* Effect.repeat(Effect.sleep("5 millis"), {
          until: () => isBuilt("hour", end - HOUR) && isBuilt("day", end - DAY)
        })
        other.exec("PRAGMA wal_checkpoint(TRUNCATE)")
        other.close()
        copyFileSync(file, `${file}.copy`)
        for (const one of [`${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
        damage(file)

        // The damage is found by whatever meets it first. Pages that SQLite holds do not: every page of observations is read.
        let hour = 0
        const read = Effect.suspend(() => {
          hour = (hour + 2) % (DAYS * 24)
          return history.ask(({ newestAt }) => newestAt(new Map(NAMES.map((name) => [name, START + hour * HOUR])), DAY))
        })
        yield* Effect.repeat(Effect.ignore(read), { until: () => setAside(file).length > 0 })
        yield* history.offer(observations(NAMES, START + DAYS * DAY, START + (DAYS + 1) * DAY))
        yield* written
        const { observations: found } = yield* history.ask(({ newestAt }) =>
          newestAt(new Map([["kept/a", START + (DAYS + 1) * DAY]]), DAY)
        )
        assert.strictEqual(found.get("kept/a")?.[0]?.observedAt, START + (DAYS + 1) * DAY - 5 * MINUTE)
      }).pipe(Effect.provide(Layer.fresh(History.layerSqlite(file))), Effect.provide(log))
      const [name, ...others] = setAside(file)
      assert.deepStrictEqual(others, [], "set aside once")
      const errors = lines.filter((line) => line.startsWith("Error"))
      assert.strictEqual(errors.length, 1)
      assert.include(errors[0], name)
      assert.deepStrictEqual(
        (yield* SqliteClient.setAside(file)).map((path) => basename(path)),
        [name]
      )

      const added = yield* Effect.option(restore(`${dirname(file)}/${name}`)).pipe(
        Effect.provide(SqliteClient.layer({ filename: file }))
      )
      const all = observations(NAMES, START, START + DAYS * DAY)
      const valueOf = new Map(all.map((one) => [`${one.series} ${one.observedAt}`, one.value]))
      const rows = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ name: string; slot: number; value: number }>`
          SELECT name, slot, value FROM history_observations o JOIN history_series s ON s.id = o.series WHERE slot < ${START + DAYS * DAY}`
      })
      const readable = yield* Effect.provide(rows, SqliteClient.layer({ filename: file }))
      assert.strictEqual(added._tag, isReadable ? "Some" : "None")
      if (added._tag === "Some") {
        // Two pages of some hundred rows each are lost, and what is on both sides of them is there.
        assert.isAbove(readable.length, all.length - 500)
        assert.isBelow(readable.length, all.length)
        assert.isAbove(added.value.unreadable, 0)
        for (const { name, slot, value } of readable) assert.strictEqual(value, valueOf.get(`${name} ${slot}`))
      }

      const again = yield* restore(`${file}.copy`).pipe(Effect.provide(SqliteClient.layer({ filename: file })))
      assert.deepStrictEqual(again, { observations: all.length - readable.length, points: again.points, unreadable: 0 })
      assert.strictEqual((yield* Effect.provide(rows, SqliteClient.layer({ filename: file }))).length, all.length)
      // The month is over: with the time of the machine, more buckets are built each day.
    }).pipe(SimulatedClock.at(() => START + (DAYS + 1) * DAY + 2 * HOUR))
  )
})

const rate = (day: number, close: number) => told("fx/EUR", "Frankfurter", START + day * DAY, close)

inEachDatabase("what is put back", (layer) => {
  it.effect("and what was recorded since make the buckets that they would have made in one file", () =>
    Effect.gen(function* () {
      const file = yield* newFile
      const damagedAt = START + 2 * DAY + 9 * HOUR + 20 * MINUTE
      const end = START + 5 * DAY + 2 * HOUR
      // The service was away from the damage until the evening.
      const since = START + 2 * DAY + 18 * HOUR
      yield* Effect.gen(function* () {
        yield* Migrations.run()
        const { addObservations, addPoints, build } = yield* HistoryWriter.make
        yield* addObservations(observations(NAMES, START, damagedAt))
        yield* addPoints("day", [rate(0, 0.9), rate(1, 0.91)])
        yield* addPoints("day", [rate(0, 0.95)])
        yield* TestClock.setTime(damagedAt)
        yield* buildAll(build)
      }).pipe(Effect.provide(SqliteClient.layer({ filename: file })))

      yield* Migrations.run()
      const { addObservations, addPoints, build } = yield* HistoryWriter.make
      const { points } = yield* HistoryReader.make
      yield* addObservations(observations(NAMES, since, end))
      // Corrected once more, and fetched for the first time by the new file.
      yield* addPoints("day", [rate(0, 0.97), rate(3, 0.92)])
      yield* TestClock.setTime(end)
      yield* buildAll(build)
      const sql = yield* SqlClient.SqlClient
      const built = yield* sql<{ name: string; until: number }>`SELECT name, until FROM history_progress`
      const first = yield* restore(file)
      assert.strictEqual(first.observations, observations(NAMES, START, damagedAt).length)
      assert.strictEqual(first.unreadable, 0)
      // It was killed before the end, and begun again.
      for (const { name, until } of built) yield* sql`UPDATE history_progress SET until = ${until} WHERE name = ${name}`
      yield* restore(file)
      yield* buildAll(build)
      assert.deepStrictEqual(yield* restore(file), { observations: 0, points: 0, unreadable: 0 }, "once is enough")

      const made = [...observations(NAMES, START, damagedAt), ...observations(NAMES, since, end)]
      for (const [interval, length] of [
        ["hour", HOUR],
        ["day", DAY]
      ] as const) {
        const found = yield* points({ interval, first: START, last: end }, NAMES)
        for (const name of NAMES) {
          const last = new Map(
            made
              .filter(({ series }) => series === name)
              .map((one) => [one.observedAt - (one.observedAt % length), one.value])
          )
          assert.deepStrictEqual(
            (found.get(name) ?? [])
              .map(({ bucket, close }) => [bucket, close])
              .toSorted((a, b) => Number(a[0]) - Number(b[0])),
            [...last],
            `${name} by ${interval}`
          )
        }
      }
      const rates = (yield* points({ interval: "day", first: START, last: end }, ["fx/EUR"])).get("fx/EUR") ?? []
      assert.deepStrictEqual(
        rates.map(({ bucket, close, revision }) => [(bucket - START) / DAY, revision, close]),
        [
          [0, 0, 0.97],
          [1, 0, 0.91],
          [3, 0, 0.92]
        ],
        "a correction that was made since is not undone"
      )
    }).pipe(Effect.provide(layer))
  )
})
