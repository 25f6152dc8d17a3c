// A PostgreSQL server of its own, in a temporary folder, which a test can stop and start. PostgreSQL refuses to run as root: then
// it runs as the user `postgres`.
import { Effect } from "effect"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getuid } from "node:process"
import { isPresent } from "../../isPresent.ts"
import { freePort } from "../../resources.ts"

const ROOT = "/usr/lib/postgresql"

const version = existsSync(ROOT) ? readdirSync(ROOT).toSorted().at(-1) : undefined

/** The numbers of the user that runs it, where this process is root. */
const user = (() => {
  if (getuid?.() !== 0) return {}
  try {
    const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: "pipe" }).toString())
    return { uid: idOf("-u"), gid: idOf("-g") }
  } catch {
    return undefined
  }
})()

/** Whether the programs are installed. */
export const isInstalled = isPresent("PostgreSQL's programs", version !== undefined && user !== undefined)

/** Whether it serves: it listens before. */
const serves = (programs: string, port: number) =>
  spawnSync(join(programs, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]).status === 0

/** A server that does not run yet; stopped and removed with the scope. Its database is `postgres`. */
export const make = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cda-postgres-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const programs = join(ROOT, version ?? "", "bin")
  if (user?.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, "data")
  const port = yield* freePort
  execFileSync(join(programs, "initdb"), ["-D", data, "-U", "test", "-A", "trust", "--no-sync"], {
    ...user,
    cwd: folder,
    stdio: "pipe"
  })
  let running: ChildProcess | undefined
  const stop = Effect.promise(async () => {
    const server = running
    running = undefined
    if (server === undefined || server.exitCode !== null) return
    const ended = once(server, "exit")
    // An immediate shutdown: connections break, and the next start recovers.
    server.kill("SIGQUIT")
    await ended
  })
  const start = Effect.promise(async () => {
    const options = [
      "-D",
      data,
      "-p",
      String(port),
      "-k",
      folder,
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "fsync=off"
    ]
    running = spawn(join(programs, "postgres"), options, { ...user, cwd: folder, stdio: "ignore" })
    while (!serves(programs, port)) await new Promise((resolve) => setTimeout(resolve, 20))
  })
  yield* Effect.addFinalizer(() => stop)
  return { url: `postgres://test@127.0.0.1:${port}/postgres`, start, stop }
})
