// Keys as an operator meets them: the real command in a process of its own, and what a running service makes of them.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env, execPath } from "node:process"
import * as ApiKey from "../../src/access/ApiKey.ts"
import * as ApiKeyFiles from "../../src/persistence/ApiKeyFiles.ts"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { program } from "../Program.ts"

/** Runs `keys …` to its end, or kills it after so many milliseconds. */
const keys = (data: string, args: ReadonlyArray<string>, killAfter?: number) =>
  Effect.callback<{ readonly code: number | null; readonly out: string; readonly err: string }>((resume) => {
    const child = spawn(execPath, [program, "keys", ...args], { env: { PATH: env["PATH"], DATA_DIR: data } })
    let out = ""
    let err = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()))
    if (killAfter !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfter)
    child.on("close", (code) => resume(Effect.succeed({ code, out, err })))
  })

const scratch = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

const Row = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[0-9a-f]{12}$/)),
  plan: Schema.Literals(["developer", "business"]),
  label: Schema.String,
  created: Schema.DateTimeUtcFromString,
  expires: Schema.NullOr(Schema.String),
  revoked: Schema.NullOr(Schema.String),
  state: Schema.Literals(["live", "expired", "revoked"])
})
const exact = { onExcessProperty: "error" } as const
const rowsOf = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Row)))
const createdOf = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ key: Schema.String, ...Row.fields }))
)

/** All that is kept in the folder. */
const kept = (data: string): string =>
  Fs.readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name + Fs.readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")

const create = (data: string, label: string, ...more: ReadonlyArray<string>) =>
  keys(data, ["create", "--plan", "developer", "--label", label, ...more])

describe.concurrent("keys", () => {
  it.live(
    "are made, listed and revoked; the key is printed once, alone, and kept nowhere",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const data = yield* scratch
          const none = yield* keys(data, ["list"])
          assert.include(none.out, "No keys yet")

          // Two live keys with one label, while one replaces the other.
          const [first, second] = yield* Effect.all(
            [create(data, "Acme"), create(data, "Acme", "--json", "--expires", "2099-01-31")],
            { concurrency: 2 }
          )
          assert.deepStrictEqual([first.code, second.code, first.err, second.err], [0, 0, "", ""])
          assert.match(first.out, /^cda_[0-9A-Za-z]{38}\n$/)
          const key = first.out.trim()
          const made = yield* createdOf(second.out, exact)
          assert.isTrue(ApiKey.isWellFormed(key))
          assert.isTrue(ApiKey.isWellFormed(made.key))
          assert.deepStrictEqual([made.label, made.expires, made.state], ["Acme", "2099-01-31T00:00:00.000Z", "live"])

          const listed = yield* keys(data, ["list"])
          const json = yield* keys(data, ["list", "--json"])
          const rows = yield* rowsOf(json.out, exact)
          assert.sameMembers(
            rows.map(({ id }) => id),
            [key, made.key].map((each) => ApiKey.hashOf(each).slice(0, 12))
          )
          assert.strictEqual(listed.out.trim().split("\n").length, 2)

          const id = ApiKey.hashOf(key).slice(0, 12)
          const revoked = yield* keys(data, ["revoke", id])
          assert.strictEqual(revoked.out, `Revoked ${id} (Acme).\n`)
          const byKey = yield* keys(data, ["revoke", made.key, "--json"])
          assert.include(byKey.out, '"state":"revoked"')
          const after = yield* rowsOf((yield* keys(data, ["list", "--json"])).out, exact)
          assert.deepStrictEqual(
            after.map(({ state }) => state),
            ["revoked", "revoked"]
          )

          const shown = [listed, json, revoked, byKey].flatMap(({ err, out }) => [out, err]).join("\n") + kept(data)
          for (const secret of [key, made.key, key.slice(4, 36)]) assert.notInclude(shown, secret)
          for (const name of Fs.readdirSync(join(data, "keys"))) {
            assert.match(name, /^[0-9a-f]{64}\.json$/)
            assert.strictEqual(Fs.statSync(join(data, "keys", name)).mode & 0o777, 0o600)
          }
        })
      ),
    30_000
  )

  it.live(
    "that make no sense are refused in words, and nothing is kept",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const data = yield* scratch
          const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
            [
              ["create", "--plan", "developer", "--label", "A", "--expires", "2020-01-01"],
              "--expires must be in the future"
            ],
            [["create", "--plan", "developer", "--label", "A", "--expires", "soon"], "expires"],
            [["create", "--plan", "platinum", "--label", "A"], "platinum"],
            [["create", "--plan", "developer"], "label"],
            [["create", "--plan", "developer", "--label", ""], "label"],
            [["revoke", "ffffffffffff"], "No key has that id. See: keys list"],
            [["revoke", "f"], "No key has that id. See: keys list"]
          ]
          yield* Effect.forEach(
            wrong,
            ([args, said]) =>
              Effect.map(keys(data, args), ({ code, err, out }) => {
                assert.strictEqual(code, 1, args.join(" "))
                assert.include(err + out, said)
                assert.notMatch(err + out, /\n\s+at /, "no stack")
              }),
            { concurrency: 2 }
          )
          assert.strictEqual(kept(data), "")

          const file = join(data, "occupied")
          Fs.writeFileSync(file, "")
          const { code, err } = yield* create(file, "A")
          assert.strictEqual(code, 1)
          assert.include(err, "The store of API keys cannot be used")
        })
      ),
    30_000
  )

  it.live(
    "killed at any moment while they are made leave every finished key readable, and no part of one",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const data = yield* scratch
          const rounds = Array.from({ length: 16 }, (_, n) => 220 + n * 35)
          const results = yield* Effect.forEach(
            rounds,
            (millis) => keys(data, ["create", "--plan", "business", "--label", `killed after ${millis}`], millis),
            { concurrency: 3 }
          )
          const finished = results.flatMap(({ out }) => (out.endsWith("\n") ? [out.trim()] : []))
          const { code, err, out } = yield* keys(data, ["list", "--json"])
          assert.deepStrictEqual([code, err], [0, ""], "nothing is left out")
          const rows = yield* rowsOf(out, exact)
          const ids = new Set(rows.map(({ id }) => id))
          for (const key of finished) assert.isTrue(ids.has(ApiKey.hashOf(key).slice(0, 12)))
          assert.isAtLeast(rows.length, finished.length)
        })
      ),
    40_000
  )
})

/** The keys of a folder, under the TestClock, and what was logged. */
const service = Effect.fnUntraced(function* (data: string) {
  const logged: Array<string> = []
  const context = yield* Layer.build(
    ApiKeys.layerNoDeps.pipe(
      Layer.provide(ApiKeyFiles.layer(join(data, "keys"))),
      Layer.provide(NodeServices.layer),
      Layer.provide(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))]))
    )
  )
  const judge = (key: string) =>
    Effect.provide(
      Effect.flatMap(ApiKeys, (keys) => keys.authenticate(key)),
      context
    )
  return { logged, judge }
})

/** The same after it has read the records for the first time, which is when it can say of a key that it is unknown. */
const settledService = Effect.fnUntraced(function* (data: string) {
  const started = yield* service(data)
  yield* started.judge(ApiKey.fromRandom(Array.from({ length: 32 }, () => 0)))
  return started
})

/** A key whose record is written as is. */
const write = (data: string, digit: number, record: Readonly<Record<string, unknown>> | string) =>
  Effect.sync(() => {
    const key = ApiKey.fromRandom(Array.from({ length: 32 }, () => digit))
    const hash = ApiKey.hashOf(key)
    Fs.mkdirSync(join(data, "keys"), { recursive: true })
    const whole = { hash, plan: "developer", label: "A", created: "2026-11-20T12:00:00Z", expires: null, revoked: null }
    const text = typeof record === "string" ? record : JSON.stringify({ ...whole, ...record })
    Fs.writeFileSync(join(data, "keys", `.${hash}`), text)
    Fs.renameSync(join(data, "keys", `.${hash}`), join(data, "keys", `${hash}.json`))
    return key
  })

/** Lets the service look again. The disk is real, so time is given to it. */
const lookAgain = Effect.andThen(TestClock.adjust("4 seconds"), TestClock.withLive(Effect.sleep("100 millis")))

describe("a running server", () => {
  it.effect("honours new, revoked and expired keys within seconds", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12))
      const { judge } = yield* settledService(data)
      const key = yield* write(data, 1, { expires: "2026-11-20T12:01:00Z" })
      assert.deepStrictEqual(yield* judge(key), { _tag: "Refused", reason: "unknown" })
      yield* lookAgain
      assert.strictEqual((yield* judge(key))._tag, "Valid")
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 12, 0, 59, 999))
      assert.strictEqual((yield* judge(key))._tag, "Valid")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* judge(key), { _tag: "Refused", reason: "expired" })
      yield* write(data, 1, { revoked: "2026-11-20T12:00:30Z" })
      yield* lookAgain
      assert.deepStrictEqual(yield* judge(key), { _tag: "Refused", reason: "revoked" })
    })
  )

  it.effect("lets a key wait that is presented before the records have been read", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      const key = yield* write(data, 1, {})
      const { judge } = yield* service(data)
      assert.strictEqual((yield* judge(key))._tag, "Valid")
    })
  )

  it.effect("refuses what is no key without looking for it", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      const { judge } = yield* service(data)
      const key = yield* write(data, 1, {})
      yield* lookAgain
      assert.strictEqual((yield* judge(key))._tag, "Valid")
      for (const text of ["", " ", key.toLowerCase(), `${key}, ${key}`, key.slice(0, -1), "cda_", "x".repeat(10_000)]) {
        assert.deepStrictEqual(yield* judge(text), { _tag: "Refused", reason: "malformed" }, text)
      }
    })
  )

  it.effect("leaves a damaged record out, with a warning that names neither key nor hash, and keeps the others", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      const good = yield* write(data, 1, {})
      const damaged = [
        yield* write(data, 2, ""),
        yield* write(data, 3, '{"hash":"'),
        yield* write(data, 4, { plan: "platinum" }),
        yield* write(data, 5, { created: "yesterday" })
      ]
      Fs.writeFileSync(join(data, "keys", ".left-over"), "{")
      Fs.mkdirSync(join(data, "keys", ".key-left-over"))
      const { judge, logged } = yield* service(data)
      assert.strictEqual((yield* judge(good))._tag, "Valid")
      for (const key of damaged) {
        assert.deepStrictEqual(yield* judge(key), { _tag: "Refused", reason: "unknown" })
        assert.notInclude(logged.join("\n"), key)
        assert.notInclude(logged.join("\n"), ApiKey.hashOf(key))
      }
      assert.strictEqual(logged.filter((line) => line.includes("is not a key record and is left out")).length, 4)
    })
  )

  it.effect("goes on with the keys it knew when their folder cannot be read, or is gone, and says so once", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      const key = yield* write(data, 1, {})
      const { judge, logged } = yield* settledService(data)
      const folder = join(data, "keys")
      for (const spoil of [() => {}, () => Fs.writeFileSync(folder, "not a folder")]) {
        logged.length = 0
        Fs.renameSync(folder, `${folder}-away`)
        spoil()
        for (let n = 0; n < 3; n++) yield* lookAgain
        assert.strictEqual((yield* judge(key))._tag, "Valid")
        assert.strictEqual(logged.length, 1, logged.join("\n"))
        assert.include(logged[0], "the keys of the last read stay in force")
        Fs.rmSync(folder, { force: true })
        Fs.renameSync(`${folder}-away`, folder)
        yield* lookAgain
        assert.strictEqual(logged.length, 2, logged.join("\n"))
      }
    })
  )

  it.effect("that never could read its keys knows no verdict, until it can", () =>
    Effect.gen(function* () {
      const data = yield* scratch
      const key = yield* write(data, 1, {})
      Fs.renameSync(join(data, "keys"), join(data, "away"))
      Fs.writeFileSync(join(data, "keys"), "not a folder")
      const { judge } = yield* service(data)
      assert.deepStrictEqual(yield* judge(key), { _tag: "Unavailable" })
      assert.deepStrictEqual(yield* judge("cda_x"), { _tag: "Refused", reason: "malformed" })
      Fs.rmSync(join(data, "keys"))
      Fs.renameSync(join(data, "away"), join(data, "keys"))
      yield* lookAgain
      assert.strictEqual((yield* judge(key))._tag, "Valid")
    })
  )
})
