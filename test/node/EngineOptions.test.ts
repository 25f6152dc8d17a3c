import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { OPTIONS, VARIABLES } from "../../src/node/engineOptions.ts"
import { temporaryFolder } from "../resources.ts"
import { liveRule } from "../rulesOf.ts"

const Seen = Schema.fromJsonString(
  Schema.Struct({
    pid: Schema.Finite,
    execArgv: Schema.Array(Schema.String),
    args: Schema.Array(Schema.String),
    variables: Schema.Array(Schema.UndefinedOr(Schema.String).pipe(Schema.NullishOr)),
    newSpace: Schema.Finite
  })
)

/** Runs a program that applies the options, prints what it then is, and ends with code 7. */
const ran = Effect.fnUntraced(function* (
  options: ReadonlyArray<string>,
  { env = {}, channel = false }: { readonly env?: Readonly<Record<string, string>>; readonly channel?: boolean } = {}
) {
  const file = join(yield* temporaryFolder, "a program.mjs")
  writeFileSync(
    file,
    `import { apply } from ${JSON.stringify(new URL("../../src/node/engineOptions.ts", import.meta.url).href)}
    apply()
    const { argv, env, execArgv, pid } = process
    const variables = [${Object.keys(VARIABLES)
      .map((name) => `env.${name} ?? null`)
      .join()}]
    const kept = []
    for (let n = 0; n < 3e6; n++) kept[n % 2e5] = { n, of: [n, n] }
    const newSpace = (await import("node:v8")).getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size
    console.log(JSON.stringify({ pid, execArgv, args: argv.slice(2), variables, newSpace }))
    process.exitCode = 7
    process.disconnect?.()`
  )
  const child = spawn(execPath, [...options, file, "serve", "a b", ""], {
    env,
    stdio: ["ignore", "pipe", "inherit", ...(channel ? (["ipc"] as const) : [])]
  })
  let written = ""
  child.stdout?.on("data", (chunk: Buffer) => (written += chunk.toString()))
  const [code] = yield* Effect.promise(() => once(child, "close"))
  assert.strictEqual(code, 7)
  const seen = yield* Schema.decodeEffect(Seen)(written)
  assert.deepStrictEqual([seen.pid, seen.args], [child.pid, ["serve", "a b", ""]])
  return seen
})

describe("the options of the engine", () => {
  liveRule("are given to a process that lacks them, which stays the same process", function* () {
    const { execArgv, newSpace, variables } = yield* ran([])
    assert.deepStrictEqual([execArgv, variables], [OPTIONS, Object.values(VARIABLES)])
    assert.isAtMost(newSpace, 24 * 2 ** 20)
  })

  liveRule("stay as the operator gives them, in any way of writing", function* () {
    const { execArgv, variables } = yield* ran(["--heap_growing_percent=0", "--no-warnings"], {
      env: { MALLOC_ARENA_MAX: "4", NODE_OPTIONS: "--max-semi-space-size=16" }
    })
    assert.sameMembers([...execArgv], ["--no-allocation-site-pretenuring", "--heap_growing_percent=0", "--no-warnings"])
    assert.deepStrictEqual(variables, ["4", VARIABLES.MALLOC_MMAP_THRESHOLD_])
  })

  liveRule("do not cut the channel to a process manager", function* () {
    const { execArgv, variables } = yield* ran([], { channel: true })
    assert.deepStrictEqual([execArgv, variables], [[], [null, null]])
  })
})
