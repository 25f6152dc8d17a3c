// A `redis-server` process on a free port that a test can kill, freeze and restart.
import { Context, Effect, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import * as Net from "node:net"
import { hasPrograms } from "../isPresent.ts"
import { freePort } from "../resources.ts"

/** Whether `redis-server` is installed. */
export const isInstalled = hasPrograms("redis-server")

/** A Redis server's process. */
export interface RedisProcess {
  readonly url: string
  /** Starts it, empty, on the same port each time. */
  readonly start: Effect.Effect<void>
  /** `SIGKILL`. */
  readonly kill: Effect.Effect<void>
  /** `SIGSTOP`, `SIGCONT`. */
  readonly signal: (name: "SIGSTOP" | "SIGCONT") => Effect.Effect<void>
  /** Sends commands, one a line, and returns the lines of the replies. */
  readonly ask: (...commands: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
}

/** A process that is not started yet and is killed with the scope; `options` are those of the program. */
export const makeOf = Effect.fnUntraced(function* (program: string, ...options: ReadonlyArray<string>) {
  const port = yield* freePort
  let child: ChildProcess | undefined

  const kill = Effect.callback<void>((resume) => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

  const ask = (...commands: ReadonlyArray<string>) =>
    Effect.callback<ReadonlyArray<string>>((resume) => {
      let text = ""
      const socket = Net.connect(port, "127.0.0.1", () => socket.end(`${commands.join("\r\n")}\r\n`))
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()))
      socket.on("error", () => resume(Effect.succeed([])))
      socket.on("close", () => resume(Effect.succeed(text.split("\r\n").slice(0, -1))))
    })

  const start = Effect.gen(function* () {
    child = spawn(
      program,
      ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...options],
      {
        stdio: "ignore",
        cwd: "/tmp"
      }
    )
    yield* Effect.andThen(Effect.sleep("20 millis"), ask("PING")).pipe(
      Effect.repeat({ until: ([reply]) => reply === "+PONG" })
    )
  })

  yield* Effect.addFinalizer(() => kill)
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    signal: (name: "SIGSTOP" | "SIGCONT") => Effect.sync(() => void child?.kill(name)),
    ask
  } satisfies RedisProcess
})

export const makeWith = (...options: ReadonlyArray<string>) => makeOf("redis-server", ...options)

export const make = makeWith()

/** A Redis that runs for all tests that do not stop it. */
export class RunningRedis extends Context.Service<RunningRedis, RedisProcess>()("test/RunningRedis") {
  static readonly layer = Layer.effect(
    RunningRedis,
    Effect.tap(make, ({ start }) => start)
  )
}
