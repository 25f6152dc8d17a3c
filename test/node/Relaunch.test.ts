// The process that replaces itself at the start. What it became is read where Linux keeps it.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { execPath, platform } from "node:process"
import { folder, freePort, started } from "../cli/ServingProcess.ts"
import { isWhole } from "../isWhole.ts"
import { program } from "../Program.ts"

const entriesOf = (pid: number | undefined, file: "cmdline" | "environ"): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0").slice(0, -1)

const settings = Effect.gen(function* () {
  return { PORT: String(yield* freePort), HOST: "127.0.0.1", DATA_DIR: yield* folder, KEPT: "as it was" }
})

const listening = ({ PORT }: { readonly PORT: string }) =>
  Effect.tryPromise(() => fetch(`http://127.0.0.1:${PORT}/healthz`)).pipe(
    Effect.retry(Schedule.spaced("50 millis")),
    Effect.timeout("60 seconds")
  )

const optionsIn = (command: ReadonlyArray<string>) => command.filter((entry) => entry.startsWith("--max-semi-space"))

describe.skipIf(platform !== "linux")("the process at its start", () => {
  it.live("replaces itself once, with the same id, arguments, environment and output, and stops on SIGTERM", () =>
    Effect.gen(function* () {
      const env = yield* settings
      const { child, ended, written } = yield* started(["sandbox"], env)
      yield* listening(env)
      const command = entriesOf(child.pid, "cmdline")
      assert.lengthOf(optionsIn(command), 1)
      assert.deepStrictEqual(command.slice(-2), [program, "sandbox"])
      const environment = entriesOf(child.pid, "environ")
      assert.sameMembers(
        environment.filter((entry) => !entry.startsWith("LC_")),
        [
          ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
          "MALLOC_ARENA_MAX=1",
          "MALLOC_MMAP_THRESHOLD_=30000"
        ]
      )
      child.kill("SIGTERM")
      assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
      assert.match(written.stdout, /simulated world/)
      assert.strictEqual(written.stderr, "")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!isWhole)("stays as it is where the environment has decided already", () =>
    Effect.gen(function* () {
      const env = { ...(yield* settings), MALLOC_ARENA_MAX: "4" }
      const { child } = yield* started(["sandbox"], env)
      yield* listening(env)
      assert.lengthOf(optionsIn(entriesOf(child.pid, "cmdline")), 0)
      assert.include(entriesOf(child.pid, "environ"), "MALLOC_ARENA_MAX=4")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!isWhole)("stays as it is under a parent that talks to it, as process managers do", () =>
    Effect.gen(function* () {
      const env = yield* settings
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => fork(program, ["sandbox"], { env, execPath, stdio: "ignore" })),
        (running) => Effect.sync(() => running.kill("SIGKILL"))
      )
      yield* listening(env)
      assert.isTrue(child.connected)
      assert.lengthOf(optionsIn(entriesOf(child.pid, "cmdline")), 0)
    }).pipe(Effect.scoped)
  )
})
