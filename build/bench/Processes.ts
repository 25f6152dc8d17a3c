// Processes on a core of their own: the server that is measured on the first, whatever asks it on the second. They end with the
// scope. What they use is read where Linux keeps it.
import { Effect, type Scope } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Net from "node:net"
import { cpus } from "node:os"
import Process from "node:process"

const SERVER_CORE = "0"
const LOAD_CORE = "1"

/** Linux counts processor time in these. */
const TICK_MICROS = 10_000

/** A started process. */
export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  readonly port: number
}

/** An answer. */
export interface Response {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Buffer
}

/** Puts this process where the load comes from. Two cores it takes, or each would be measured in the other's way. */
export const pinSelf = Effect.sync(() => {
  if (cpus().length < 2) throw new Error("The benchmark takes two cores: one for the server, one for the load.")
  execFileSync("taskset", ["-a", "-p", "-c", LOAD_CORE, String(Process.pid)], { stdio: "ignore" })
})

/** A port nobody listens on. */
export const freePort = Effect.promise(async () => {
  const server = Net.createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return address !== null && typeof address === "object" ? address.port : 0
})

/** Starts a server on the first core with this Node. What it writes goes to `log`. */
export const startServer = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  options: { readonly env: Readonly<Record<string, string>>; readonly port: number; readonly log: string }
): Effect.fn.Return<Running, never, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const log = openSync(options.log, "a")
      const env = { PATH: Process.env["PATH"] ?? "", NODE_ENV: "production", ...options.env }
      const started = spawn("taskset", ["-c", SERVER_CORE, Process.execPath, ...args], {
        env,
        stdio: ["ignore", log, log]
      })
      closeSync(log)
      return started
    }),
    (running) =>
      Effect.promise(async () => {
        if (running.exitCode !== null || running.signalCode !== null) return
        const closed = once(running, "close")
        running.kill("SIGKILL")
        await closed
      })
  )
  return { child, pid: child.pid ?? 0, port: options.port }
})

/** Runs a command on the second core, to its end; what it printed. */
export const onLoadCore = (command: string, args: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const child = spawn("taskset", ["-c", LOAD_CORE, command, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()))
    child.on("error", (cause) => resume(Effect.die(cause)))
    child.on("close", (code) =>
      resume(code === 0 ? Effect.succeed(text) : Effect.die(new Error(`${command} ended with ${code}: ${text}`)))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Processor time used so far, in microseconds. */
export const cpuMicros = (pid: number): number => {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const fields = rest.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS
}

/** Resident memory, in MiB. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/** One request on one connection, or on the agent's. */
export const ask = (
  port: number,
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string>; readonly agent?: Http.Agent } = {}
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { agent = false, headers = {}, method = "GET" } = options
    const request = Http.request({ host: "127.0.0.1", port, path, method, headers, agent }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      )
      response.on("error", reject)
    })
    request.on("error", reject)
    request.end()
  })

/** Asks every few milliseconds until `path` is answered with 200; the milliseconds that took. */
export const firstAnswer = (running: Running, path: string, began: number): Effect.Effect<number> =>
  Effect.promise(async () => {
    for (;;) {
      const status = await ask(running.port, path).then(
        (response) => response.status,
        () => 0
      )
      if (status === 200) return performance.now() - began
      if (running.child.exitCode !== null) throw new Error(`a server ended with ${running.child.exitCode}: see its log`)
      if (performance.now() - began > 30_000) throw new Error(`no answer to ${path} within 30 s`)
      await new Promise((done) => setTimeout(done, 2))
    }
  })
