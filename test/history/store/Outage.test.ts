// Databases that go away: what is observed meanwhile is recorded afterwards, and reads fail and come back by themselves.
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Fiber, Logger, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { stdout } from "node:process"
import { DatabaseSync } from "node:sqlite"
import * as History from "../../../src/history/store/History.ts"
import { isWhole } from "../../isWhole.ts"
import { proxyTo } from "../../LoopbackProxy.ts"
import { capturedLog } from "../../resources.ts"
import { hasPostgres, newDatabase, newFile } from "./Databases.ts"
import { isThere, observations, running, START } from "./RunningRecord.ts"

/**
 * Waits until something holds. The databases are in real time; what waits for the clock is let go on, by two seconds in
 * each pause. What is written then has 20 seconds by the clock, which are ten pauses.
 */
const until = <E>(find: Effect.Effect<boolean, E>, pause: Duration.Input = "10 millis") =>
  Effect.repeat(
    Effect.andThen(
      Effect.forEach([1, 2, 3, 4], () => TestClock.adjust("500 millis")),
      Effect.andThen(TestClock.withLive(Effect.sleep(pause)), find.pipe(Effect.catch(() => Effect.succeed(false))))
    ),
    { until: (isFound) => isFound }
  )

const whileAway = Effect.forEach(Array.from({ length: 20 }), () => until(Effect.succeed(true)))

const untilWritten = (history: History.HistoryService, pause?: Duration.Input) =>
  until(
    Effect.sync(() => history.pendingSince() === undefined),
    pause
  )

/** Offers observations, and waits until they are written. */
const recorded = (history: History.HistoryService, from: number, to: number) =>
  Effect.andThen(history.offer(observations(from, to)), untilWritten(history))

/** Whether a read fails, whose time to wait is real. */
const isUnreadable = (history: History.HistoryService) =>
  Effect.map(Effect.result(TestClock.withLive(history.ask(({ names }) => names("")))), Result.isFailure)

/** Fails unless each of these observations is there. */
const has = (history: History.HistoryService, from: number, to: number) =>
  Effect.forEach([from, Math.floor((from + to) / 2), to - 1], (n) =>
    Effect.map(isThere(history, n), (is) => assert.isTrue(is, `observation ${n}`))
  )

const quietly = Effect.provide(Logger.layer([]))

/** Something that happens to a SQLite file, and how it ends. */
interface Fault {
  readonly name: string
  /** Gives how it ends. Throws where it cannot happen now; then it is tried again. */
  readonly harm: (file: string) => () => void
  /** Whether what was recorded before can be read meanwhile. */
  readonly isReadable: boolean
  /** Whether what was recorded before is there afterwards. */
  readonly isKept: boolean
}

const sidecars = (file: string) => ["", "-wal", "-shm"].map((suffix) => file + suffix)

const faults: ReadonlyArray<Fault> = [
  {
    name: "whose folder is away",
    harm: (file) => {
      // The folder is a link, which is replaced in one step: the record would make a folder that is missing for a moment.
      const folder = dirname(file)
      writeFileSync(`${folder}-none`, "no folder")
      symlinkSync(`${folder}-real`, `${folder}-link`)
      renameSync(`${folder}-none`, folder)
      return () => renameSync(`${folder}-link`, folder)
    },
    isReadable: false,
    isKept: true
  },
  {
    name: "that is removed",
    harm: (file) => {
      for (const one of sidecars(file)) rmSync(one, { force: true })
      mkdirSync(file)
      return () => rmSync(file, { recursive: true })
    },
    isReadable: false,
    isKept: false
  },
  {
    name: "that another process has locked",
    harm: (file) => {
      const other = new DatabaseSync(file, { timeout: 0 })
      try {
        // Not while the record itself has the lock.
        other.exec("BEGIN IMMEDIATE")
      } catch (busy) {
        other.close()
        throw busy
      }
      return () => other.close()
    },
    isReadable: true,
    isKept: true
  }
]

describe("a SQLite file", () => {
  it.effect.each(faults)("$name costs nothing that is observed meanwhile, and is used again by itself", (fault) => {
    const { layer, lines } = capturedLog()
    return Effect.gen(function* () {
      const folder = join(dirname(yield* newFile), "data")
      mkdirSync(`${folder}-real`)
      symlinkSync(`${folder}-real`, folder)
      const file = join(folder, "history.sqlite")
      const { history } = yield* running(History.layerSqlite(file))
      yield* recorded(history, 0, 100)

      let mend = () => {}
      const harm = Effect.try(() => {
        mend = fault.harm(file)
        return true
      })
      yield* until(harm)
      yield* history.offer(observations(100, 200))
      yield* until(Effect.map(isUnreadable(history), (is) => is !== fault.isReadable))
      yield* whileAway
      assert.strictEqual(history.pendingSince(), START + 100)

      mend()
      yield* untilWritten(history)
      yield* has(history, 100, 200)
      if (fault.isKept) yield* has(history, 0, 100)
      yield* recorded(history, 200, 300)
      yield* has(history, 200, 300)
      assert.include(lines, "Info the history is recorded again")
    }).pipe(Effect.provide(layer))
  })
})

const mount = (...options: ReadonlyArray<string>) => execFileSync("mount", options, { stdio: "pipe" })

/** A file on a file system of its own of 1 MiB, whose options can be changed. Fails where this process may not mount one. */
const newDisk = Effect.acquireRelease(
  Effect.try(() => {
    const folder = mkdtempSync(join(tmpdir(), "cda-disk-"))
    mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
    const change = (options: string) => mount("-o", `remount,${options}`, folder)
    return { folder, file: join(folder, "history.sqlite"), change }
  }),
  ({ folder }) =>
    Effect.sync(() => {
      execFileSync("umount", ["-l", folder], { stdio: "pipe" })
      rmSync(folder, { recursive: true, force: true })
    })
)

const mayMount = isWhole && Result.isSuccess(Effect.runSync(Effect.result(Effect.scoped(newDisk))))
if (isWhole && !mayMount)
  stdout.write("SKIPPED: the tests of full and read-only disks: this process may not mount one\n")

describe.skipIf(!mayMount)("a disk", () => {
  it.effect("that is full costs nothing that is observed meanwhile, and is written to again by itself", () =>
    Effect.gen(function* () {
      const disk = yield* newDisk
      const { history } = yield* running(History.layerSqlite(disk.file))
      yield* history.offer(observations(0, 30_000))
      yield* whileAway
      assert.strictEqual(history.pendingSince(), START, "1 MiB holds no 30,000 observations")
      disk.change("size=30m")
      yield* untilWritten(history, "500 millis")
      yield* has(history, 0, 30_000)
    }).pipe(quietly)
  )

  it.effect("that is read-only answers reads or fails them, and is written to again by itself", () =>
    Effect.gen(function* () {
      const disk = yield* newDisk
      const first = yield* running(History.layerSqlite(disk.file))
      yield* recorded(first.history, 0, 100)
      yield* first.stop
      disk.change("ro")
      const { history } = yield* running(History.layerSqlite(disk.file))
      yield* history.offer(observations(100, 200))
      yield* whileAway
      assert.strictEqual(history.pendingSince(), START + 100)
      disk.change("rw")
      yield* untilWritten(history)
      yield* has(history, 0, 200)
    }).pipe(quietly)
  )
})

it.effect.skipIf(!hasPostgres)(
  "PostgreSQL that is away at the start, and later, loses nothing, and is read when it is back",
  () =>
    Effect.gen(function* () {
      const url = new URL(yield* TestClock.withLive(newDatabase))
      const gate = yield* proxyTo({ host: url.hostname, port: Number(url.port || 5432) })
      gate.accept(false)
      url.hostname = "127.0.0.1"
      url.port = String(gate.port)
      const { history } = yield* running(History.layerPostgres(Redacted.make(url.href)))
      for (const [from, to] of [
        [0, 100],
        [100, 200]
      ] as const) {
        gate.accept(false)
        yield* history.offer(observations(from, to))
        const read = yield* Effect.forkChild(Effect.flip(history.ask(({ names }) => names(""))), {
          startImmediately: true
        })
        yield* until(Effect.sync(() => read.pollUnsafe() !== undefined))
        assert.strictEqual((yield* Fiber.join(read))._tag, "HistoryUnavailable")
        assert.strictEqual(history.pendingSince(), START + from)
        gate.accept(true)
        yield* untilWritten(history)
        yield* has(history, 0, to)
      }
    }).pipe(quietly)
)
