// A folder like a clone of the repository, in which the commands of the documents run as they are shown, over a simulated world.
// All start from the bundle of the tests: it is linked as `dist`, and their `src/main.ts` imports it.
import { Context, Effect, Layer, Schedule, type Scope } from "effect"
import { execFile, spawn } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import Process from "node:process"
import * as Serving from "../cli/ServingProcess.ts"
import { program } from "../Program.ts"
import { temporaryFolder } from "../resources.ts"

const root = new URL("../..", import.meta.url).pathname

/** Linked into the folder; everything a command writes stays in it. */
const linked = ["build", "docs", "test", "node_modules", "package.json"]

/** The folder, and a sandbox started in it. */
export class Clone extends Context.Service<
  Clone,
  {
    /** Runs a script in the folder, and returns its standard output. A failure has its standard error. */
    readonly shell: (script: string) => Effect.Effect<string, Error>
    /** Starts a server that runs until the scope ends, and returns its address when it has printed it. */
    readonly start: (command: string) => Effect.Effect<string, Error, Scope.Scope>
    /** The address of the sandbox. */
    readonly address: string
  }
>()("test/docs/Clone") {
  static readonly layerWith = (sandbox: string) =>
    Layer.effect(
      Clone,
      Effect.gen(function* () {
        const sources = yield* temporaryFolder
        const commands = yield* temporaryFolder
        const data = yield* temporaryFolder
        for (const [name, target] of [
          ...linked.map((path) => [path, join(root, path)] as const),
          ["dist", dirname(program)] as const,
          ["data", data] as const
        ]) {
          symlinkSync(target, join(sources, name))
          symlinkSync(target, join(commands, name))
        }
        symlinkSync(join(root, "src"), join(sources, "src"))
        mkdirSync(join(commands, "src"))
        writeFileSync(join(commands, "src/main.ts"), `import ${JSON.stringify(program)}\n`)
        // What npx does, without the half second that npm takes for it.
        writeFileSync(join(commands, "npx"), '#!/bin/sh\nexec "node_modules/.bin/$@"\n', { mode: 0o755 })
        const { DATA_DIR: _, ...upstreams } = yield* Serving.settings
        // The variables that npm sets for the tests name another folder.
        const inherited = Object.entries(Process.env).filter(([name]) => !name.startsWith("npm_"))
        const env = { ...Object.fromEntries(inherited), ...upstreams, PORT: "0" }
        const withNpx = { ...env, PATH: `${commands}:${Process.env["PATH"]}` }

        const shell = (script: string) =>
          Effect.callback<string, Error>((resume) => {
            const child = execFile(
              "sh",
              ["-e", "-c", script],
              { cwd: commands, env: withNpx },
              (failure, stdout, stderr) =>
                resume(
                  failure === null ? Effect.succeed(stdout) : Effect.fail(new Error(`${failure.message}\n${stderr}`))
                )
            )
            return Effect.sync(() => child.kill("SIGKILL"))
          })

        const startIn = Effect.fnUntraced(function* (cwd: string, command: string) {
          // npm and a shell run the service as their child: all are ended as one group.
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
            Effect.mapError(() => new Error(`${command} printed no address:\n${output}`))
          )
        })

        return Clone.of({
          shell,
          start: (command) => startIn(sources, command),
          address: yield* startIn(commands, sandbox)
        })
      })
    ).pipe(Layer.provide(Serving.layerWorld))
}
