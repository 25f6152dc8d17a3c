// The command line as a whole.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import * as Net from "node:net"
import { execPath } from "node:process"
import { request, started } from "./ServingProcess.ts"
import { program } from "../Program.ts"
import { freePort, listening, temporaryFolder } from "../resources.ts"
import { liveRule } from "../rulesOf.ts"

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

liveRule("--version prints the version of the package", function* () {
  const { ended, written } = yield* started(["--version"], {})
  assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
  assert.strictEqual(written.stdout, `crypto-data-api v${version}\n`)
})

liveRule("a port in use ends the start with a sentence, and no stack trace", function* () {
  const PORT = String(yield* listening(Net.createServer()))
  const settings = { PORT, HOST: "127.0.0.1", DATA_DIR: yield* temporaryFolder, HISTORY: "off" }
  const { ended, written } = yield* started(["serve"], settings)
  assert.deepStrictEqual(yield* ended, { code: 1, signal: null })
  const sentence = `Cannot listen on port ${PORT} of 127.0.0.1: another program listens there. Stop it, or set PORT.`
  assert.include(written.stderr, sentence)
  assert.notMatch(written.stderr + written.stdout, /\n\s+at /)
})

liveRule("a server of npm ends with it, though the shell between them passes no signal on", function* () {
  const shell = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("sh", ["-c", `'${execPath}' '${program}' sandbox; true`], { env: { PORT: "0", npm_command: "exec" } })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  // When the server too has closed its output.
  const ended = once(shell, "close")
  let written = ""
  shell.stdout.on("data", (chunk: Buffer) => {
    written += chunk.toString()
    if (written.includes("Serving simulated data")) shell.kill("SIGTERM")
  })
  yield* Effect.promise(() => ended)
  assert.match(written, /Shutting down: [^]*$/)
})

liveRule("a command that is interrupted has not succeeded", function* () {
  const silent = Net.createServer()
  const port = yield* listening(silent)
  const { child, ended, written } = yield* started(["keys", "list"], { REDIS_URL: `redis://127.0.0.1:${port}` })
  yield* Effect.promise(() => once(silent, "connection"))
  child.kill("SIGINT")
  assert.deepStrictEqual(yield* ended, { code: 130, signal: null }, written.stderr)
})

liveRule("a command whose reader closes the output ends without a stack trace", function* () {
  const { child, ended, written } = yield* started(["keys", "list"], { DATA_DIR: yield* temporaryFolder })
  child.stdout.destroy()
  assert.deepStrictEqual(yield* ended, { code: 141, signal: null }, written.stderr)
  assert.strictEqual(written.stderr, "")
})

liveRule("a server whose log has no reader any more goes on", function* () {
  const port = yield* freePort
  const settings = { PORT: String(port), HISTORY: "off", LOG_REQUESTS: "true", DATA_DIR: yield* temporaryFolder }
  const { child, ended, written } = yield* started(["sandbox"], settings)
  yield* Effect.promise(() => once(child.stdout, "data"))
  child.stdout.destroy()
  for (let n = 0; n < 3; n++) assert.strictEqual((yield* request(port, "/healthz", n)).status, 200)
  child.kill("SIGTERM")
  assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
})

liveRule("a command without its Redis says that it failed, and nothing about servers", function* () {
  const { ended, written } = yield* started(["keys", "list"], { REDIS_URL: "redis://127.0.0.1:1" })
  assert.deepStrictEqual(yield* ended, { code: 1, signal: null })
  assert.match(
    written.stderr,
    /^\s*ERROR\s+The store of API keys cannot be used: Redis fails \([^)]+\)\. Check REDIS_URL and the server there\.\s*$/
  )
})

liveRule("watch ends with 0 when it is told to stop, and with 78 for a mistyped condition", function* () {
  const settings = { DATA_DIR: yield* temporaryFolder }
  const asked = ["watch", "--url", `http://127.0.0.1:${yield* freePort}`]
  const { child, ended, written } = yield* started([...asked, "naira.mid > 1500"], settings)
  const isPolling = Effect.sync(() => written.stderr.includes("No naira.mid. The server did not answer."))
  yield* Effect.repeat(Effect.delay(isPolling, "20 millis"), { until: (is) => is })
  child.kill("SIGTERM")
  assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
  const mistyped = yield* started([...asked, "niara.mid > 1500"], settings)
  assert.deepStrictEqual(yield* mistyped.ended, { code: 78, signal: null })
  assert.include(mistyped.written.stderr, "Did you mean naira.mid?")
  assert.strictEqual(mistyped.written.stdout, "")
})
