import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memberOf } from "../faults/Answers.ts"
import { program } from "../Program.ts"

const paths = [
  "/v1/global",
  "/v1/coins",
  "/v1/coins/bitcoin",
  ...["usd", "ngn", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy"].map((fiat) => `/v1/price/bitcoin/${fiat}`),
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=eur&to=ngn&amount=100"
]

/** A port nobody listens on. */
const freePort = Effect.promise(async () => {
  const server = Net.createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return address !== null && typeof address === "object" ? address.port : 0
})

/** The command `sandbox`, killed with the scope where it has not ended by itself. */
const sandbox = Effect.gen(function* () {
  const port = yield* freePort
  const data = mkdtempSync(join(tmpdir(), "crypto-data-api-"))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      // oxlint-disable-next-line no-restricted-globals -- the path to this very node
      spawn(process.execPath, [program, "sandbox"], {
        cwd: new URL("../..", import.meta.url),
        env: { PORT: String(port), HOST: "127.0.0.1", DATA_DIR: data },
        stdio: ["ignore", "pipe", "pipe"]
      })
    ),
    (started) =>
      Effect.sync(() => {
        started.kill("SIGKILL")
        rmSync(data, { recursive: true, force: true })
      })
  )
  let output = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const closed = once(child, "close")
  const get = (path: string) =>
    Effect.tryPromise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      const body: unknown = await response.json()
      return { status: response.status, body }
    })
  return { child, get, closed: Effect.promise(() => closed), output: () => output }
})

describe("the sandbox command", () => {
  it.live(
    "answers every endpoint within 3 s of its start, says that it is a sandbox, and stops when asked to",
    () =>
      Effect.gen(function* () {
        const started = performance.now()
        const { child, closed, get, output } = yield* sandbox
        const everything = Effect.forEach(paths, (path) =>
          Effect.filterOrFail(
            get(path),
            ({ status }) => status === 200,
            ({ status }) => new Error(`${path}: ${status}`)
          )
        )
        const answers = yield* Effect.retry(everything, Schedule.spaced("30 millis")).pipe(
          Effect.timeout("10 seconds"),
          Effect.tapError(() => Effect.logError(output()))
        )
        const took = performance.now() - started
        for (const { body } of answers) assert.match(String(memberOf(body, ["meta", "source"])), /\(sandbox\)/)
        assert.match(output(), /simulated world/)
        assert.isBelow(took, 3000, "milliseconds until all endpoints answered")

        child.kill("SIGTERM")
        const [code, signal]: ReadonlyArray<unknown> = yield* Effect.timeout(closed, "15 seconds")
        assert.deepStrictEqual([code, signal], [0, null], output())
      }).pipe(Effect.scoped),
    // Three seconds of a machine that is busy with other tests may be too few: once more, then.
    { timeout: 40_000, retry: 2 }
  )
})
