import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as FileStore from "../../../src/persistence/FileStore.ts"
import * as Snapshot from "../../../src/domain/Snapshot.ts"
import * as DataSet from "../../../src/sources/dataset/DataSet.ts"
import { SourceError, Unusable } from "../../../src/sources/client/SourceError.ts"
import { capturedLog } from "../../resources.ts"
import { rulesOver, rulesWithin } from "../../rulesOf.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const KEY = "test-figures"

const keeping = {
  origin: "https://upstream.example",
  schema: Schema.Array(Schema.Finite),
  most: 1000
}

const said = (value: ReadonlyArray<number>) =>
  Effect.map(DateTime.now, (now) =>
    Snapshot.make({
      value,
      source: "Test",
      observedAt: DateTime.subtract(now, { seconds: 20 }),
      retrievedAt: now
    })
  )

const down = Effect.fail(new SourceError({ source: "Test", reason: new Unusable({ detail: "down" }) }))

const feedOf = (fetch: DataSet.DataSet<ReadonlyArray<number>>["get"], changed: Partial<typeof keeping> = {}) =>
  DataSet.make({ key: KEY, source: "Test", every: "1 minute", fetch, keeping: { ...keeping, ...changed } })

/** Runs `effect`, and gives the lines that it logged. */
const logged = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const { layer: log, lines } = capturedLog()
  const value = yield* Effect.provide(effect, log)
  return { value, lines }
})

const rule = rulesOver(KeyValueStore.layerMemory)

describe("snapshots outlive the process", () => {
  rule("a new process holds it from the start, with its true times and without asking the source", function* () {
    yield* TestClock.setTime(NOW)
    yield* (yield* feedOf(said([1, 2.5]))).get
    yield* TestClock.adjust("30 seconds")
    const held = yield* (yield* feedOf(down)).get
    assert.deepStrictEqual(held.value, [1, 2.5])
    assert.strictEqual(held.source, "Test")
    assert.strictEqual(held.observedAt.epochMilliseconds, NOW - 20_000)
    assert.strictEqual(held.retrievedAt.epochMilliseconds, NOW)
  })

  rule("a refresh that fails after the restart keeps it", function* () {
    yield* TestClock.setTime(NOW)
    yield* (yield* feedOf(said([1]))).get
    yield* TestClock.adjust("10 minutes")
    const feed = yield* feedOf(down)
    yield* Effect.flip(feed.get)
    assert.isTrue(Option.isSome(yield* feed.last))
  })

  rule("damaged text, another shape, another address and a time to come are a cold start with a warning", function* () {
    yield* TestClock.setTime(NOW)
    const store = yield* KeyValueStore.KeyValueStore
    yield* (yield* feedOf(said([1]))).get
    const good = (yield* store.get(KEY)) ?? ""

    const isCold = Effect.fnUntraced(function* (changed?: Partial<typeof keeping>) {
      const { lines, value } = yield* logged(Effect.flatMap(feedOf(down, changed), ({ last }) => last))
      return Option.isNone(value) && lines.length === 1
    })
    assert.isFalse(yield* isCold())
    assert.isTrue(yield* isCold({ origin: "https://another.example" }))
    for (const damaged of ["", "{", good.slice(0, -9), good.replace("[1]", '["1"]'), good.replace("Test", "Pest")]) {
      yield* store.set(KEY, damaged)
      assert.isTrue(yield* isCold(), damaged)
    }
  })

  rule("a saved snapshot has the bounds of a fetched one: its size, and the check of its figures", function* () {
    yield* TestClock.setTime(NOW)
    const store = yield* KeyValueStore.KeyValueStore
    yield* (yield* feedOf(said([1, 2]))).get
    const good = (yield* store.get(KEY)) ?? ""
    const unusable = new SourceError({ source: "Test", reason: new Unusable({ detail: "no figure" }) })
    const check = (snapshot: Snapshot.Snapshot<ReadonlyArray<number>>) => {
      const value = snapshot.value.filter((figure) => figure > 0)
      return value.length === 0 ? Effect.fail(unusable) : Effect.succeed({ ...snapshot, value })
    }
    const restored = Effect.fnUntraced(function* (text: string, changed: Partial<typeof keeping> = {}) {
      yield* store.set(KEY, text)
      const { lines, value } = yield* logged(
        Effect.flatMap(
          DataSet.make({
            key: KEY,
            source: "Test",
            every: "1 minute",
            fetch: down,
            keeping: { ...keeping, ...changed, check }
          }),
          ({ last }) => last
        )
      )
      return [Option.getOrUndefined(value)?.value, lines.length]
    })
    assert.deepStrictEqual(yield* restored(good), [[1, 2], 0])
    assert.deepStrictEqual(yield* restored(good.replace("[1,2]", "[1,-3]")), [[1], 0])
    assert.deepStrictEqual(yield* restored(good.replace("[1,2]", "[-1]")), [undefined, 1])
    assert.deepStrictEqual(yield* restored(good, { most: good.length }), [[1, 2], 0])
    assert.deepStrictEqual(yield* restored(good, { most: good.length - 1 }), [undefined, 1])
  })

  rule("a snapshot that would be too large to be read back is not saved", function* () {
    yield* TestClock.setTime(NOW)
    const feed = yield* feedOf(said(Array.from({ length: 500 }, (_, n) => n)))
    const { lines } = yield* logged(feed.get)
    assert.strictEqual(lines.length, 1)
    assert.isUndefined(yield* (yield* KeyValueStore.KeyValueStore).get(KEY))
  })

  it.effect("a store that fails costs nothing but a line in the log", () => {
    const broken = new KeyValueStore.KeyValueStoreError({ method: "any", message: "the disk is full" })
    const store = KeyValueStore.makeStringOnly({
      get: () => Effect.fail(broken),
      set: () => Effect.fail(broken),
      remove: () => Effect.fail(broken),
      clear: Effect.fail(broken),
      size: Effect.fail(broken),
      keys: Effect.fail(broken)
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { lines, value } = yield* logged(Effect.flatMap(feedOf(said([1])), ({ get }) => get))
      assert.deepStrictEqual(value.value, [1])
      assert.strictEqual(lines.length, 2)
      assert.include(lines[1], "the disk is full")
    }).pipe(Effect.provideService(KeyValueStore.KeyValueStore, store))
  })
})

describe("FileStore", () => {
  const inFolder = <A, E>(
    effect: (folder: string) => Effect.Effect<A, E, KeyValueStore.KeyValueStore | FileSystem.FileSystem | Path.Path>
  ) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = `${yield* files.makeTempDirectoryScoped()}/not/yet/there`
      return yield* Effect.provide(effect(folder), FileStore.layer(folder))
    }).pipe(Effect.provide(NodeServices.layer))

  const folderRule = rulesWithin(inFolder)

  folderRule("keeps texts by name, whole, for the owner alone, and leaves nothing beside them", function* (folder) {
    const store = yield* KeyValueStore.KeyValueStore
    const files = yield* FileSystem.FileSystem
    assert.isUndefined(yield* store.get("a"))
    yield* Effect.forEach(
      Array.from({ length: 40 }, (_, n) => n),
      (n) => store.set(n % 2 === 0 ? "a" : "b", "x".repeat(100_000 + n)),
      { concurrency: "unbounded" }
    )
    for (const name of ["a", "b"]) assert.match((yield* store.get(name)) ?? "", /^x{100000,100039}$/)
    assert.deepStrictEqual((yield* files.readDirectory(folder)).toSorted(), ["a.json", "b.json"])
    assert.strictEqual((yield* files.stat(`${folder}/a.json`)).mode & 0o777, 0o600)
  })

  it.live("a folder that cannot be used is told once and done without, and used again when it can be", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const store = yield* KeyValueStore.KeyValueStore
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory((yield* Path.Path).dirname(folder), { recursive: true })
        yield* files.writeFileString(folder, "a file where the folder should be")
        yield* store.set("a", "x")
        yield* store.set("b", "x")
        assert.isUndefined(yield* store.get("a"))
        yield* files.remove(folder)
        // Some files can be written before others.
        yield* files.makeDirectory(`${folder}/b.json`, { recursive: true })
        for (const name of ["a", "b", "a"]) yield* store.set(name, "x")
        assert.strictEqual(yield* store.get("a"), "x")
        yield* files.remove(`${folder}/b.json`, { recursive: true })
        yield* store.set("b", "x")
        return folder
      })
    ).pipe(
      logged,
      Effect.map(({ lines, value }) => {
        assert.strictEqual(lines.length, 2, lines.join("\n"))
        assert.include(lines[0], `${value} cannot be used (E`)
        assert.include(lines[1], `${value} works again`)
      })
    )
  )

  folderRule("what a killed writer left is removed in time", function* (folder) {
    const files = yield* FileSystem.FileSystem
    const left = [`${folder}/.a.json.1x`, `${folder}/.b.json.2y`] as const
    yield* files.makeDirectory(folder, { recursive: true })
    for (const file of left) yield* files.writeFileString(file, "{")
    const long = (yield* Clock.currentTimeMillis) / 1000 - 3600
    yield* files.utimes(left[0], long, long)
    yield* (yield* KeyValueStore.KeyValueStore).set("a", "x")
    assert.deepStrictEqual((yield* files.readDirectory(folder)).toSorted(), [".b.json.2y", "a.json"])
  })

  folderRule("what is no file, or far too large a one, fails by itself", function* (folder) {
    const store = yield* KeyValueStore.KeyValueStore
    const files = yield* FileSystem.FileSystem
    yield* files.makeDirectory(`${folder}/folder.json`, { recursive: true })
    yield* files.writeFileString(`${folder}/huge.json`, "")
    yield* files.truncate(`${folder}/huge.json`, 5_000_000_000)
    for (const key of ["folder", "huge"]) assert.include((yield* Effect.flip(store.get(key))).message, "file")
  })
})
