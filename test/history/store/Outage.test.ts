// Databases that go away: what is observed meanwhile is recorded afterwards, and reads fail and come back by themselves.
import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Exit, Layer, Logger, Redacted, Result, Schedule, Scope } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { stdout } from "node:process"
import { DatabaseSync } from "node:sqlite"
import * as History from "../../../src/history/store/History.ts"
import { isWhole } from "../../isWhole.ts"
import { capturedLog } from "../../resources.ts"
import { hasPostgres, newDatabase, newFile } from "./Databases.ts"
import * as PostgresProcess from "./PostgresProcess.ts"
import { observed } from "../records.ts"

const START = Date.UTC(2026, 0, 1)

/** A port that leads to a server as long as it is open, with a delay of each answer. */
const gateTo = (target: URL) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly port: number
      readonly set: (isOpen: boolean) => void
      readonly delayBy: (millis: number) => void
      readonly close: () => void
    }>((resume) => {
      let isOpen = true
      let delay = 0
      const sockets = new Set<Net.Socket>()
      const server = Net.createServer((inside) => {
        if (!isOpen) {
          inside.destroy()
          return
        }
        const outside = Net.connect(Number(target.port === "" ? 5432 : target.port), target.hostname)
        for (const socket of [inside, outside]) {
          sockets.add(socket)
          socket.on("error", () => {})
          socket.on("close", () => {
            inside.destroy()
            outside.destroy()
            sockets.delete(socket)
          })
        }
        inside.pipe(outside)
        outside.on("data", (chunk) => void setTimeout(() => inside.write(chunk), delay))
      }).listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({
            port: typeof address === "object" && address !== null ? address.port : 0,
            set: (open) => {
              isOpen = open
              if (!open) for (const socket of sockets) socket.destroy()
            },
            delayBy: (millis) => void (delay = millis),
            close: () => server.close()
          })
        )
      })
    }),
    ({ close, set }) =>
      Effect.sync(() => {
        set(false)
        close()
      })
  )

const observations = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => observed("kept", START + from + n, from + n + 1))

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

/** A record in use; `stop` is what the end of the process does. */
const running = Effect.fnUntraced(function* (layer: Layer.Layer<never>) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const context = yield* Layer.buildWithScope(Layer.fresh(layer), scope)
  const history = yield* Effect.provideContext(History.History, context)
  return { history: history ?? assert.fail("no history"), stop: Scope.close(scope, Exit.void) }
})

const offered = (history: History.HistoryService, from: number, to: number) => history.offer(observations(from, to))

const isWritten = (history: History.HistoryService) => Effect.sync(() => history.pendingSince() === undefined)

/** The result of a read, whose time to wait is real. */
const reading = <A, E>(read: Effect.Effect<A, E>) => Effect.result(TestClock.withLive(read))

/** Fails unless each of these observations is there. */
const has = Effect.fnUntraced(function* (history: History.HistoryService, from: number, to: number) {
  for (const n of [from, Math.floor((from + to) / 2), to - 1]) {
    const { observations: found } = yield* history.ask(({ newestAt }) => newestAt(new Map([["kept", START + n]]), 0))
    assert.strictEqual(found.get("kept")?.[0]?.value, n + 1, `observation ${n}`)
  }
})

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
      yield* offered(history, 0, 100)
      yield* until(isWritten(history))

      let mend = () => {}
      const harm = Effect.try(() => {
        mend = fault.harm(file)
        return true
      })
      yield* until(harm)
      yield* offered(history, 100, 200)
      yield* until(
        Effect.map(
          reading(history.ask(({ names }) => names(""))),
          (read) => Result.isSuccess(read) === fault.isReadable
        )
      )
      for (let n = 0; n < 20; n++) yield* until(Effect.succeed(true))
      assert.strictEqual(history.pendingSince(), START + 100)

      mend()
      yield* until(isWritten(history))
      yield* has(history, 100, 200)
      if (fault.isKept) yield* has(history, 0, 100)
      yield* offered(history, 200, 300)
      yield* until(isWritten(history))
      yield* has(history, 200, 300)
      assert.include(lines, "Info the history is recorded again")
    }).pipe(Effect.provide(layer))
  })
})

/** Whether this process may mount a disk: in a container without that right the tests of disks are skipped. */
const mayMount = (() => {
  if (!isWhole) return false
  const folder = mkdtempSync(join(tmpdir(), "cda-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "pipe" })
    execFileSync("umount", ["-l", folder], { stdio: "pipe" })
    return true
  } catch {
    stdout.write("SKIPPED: the tests of full and read-only disks, because this process may not mount one\n")
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})()

/** A file system of its own of 1 MiB. */
const newDisk = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "cda-disk-"))
  const mount = (options: string) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "pipe" })
  mount("size=1m")
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      execFileSync("umount", ["-l", folder], { stdio: "pipe" })
      rmSync(folder, { recursive: true, force: true })
    })
  )
  return { file: join(folder, "history.sqlite"), change: (options: string) => mount(`remount,${options}`) }
})

describe.skipIf(!mayMount)("a disk", () => {
  it.effect("that is full costs nothing that is observed meanwhile, and is written to again by itself", () =>
    Effect.gen(function* () {
      const disk = yield* newDisk
      const { history } = yield* running(History.layerSqlite(disk.file))
      yield* offered(history, 0, 30_000)
      for (let n = 0; n < 30; n++) yield* until(Effect.succeed(true))
      assert.strictEqual(history.pendingSince(), START, "1 MiB holds no 30,000 observations")
      disk.change("size=30m")
      yield* until(isWritten(history), "500 millis")
      yield* has(history, 0, 30_000)
    }).pipe(quietly)
  )

  it.effect("that is read-only answers reads or fails them, and is written to again by itself", () =>
    Effect.gen(function* () {
      const disk = yield* newDisk
      const first = yield* running(History.layerSqlite(disk.file))
      yield* offered(first.history, 0, 100)
      yield* until(isWritten(first.history))
      yield* first.stop
      disk.change("ro")
      const { history } = yield* running(History.layerSqlite(disk.file))
      yield* offered(history, 100, 200)
      for (let n = 0; n < 20; n++) yield* until(Effect.succeed(true))
      assert.strictEqual(history.pendingSince(), START + 100)
      disk.change("rw")
      yield* until(isWritten(history))
      yield* has(history, 0, 200)
    }).pipe(quietly)
  )
})

describe.skipIf(!hasPostgres)("PostgreSQL behind a network", () => {
  const throughGate = Effect.gen(function* () {
    const url = new URL(yield* TestClock.withLive(newDatabase))
    const gate = yield* gateTo(new URL(url))
    url.hostname = "127.0.0.1"
    url.port = String(gate.port)
    const { history } = yield* running(History.layerPostgres(Redacted.make(url.href)))
    yield* offered(history, 0, 100)
    yield* until(isWritten(history))
    return { gate, history }
  })

  it.effect("that breaks loses nothing that was observed meanwhile, and is read again when it is back", () =>
    Effect.gen(function* () {
      const { gate, history } = yield* throughGate
      gate.set(false)
      yield* offered(history, 100, 200)
      yield* until(Effect.map(reading(history.ask(({ names }) => names(""))), Result.isFailure))
      assert.strictEqual(history.pendingSince(), START + 100)
      gate.set(true)
      yield* until(isWritten(history))
      yield* has(history, 0, 200)
    }).pipe(quietly)
  )

  it.live.runIf(isWhole)("that is slow by 5 seconds fails reads after those, and loses nothing", () =>
    Effect.gen(function* () {
      const url = new URL(yield* newDatabase)
      const gate = yield* gateTo(new URL(url))
      url.hostname = "127.0.0.1"
      url.port = String(gate.port)
      const { history } = yield* running(History.layerPostgres(Redacted.make(url.href)))
      const untilWritten = Effect.repeat(isWritten(history), {
        until: (is) => is,
        schedule: Schedule.spaced("20 millis")
      })
      yield* offered(history, 0, 100)
      yield* untilWritten
      gate.delayBy(5_050)
      yield* offered(history, 100, 200)
      const read = yield* Effect.flip(history.ask(({ names }) => names("")))
      assert.strictEqual(read._tag, "HistoryUnavailable")
      gate.delayBy(0)
      yield* untilWritten
      yield* has(history, 0, 200)
    }).pipe(quietly)
  )
})

describe.skipIf(!PostgresProcess.isInstalled || !isWhole)("a PostgreSQL server", () => {
  it.effect("that is stopped and started loses nothing that was observed meanwhile, also before its first start", () =>
    Effect.gen(function* () {
      const server = yield* PostgresProcess.make
      const { history } = yield* running(History.layerPostgres(Redacted.make(server.url)))
      yield* offered(history, 0, 100)
      assert.isTrue(Result.isFailure(yield* reading(history.ask(({ names }) => names("")))))
      yield* server.start
      yield* until(isWritten(history))
      yield* server.stop
      yield* offered(history, 100, 200)
      yield* until(Effect.map(reading(history.ask(({ names }) => names(""))), Result.isFailure))
      assert.strictEqual(history.pendingSince(), START + 100)
      yield* server.start
      yield* until(isWritten(history))
      yield* has(history, 0, 200)
    }).pipe(quietly)
  )
})
