// Proxies of a test's own, in the foreground, and an nginx with the servers that the test configures.
import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import * as Net from "node:net"
import { join } from "node:path"
import { hasPrograms } from "../isPresent.ts"
import { temporaryFolder } from "../resources.ts"

export const isInstalled = hasPrograms("nginx")

/** Whether something listens there. */
const listens = (port: number) =>
  Effect.callback<void, Error>((resume) => {
    const socket = Net.connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.once("error", (cause) => resume(Effect.fail(cause)))
  })

/** Runs a program until the scope ends, from when it listens on this port. */
export const running = Effect.fnUntraced(function* (port: number, program: string, ...args: ReadonlyArray<string>) {
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(program, args, { stdio: "ignore" })),
    (child) =>
      Effect.promise(async () => {
        child.kill("SIGKILL")
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
      })
  )
  yield* Effect.retry(listens(port), Schedule.spaced("30 millis")).pipe(Effect.timeout("30 seconds"))
})

/** Runs nginx with `http`, the inside of its block `http`, until the scope ends; `port` is one that it listens on. */
export const serving = Effect.fnUntraced(function* (port: number, http: string) {
  const folder = yield* temporaryFolder
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`)
  const conf = join(folder, "nginx.conf")
  const before = `daemon off;\nmaster_process off;\npid ${folder}/pid;\nevents {}\n`
  writeFileSync(conf, `${before}http {\naccess_log off;\n${paths.join("\n")}\n${http}\n}\n`)
  yield* running(port, "nginx", "-p", folder, "-e", `${folder}/error.log`, "-c", conf)
})
