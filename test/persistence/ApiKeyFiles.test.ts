// Key records as files: atomic writes, a version that follows changes, and `ApiKeys` over them while the files change,
// are damaged or cannot be read.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, FileSystem, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as ApiKey from "../../src/access/ApiKey.ts"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { ApiKeyStore, NO_RECORDS } from "../../src/access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"
import { capturedLog, temporaryFolder } from "../resources.ts"
import { recordOf } from "../cli/NewKey.ts"
import { liveRule, rulesOf } from "../rulesOf.ts"

const keyOf = (digit: number) => ApiKey.fromRandom(Array.from({ length: 32 }, () => digit))

/** A store over `DATA_DIR/keys`, and what it logs. */
const storeOf = Effect.fnUntraced(function* (data: string, files?: FileSystem.FileSystem) {
  const { layer: log, logged } = capturedLog()
  const context = yield* Layer.build(
    ApiKeyFiles.layer(join(data, "keys")).pipe(
      Layer.provide(files === undefined ? Layer.empty : Layer.succeed(FileSystem.FileSystem, files)),
      Layer.provide(NodeServices.layer),
      Layer.provide(log)
    )
  )
  return { store: Context.get(context, ApiKeyStore), logged }
})

/**
 * A file system that stops for ever at the given step of a write, after half of the bytes, as if the process were
 * killed there.
 */
const killedAt = Effect.fnUntraced(function* (step: number) {
  const files = yield* FileSystem.FileSystem
  const killed = yield* Deferred.make<void>()
  let steps = 0
  const upTo = <A, E, R>(effect: Effect.Effect<A, E, R>, lastEffect: Effect.Effect<unknown, E, R> = Effect.void) =>
    Effect.suspend(() =>
      steps++ < step
        ? effect
        : Effect.andThen(lastEffect, Effect.andThen(Deferred.succeed(killed, undefined), Effect.never))
    )
  const wrapped: FileSystem.FileSystem = {
    ...files,
    makeDirectory: (path, options) => upTo(files.makeDirectory(path, options)),
    rename: (from, to) => upTo(files.rename(from, to)),
    open: (path, options) =>
      upTo(
        Effect.map(files.open(path, options), (file): FileSystem.File => {
          const writeAll = (bytes: Uint8Array) =>
            upTo(file.writeAll(bytes), file.writeAll(bytes.subarray(0, Math.floor(bytes.length / 2))))
          return Object.create(file, { writeAll: { value: writeAll }, sync: { value: upTo(file.sync) } })
        })
      )
  }
  return { files: wrapped, killed: Deferred.await(killed) }
})

describe("the files of key records", () => {
  it.live("hold the old record or the new one, whole, wherever a writer is killed", () =>
    Effect.gen(function* () {
      const found = new Set<string>()
      let wasKilled = true
      for (let step = 0; wasKilled; step++) {
        const data = yield* temporaryFolder
        const old = recordOf(keyOf(1))
        const revoked = { ...old, revoked: old.created }
        yield* (yield* storeOf(data)).store.put(old)

        const { files, killed } = yield* killedAt(step)
        const writing = yield* Effect.forkChild((yield* storeOf(data, files)).store.put(revoked))
        wasKilled = yield* Effect.raceFirst(Effect.as(killed, true), Effect.as(Fiber.join(writing), false))
        yield* Fiber.interrupt(writing)

        const { logged, store } = yield* storeOf(data)
        const [record, ...more] = yield* store.all
        assert.deepStrictEqual([more, logged], [[], []])
        assert.deepInclude([old, revoked], record, `killed at step ${step}`)
        const state = record?.revoked === null ? "old" : "new"
        if (!wasKilled) assert.strictEqual(state, "new")
        found.add(`${wasKilled ? "killed" : "complete"}: ${state}`)
      }
      assert.deepStrictEqual(found, new Set(["killed: old", "killed: new", "complete: new"]))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("are those named by a hash: a copy under another name is no key", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const { store } = yield* storeOf(data)
      yield* store.put(recordOf(keyOf(1)))
      const keys = join(data, "keys")
      const [name = ""] = Fs.readdirSync(keys)
      for (const other of ["backup.json", `${name}.json`, `${name}.bak`])
        Fs.copyFileSync(join(keys, name), join(keys, other))
      assert.lengthOf(yield* store.all, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("that a killed writer did not finish are removed by the next one, once they are a minute old", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const keys = join(data, "keys")
      Fs.mkdirSync(keys)
      for (const [name, seconds] of [
        [".old.json.1", 0],
        [".young.json.2", 1]
      ] as const) {
        Fs.writeFileSync(join(keys, name), "{")
        Fs.utimesSync(join(keys, name), seconds, seconds)
      }
      yield* TestClock.setTime(60_001)
      yield* (yield* storeOf(data)).store.put(recordOf(keyOf(1)))
      const left = Fs.readdirSync(keys).filter((name) => name.startsWith("."))
      assert.deepStrictEqual(left, [".young.json.2"])
    }).pipe(Effect.scoped)
  )

  liveRule("that are pipes or too large are no records, and hold up nothing", function* () {
    const data = yield* temporaryFolder
    const { store } = yield* storeOf(data)
    yield* store.put(recordOf(keyOf(1)))
    const [pipe, large] = ["a", "b"].map((digit) => join(data, "keys", `${digit.repeat(64)}.json`))
    execFileSync("mkfifo", [String(pipe)])
    Fs.writeFileSync(String(large), JSON.stringify({ ...recordOf(keyOf(2)), label: "x".repeat(20_000) }))
    Fs.writeFileSync(join(data, "key-usage.json"), "")
    Fs.truncateSync(join(data, "key-usage.json"), 3_000_000_000)
    assert.lengthOf(yield* store.all, 1)
    assert.isTrue(Option.isNone(yield* store.find("a".repeat(64))))
    assert.strictEqual((yield* store.uses([])).size, 0)
  })

  it.effect("have a version that changes with every write and, once two seconds old, only then", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const { store } = yield* storeOf(data)
      assert.strictEqual(yield* store.version, NO_RECORDS)
      yield* store.put(recordOf(keyOf(1)))
      // A minute back, because the next write may come within one tick of the file system's clock.
      const keys = join(data, "keys")
      const written = Math.floor(Fs.statSync(keys).mtimeMs) - 60_000
      Fs.utimesSync(keys, written / 1000, written / 1000)
      yield* TestClock.setTime(written + 1000)
      const recent = yield* store.version
      yield* TestClock.adjust("500 millis")
      assert.notStrictEqual(yield* store.version, recent, "another write could still have the same time")
      yield* TestClock.adjust("1 second")
      const settled = yield* store.version
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* store.version, settled)
      yield* store.put(recordOf(keyOf(2)))
      assert.notStrictEqual(yield* store.version, settled)
    }).pipe(Effect.scoped)
  )
})

/** `ApiKeys` over the files of a folder, under the TestClock. */
const server = Effect.fnUntraced(function* (data: string) {
  const { layer: log, logged } = capturedLog()
  let polls = 0
  let pending = 0
  const counted = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      pending++
      return Effect.ensuring(
        effect,
        Effect.sync(() => pending--)
      )
    })
  const observed = Layer.effect(
    ApiKeyStore,
    Effect.map(ApiKeyStore, (store) =>
      ApiKeyStore.of({
        ...store,
        all: counted(store.all),
        version: Effect.tap(
          counted(Effect.exit(store.version)),
          Effect.sync(() => polls++)
        ).pipe(Effect.flatten)
      })
    )
  )
  const context = yield* Layer.build(
    ApiKeys.layerNoDeps.pipe(
      Layer.provide(observed),
      Layer.provide(ApiKeyFiles.layer(join(data, "keys"))),
      Layer.provide(NodeServices.layer),
      Layer.provide(log)
    )
  )
  const keys = Context.get(context, ApiKeys)
  const authenticate = (presented: string) => keys.authenticate(presented, () => "ip:192.0.2.1")
  /** Lets time pass until the service has polled, and waits for the disk, which does not follow the TestClock. */
  const poll = Effect.suspend(() => {
    const before = polls
    return TestClock.adjust("1 second").pipe(
      Effect.andThen(TestClock.withLive(Effect.sleep(2))),
      Effect.repeat({ until: () => polls > before && pending === 0 })
    )
  })
  return { authenticate, logged, poll }
})

/** Writes a record with these members, or this text, where the key's record belongs. */
const write = (data: string, digit: number, record: Readonly<Record<string, unknown>> | string) =>
  Effect.sync(() => {
    const key = keyOf(digit)
    const hash = ApiKey.hashOf(key)
    Fs.mkdirSync(join(data, "keys"), { recursive: true })
    const whole = { hash, plan: "developer", label: "A", created: "2026-11-20T12:00:00Z", expires: null, revoked: null }
    const text = typeof record === "string" ? record : JSON.stringify({ ...whole, ...record })
    Fs.writeFileSync(join(data, "keys", `.${hash}`), text)
    Fs.renameSync(join(data, "keys", `.${hash}`), join(data, "keys", `${hash}.json`))
    return key
  })

describe("a running server", () => {
  const rule = rulesOf(it, temporaryFolder)

  rule("accepts a new key at once, applies its expiry to the millisecond, then its revocation", function* (data) {
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
    const { authenticate, poll } = yield* server(data)
    yield* authenticate(keyOf(0))
    yield* TestClock.adjust("1 second")
    const key = yield* write(data, 1, { expires: "2026-11-20T12:01:00Z" })
    assert.strictEqual((yield* authenticate(key))._tag, "Valid")
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12, 0, 59, 999))
    assert.strictEqual((yield* authenticate(key))._tag, "Valid")
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(yield* authenticate(key), { _tag: "Refused", reason: "expired" })
    yield* write(data, 1, { revoked: "2026-11-20T12:00:30Z" })
    yield* poll
    assert.deepStrictEqual(yield* authenticate(key), { _tag: "Refused", reason: "revoked" })
  })

  rule("leaves out damaged records, warns with neither key nor hash, and keeps the others", function* (data) {
    const good = yield* write(data, 1, {})
    const damaged = [
      yield* write(data, 2, ""),
      yield* write(data, 3, '{"hash":"'),
      yield* write(data, 4, { plan: "platinum" }),
      yield* write(data, 5, { created: "yesterday" })
    ]
    Fs.writeFileSync(join(data, "keys", ".left-over"), "{")
    Fs.mkdirSync(join(data, "keys", ".key-left-over"))
    const { authenticate, logged } = yield* server(data)
    assert.strictEqual((yield* authenticate(good))._tag, "Valid")
    for (const key of damaged) {
      assert.deepStrictEqual(yield* authenticate(key), { _tag: "Refused", reason: "unknown" })
      assert.notInclude(logged.join("\n"), key)
      assert.notInclude(logged.join("\n"), ApiKey.hashOf(key))
    }
    assert.strictEqual(
      logged.filter((line) => line.includes("is not a key record: the holder of that key needs a new one")).length,
      4
    )
  })

  rule("keeps the keys of the last read while their folder is gone or unreadable, and logs it once", function* (data) {
    const key = yield* write(data, 1, {})
    const { authenticate, logged, poll } = yield* server(data)
    yield* authenticate(key)
    const path = join(data, "keys")
    for (const replace of [() => {}, () => Fs.writeFileSync(path, "not a folder")]) {
      logged.length = 0
      Fs.renameSync(path, `${path}-away`)
      replace()
      for (let n = 0; n < 3; n++) yield* poll
      assert.strictEqual((yield* authenticate(key))._tag, "Valid")
      assert.strictEqual(logged.length, 1, logged.join("\n"))
      assert.include(logged[0], "the keys of the last read stay valid")
      Fs.rmSync(path, { force: true })
      Fs.renameSync(`${path}-away`, path)
      yield* poll
      assert.strictEqual(logged.length, 2, logged.join("\n"))
    }
  })
})
