// PostgreSQL behind PgBouncer in transaction mode with two connections: recording goes on, however many ask meanwhile.
import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { getuid } from "node:process"
import * as History from "../../../src/history/store/History.ts"
import { hasPrograms } from "../../isPresent.ts"
import { freePort } from "../../resources.ts"
import { observed } from "../records.ts"
import { hasPostgres, newDatabase } from "./Databases.ts"
import { liveRule } from "../../rulesOf.ts"

const START = Date.UTC(2026, 0, 1)

/** A pooler before a server, until the scope ends. Gives the URL of the database behind it. PgBouncer refuses to run as root. */
const pooled = Effect.fnUntraced(function* (target: URL) {
  const port = yield* freePort
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cda-pgbouncer-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const file = join(folder, "pgbouncer.ini")
  const server = `host=${target.hostname} port=${target.port === "" ? 5432 : target.port} user=${target.username}`
  writeFileSync(
    file,
    `[databases]\n* = ${server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\n` +
      `pool_mode = transaction\ndefault_pool_size = 2\nunix_socket_dir = ${folder}\n`
  )
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: "pipe" }).toString())
  const user = getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined
  if (user !== undefined) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("pgbouncer", ["-q", file], { ...user, cwd: folder, stdio: "ignore" })),
    (child) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
      })
  )
  yield* Effect.callback<void, Error>((resume) => {
    const socket = Net.connect(port, "127.0.0.1")
    socket.once("connect", () =>
      resume(
        Effect.as(
          Effect.sync(() => socket.destroy()),
          undefined
        )
      )
    )
    socket.once("error", (cause) => resume(Effect.fail(cause)))
  }).pipe(Effect.retry(Schedule.spaced("50 millis")))
  const url = new URL(target)
  url.port = String(port)
  url.hostname = "127.0.0.1"
  return url.href
})

describe.skipIf(!hasPostgres || !hasPrograms("pgbouncer"))("behind a pooler in transaction mode", () => {
  liveRule("two processes record and read, and nothing is lost", function* () {
    const url = yield* pooled(new URL(yield* newDatabase))
    const make = Effect.map(Layer.build(Layer.fresh(History.layerPostgres(Redacted.make(url)))), (context) =>
      Effect.runSync(Effect.provideContext(History.History, context))
    )
    const processes = [yield* make, yield* make].map((history) => history ?? assert.fail("no history"))
    const PER_PROCESS = 300
    for (let n = 0; n < PER_PROCESS; n += 10) {
      yield* Effect.forEach(
        processes,
        (history, which) =>
          Effect.andThen(
            history.offer(Array.from({ length: 10 }, (_, k) => observed(`series-${which}`, START + n + k, n + k + 1))),
            history.ask(({ newestAt }) => newestAt(new Map([["series-0", START + n]]), 0))
          ),
        { concurrency: "unbounded" }
      )
    }
    for (const history of processes) {
      yield* Effect.repeat(
        Effect.sync(() => history.pendingSince() === undefined),
        { until: (isWritten) => isWritten, schedule: Schedule.spaced("20 millis") }
      )
    }
    for (const which of [0, 1]) {
      const name = `series-${which}`
      const { observations } = yield* (processes[1 - which] ?? assert.fail()).ask(({ newestAt }) =>
        newestAt(new Map([[name, START + PER_PROCESS - 1]]), 0)
      )
      assert.strictEqual(observations.get(name)?.[0]?.value, PER_PROCESS)
    }
  })
})
