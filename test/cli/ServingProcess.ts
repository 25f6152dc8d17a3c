// Runs the real command line as a child process, usually over a sandbox in the test's own process.
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Effect, Layer, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { program } from "../Program.ts"
import { freePort, temporaryFolder } from "../resources.ts"

/** A sandbox on a port of its own. */
export const layerWorld = Layer.fresh(
  Sandbox.layer.pipe(
    Layer.provide(
      NodeHttpServer.layer(() => Http.createServer(), {
        host: "127.0.0.1",
        port: 0,
        gracefulShutdownTimeout: "1 second"
      })
    )
  )
)

/** The settings that point at the sandbox. */
export const settings = Effect.gen(function* () {
  const { baseUrls, newsFeeds } = yield* Sandbox
  return {
    ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
    NEWS_FEEDS: newsFeeds.join(","),
    COINGECKO_PLAN: "pro",
    COINGECKO_API_KEY: "sandbox",
    DATA_DIR: yield* temporaryFolder,
    TRUSTED_PROXIES: "127.0.0.0/8"
  }
})

/** The file that is run. */
export const Program = Context.Reference<string>("test/Program", { defaultValue: () => program })

/** Starts the command line with exactly this environment. It is killed with the scope if it still runs. */
export const started = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  main?: string
) {
  const path = yield* Program
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      // oxlint-disable-next-line no-restricted-globals -- the path to this very node
      spawn(process.execPath, [main ?? path, ...args], {
        cwd: new URL("../..", import.meta.url),
        env,
        stdio: ["pipe", "pipe", "pipe"]
      })
    ),
    (running) => Effect.sync(() => running.kill("SIGKILL"))
  )
  const written = { stdout: "", stderr: "" }
  child.stdout.on("data", (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()))
  const closed = once(child, "close")
  const ended = Effect.map(
    Effect.promise(() => closed),
    ([code, signal]: ReadonlyArray<unknown>) => ({ code, signal })
  )
  return { child, ended, written }
})

/** The result of a request: a status and a body, or the code of the network failure as the status. */
export interface Outcome {
  readonly status: number | string
  readonly text: string
}

/** Sends a request from the client address with this number. */
export const request = (port: number, path: string, client: number, agent?: Http.Agent): Effect.Effect<Outcome> =>
  Effect.callback((resume) => {
    const headers = { "x-forwarded-for": `198.18.${client >> 8}.${client & 255}` }
    const asked = Http.get({ host: "127.0.0.1", port, path, headers, agent: agent ?? false }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString()))
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, text })))
      response.on("error", (cause) => resume(Effect.succeed({ status: cause.message, text })))
    })
    asked.on("error", (cause: NodeJS.ErrnoException) =>
      resume(Effect.succeed({ status: cause.code ?? cause.message, text: "" }))
    )
    return Effect.sync(() => asked.destroy())
  })

/** The processor time of a process (user + system, in 1/100 s) and its state, where `/proc` exists. */
const timesOf = (pid: number | undefined): string => {
  const file = `/proc/${pid}/stat`
  const fields = existsSync(file) ? readFileSync(file, "utf8").split(") ")[1]?.split(" ") : undefined
  return fields === undefined ? "unknown" : `${fields[11]} + ${fields[12]}, ${fields[0]}`
}

/** Starts `serve` over the sandbox with additional settings, and waits until it answers `/healthz`. */
export const servingWith = Effect.fnUntraced(function* (more: Readonly<Record<string, string>>, main?: string) {
  const port = yield* freePort
  const env = { ...(yield* settings), PORT: String(port), HOST: "127.0.0.1", ...more }
  const process = yield* started(["serve"], env, main)
  yield* request(port, "/healthz", 9999).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.retry(Schedule.spaced("30 millis")),
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () => Effect.fail(new Error(`it does not listen; its processor time: ${timesOf(process.child.pid)}`))
    }),
    Effect.raceFirst(Effect.flatMap(process.ended, () => Effect.fail(new Error("it ended before it listened")))),
    Effect.tapError(() => Effect.logError(process.written.stdout + process.written.stderr))
  )
  return { ...process, port }
})

/** Starts `serve` over the sandbox. */
export const serving = servingWith({})

/** Starts `serve` of another program file, such as the command of an installed package. */
export const servingFrom = (main: string) => servingWith({}, main)
