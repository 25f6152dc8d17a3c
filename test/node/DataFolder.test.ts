// One server at a time over one DATA_DIR. The lock is the system's, so a killed process leaves none behind.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Scope } from "effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Process from "node:process"
import { history } from "../../src/cli/HistoryCommand.ts"
import * as DataFolder from "../../src/node/DataFolder.ts"
import { inProcess } from "../cli/inProcess.ts"
import * as Serving from "../cli/ServingProcess.ts"
import { temporaryFolder } from "../resources.ts"
import { withoutEvidence } from "../RunningService.ts"
import { rule, rulesIn } from "../rulesOf.ts"

const claim = (settings: Readonly<Record<string, string>>) =>
  DataFolder.claim.pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    Effect.provide(NodeServices.layer)
  )

const refusal = (settings: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(Effect.scoped(claim(settings))), (error) => ("userMessage" in error ? error.userMessage : ""))

/** Runs the effect as a user without rights of its own, if the tests run as root. */
const asAnotherUser = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Process.getuid?.() !== 0
    ? effect
    : Effect.acquireUseRelease(
        Effect.sync(() => Process.seteuid?.(65_534)),
        () => effect,
        () => Effect.sync(() => Process.seteuid?.(0))
      )

describe("DATA_DIR", () => {
  rule("is created for its owner alone, and unlocked when the server ends", function* () {
    const settings = { DATA_DIR: join(yield* temporaryFolder, "new", "data") }
    const server = yield* Scope.make()
    yield* Scope.provide(claim(settings), server)
    assert.strictEqual(statSync(settings.DATA_DIR).mode & 0o777, 0o700)
    assert.include(yield* refusal(settings), `Another server uses the folder ${settings.DATA_DIR}.`)
    assert.include(yield* refusal(settings), "A process manager must start one of them, or several with REDIS_URL")
    yield* Scope.close(server, Exit.void)
    yield* Effect.scoped(claim(settings))
  })

  rule("that cannot be written ends the start with a sentence", function* () {
    const file = join(yield* temporaryFolder, "file")
    writeFileSync(file, "")
    const unopened = yield* temporaryFolder
    mkdirSync(join(unopened, "lock"))
    const readOnly = yield* temporaryFolder
    chmodSync(readOnly, 0o500)
    // Permissions do not bind root.
    for (const folder of Process.getuid?.() === 0 ? [file, unopened] : [file, unopened, readOnly]) {
      assert.include(yield* refusal({ DATA_DIR: folder }), `The folder ${folder} is not writable by this user.`)
    }
  })

  rule("with a file of another user ends the start with the file and its owner", function* () {
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "lock"), "")
    chmodSync(folder, 0o777)
    chmodSync(join(folder, "lock"), Process.getuid?.() === 0 ? 0o600 : 0o000)
    const owner = statSync(join(folder, "lock")).uid
    // Permissions do not bind root.
    const refused = asAnotherUser(refusal({ DATA_DIR: folder }))
    assert.match(
      yield* refused,
      new RegExp(
        `^${folder}/lock belongs to user ${owner}, and user \\d+, which runs this process, cannot read and write it`
      )
    )
  })

  it("on a network share is named with what helps, and one on a local disk is not", () => {
    assert.match(
      DataFolder.shareFault("/data", 0x6969) ?? "",
      /^\/data is on a network share \(NFS\).*Set DATA_DIR to a local disk, or REDIS_URL and DATABASE_URL$/
    )
    const [ext4, tmpfs, overlay] = [0xef53, 0x01021994, 0x794c7630]
    for (const type of [ext4, tmpfs, overlay]) assert.isUndefined(DataFolder.shareFault("/data", type))
  })

  rule("is not used by replicas that keep everything in Redis and PostgreSQL", function* () {
    const DATA_DIR = join(yield* temporaryFolder, "data")
    const REDIS_URL = "redis://redis:6379"
    const DATABASE_URL = "postgres://postgres/history"
    yield* Effect.scoped(claim({ DATA_DIR, REDIS_URL, DATABASE_URL }))
    yield* Effect.scoped(claim({ DATA_DIR, REDIS_URL, HISTORY: "off" }))
    assert.isFalse(existsSync(DATA_DIR))
    // The history is a file in it.
    yield* claim({ DATA_DIR, REDIS_URL })
    assert.include(yield* refusal({ DATA_DIR, REDIS_URL }), "Another server uses")
    assert.include(yield* refusal({ DATA_DIR, DATABASE_URL, HISTORY: "off" }), "Another server uses")
  })
})

rulesIn(Serving.layerWorld, { excludeTestServices: true })("a server", (rule) => {
  rule("is locked against a second server, open to commands, and unlocked when the server is killed", function* () {
    const DATA_DIR = yield* temporaryFolder
    // A folder of an older version.
    chmodSync(DATA_DIR, 0o755)
    for (const name of ["lock", "history.sqlite"]) writeFileSync(join(DATA_DIR, name), "", { mode: 0o644 })
    const { child, ended } = yield* Serving.servingWith({ DATA_DIR, ...withoutEvidence })
    const second = yield* Serving.started(["serve"], { DATA_DIR, PORT: "0" })
    assert.deepStrictEqual(yield* second.ended, { code: 1, signal: null })
    assert.include(second.written.stderr, `Another server uses the folder ${DATA_DIR}.`)
    const create = ["keys", "create", "--plan", "developer", "--label", "Acme"]
    const beside = yield* Serving.started(create, { DATA_DIR })
    assert.deepStrictEqual(yield* beside.ended, { code: 0, signal: null }, beside.written.stderr)
    assert.lengthOf(readdirSync(join(DATA_DIR, "keys")), 1)
    // The server makes the history's file when it has something to record.
    yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => existsSync(join(DATA_DIR, "history.sqlite")) })
    const status = inProcess(history, { DATA_DIR }, ["status"])
    yield* Effect.repeat(status, { until: ({ succeeded }) => succeeded })
    for (const name of readdirSync(DATA_DIR)) {
      assert.strictEqual(statSync(join(DATA_DIR, name)).mode & 0o077, 0, `${name} is for its owner alone`)
    }
    child.kill("SIGKILL")
    yield* ended
    yield* Effect.scoped(claim({ DATA_DIR }))
  })
})
