// The servers of a run, each a process on the first core: the service as `npm start` starts it, over the sandbox's upstreams at a
// moment that does not pass, so that it refreshes as it always does and every body stays what it was; and the peers.
import { NodeHttpServer } from "@effect/platform-node"
import { Clock, Context, Duration, Effect, Layer, Schedule } from "effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync, readFileSync } from "node:fs"
import * as Http from "node:http"
import { join } from "node:path"
import Process from "node:process"
import { promisify } from "node:util"
import { exchangeSources } from "../../src/sources/catalog/exchangeSources.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import type { Load, Seen } from "./load.ts"

export interface Running {
  readonly child: ChildProcess
  readonly port: number
}

/** Tickers are believed for two minutes: stopped ones would change the answers in the middle of the run. */
export const withoutTickers = { SOURCES_DISABLED: Object.keys(exchangeSources).join(",") }

/**
 * The settings that point the service at upstreams of now, whose time passes or is stopped. What was observed when it stopped has to
 * last for the run.
 */
export const settings = Effect.fnUntraced(function* (isPassing: boolean) {
  const clock = yield* Clock.Clock
  const at = yield* Clock.currentTimeMillis
  const stopped = Object.assign(Object.create(clock), {
    currentTimeMillisUnsafe: () => at,
    currentTimeMillis: Effect.succeed(at)
  })
  const http = NodeHttpServer.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 })
  const time = Layer.succeed(Clock.Clock, isPassing ? clock : stopped)
  const layer = Sandbox.layer.pipe(Layer.provide(http), Layer.provide(time))
  const { baseUrls, newsFeeds } = Context.get(yield* Layer.build(layer), Sandbox)
  return {
    ...Object.fromEntries(upstreamNames.map((name) => [`${name}_BASE_URL`, baseUrls[name]])),
    ...Object.fromEntries(["COINS", "NAIRA", "GLOBAL"].map((name) => [`MAX_AGE_${name}`, "6 hours"])),
    NEWS_FEEDS: newsFeeds.join(","),
    COINGECKO_PLAN: "pro",
    COINGECKO_API_KEY: "sandbox",
    TRUSTED_PROXIES: "127.0.0.0/8",
    LOG_LEVEL: "Warn"
  }
})

// Most processes begin at another one.
let nextPort = 20_000 + (Process.pid % 10_000)

/** Starts this Node on the first core, until the scope closes. */
const startNode = (
  folder: string,
  start: (port: string) => { readonly args: ReadonlyArray<string>; readonly env?: object }
) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const port = nextPort++
      const { args, env } = start(String(port))
      const log = openSync(join(folder, "log"), "a")
      const child = spawn("taskset", ["-c", "0", Process.execPath, ...args], {
        env: { PATH: Process.env["PATH"], NODE_ENV: "production", ...env },
        stdio: ["ignore", log, log]
      })
      return { child, port }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "close")
      })
  )

/** Starts the service that was built into the folder `dist`, as `npm start` does, with its data in the folder `data`. */
export const startService = (folder: string, dist: string, data: string, env: Readonly<Record<string, string>>) =>
  startNode(folder, (port) => ({
    args: [join(dist, "main.js"), "serve"],
    env: { ...env, PORT: port, DATA_DIR: join(folder, data) }
  }))

/** Starts a peer, which serves what is in the folder's `market.json`. */
export const startPeer = (folder: string, name: string) =>
  startNode(folder, (port) => ({
    args: [join(import.meta.dirname, "peers", `${name}.ts`), join(folder, "market.json"), port]
  }))

/** Processor time used so far, in microseconds. Linux counts in hundredths of a second. */
const cpuMicros = ({ pid }: ChildProcess): number => {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const fields = rest.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Resident memory, in MiB. */
export const residentMiB = ({ child }: Running): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/** Puts a load on a server from the second core. `cpu`: the server's microseconds of processor time for a request. */
export const load = ({ child, port }: Running, what: Omit<Load, "port">): Effect.Effect<Seen & { cpu: number }> =>
  Effect.promise(async () => {
    const before = cpuMicros(child)
    const args = [join(import.meta.dirname, "load.ts"), JSON.stringify({ ...what, port })]
    const command = ["-c", "1", Process.execPath, ...args]
    const { stdout } = await promisify(execFile)("taskset", command)
    const seen: Seen = JSON.parse(stdout)
    return { ...seen, cpu: (cpuMicros(child) - before) / seen.requests }
  })

/** Asks as the address given. */
export const ask = ({ port }: Running, path: string, address = "198.51.100.1"): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-for": address } })

/** Milliseconds until `path` is answered with 200, asked every 2 ms. */
export const firstAnswer = (running: Running, path: string): Effect.Effect<number> =>
  Effect.tryPromise(() => ask(running, path)).pipe(
    Effect.filterOrFail((response) => response.ok),
    Effect.retry({ schedule: Schedule.spaced("2 millis"), times: 10_000 }),
    Effect.timed,
    Effect.map(([took]) => Duration.toMillis(took)),
    Effect.orDie
  )
