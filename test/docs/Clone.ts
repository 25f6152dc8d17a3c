// A folder that looks like a clone, where the commands of the README can be run as they stand there, over a simulated world.
import { Context, Effect, Layer, Schedule, type Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import Process from "node:process"
import * as Serving from "../cli/ServingProcess.ts"

const root = new URL("../..", import.meta.url).pathname

/** What is the same wherever the folder is. */
const linked = ["src", "test", "node_modules", "package.json"]

/** The folder, and a sandbox that was started in it. */
export class Clone extends Context.Service<
  Clone,
  {
    /** Runs it in the folder; what it wrote to standard output. A failure has what it wrote beside. */
    readonly shell: (script: string) => Effect.Effect<string, Error>
    /** Starts what serves, until the scope ends; its address, once it says it. */
    readonly start: (command: string) => Effect.Effect<string, Error, Scope.Scope>
    /** Where the sandbox is. */
    readonly address: string
  }
>()("test/ReadmeClone") {
  static readonly layerWith = (sandbox: string) =>
    Layer.effect(
      Clone,
      Effect.gen(function* () {
        const cwd = yield* Serving.folder
        for (const name of linked) symlinkSync(join(root, name), join(cwd, name))
        const { DATA_DIR: _, ...sources } = yield* Serving.settings
        // What npm told whoever runs the tests is of another folder.
        const inherited = Object.entries(Process.env).filter(([name]) => !name.startsWith("npm_"))
        const env = { ...Object.fromEntries(inherited), ...sources, PORT: "0" }

        const shell = (script: string) =>
          Effect.callback<string, Error>((resume) => {
            const child = execFile("sh", ["-e", "-c", script], { cwd, env }, (failure, stdout, stderr) =>
              resume(
                failure === null ? Effect.succeed(stdout) : Effect.fail(new Error(`${failure.message}\n${stderr}`))
              )
            )
            return Effect.sync(() => child.kill("SIGKILL"))
          })

        const start = Effect.fnUntraced(function* (command: string) {
          // npm and the shell stand between us and the service: they are ended as one group.
          const child = yield* Effect.acquireRelease(
            Effect.sync(() => spawn("sh", ["-c", command], { cwd, env, detached: true })),
            ({ pid }) => Effect.sync(() => pid !== undefined && Process.kill(-pid, "SIGKILL"))
          )
          let output = ""
          child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
          child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
          return yield* Effect.suspend(() => Effect.fromNullishOr(/http:\/\/localhost:\d+/.exec(output)?.[0])).pipe(
            Effect.retry(Schedule.spaced("50 millis")),
            Effect.timeout("60 seconds"),
            Effect.mapError(() => new Error(`${command} does not say where it is:\n${output}`))
          )
        })

        return Clone.of({ shell, start, address: yield* start(sandbox) })
      })
    ).pipe(Layer.provide(Serving.layerWorld))
}
