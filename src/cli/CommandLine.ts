// Runs the command line of the process. What a command alone needs is imported when it runs, which keeps the start of the others
// fast; the import of a file of this package fails only in a broken installation.
import { Effect } from "effect"
import { Command } from "effect/cli"
import { VERSION } from "../domain/version.ts"
import * as Process from "../node/Process.ts"
import * as Serve from "../node/Serve.ts"
import * as Settings from "../node/Settings.ts"
import { layerState } from "../node/StateLayers.ts"
import { doctor } from "./DoctorCommand.ts"
import { history } from "./HistoryCommand.ts"
import { keys } from "./KeysCommand.ts"

const serve = Command.make("serve", {}, () => Effect.andThen(Settings.check, Serve.run("Live data", layerState))).pipe(
  Command.withDescription("Serve live data on HOST and PORT")
)

const sandbox = Command.make("sandbox", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./SandboxWorld.ts")),
    ({ run }) => run
  )
).pipe(Command.withDescription("Serve a simulated world, with no network and no key"))

const mcp = Command.make("mcp", {}, () =>
  Effect.andThen(
    Settings.check,
    Effect.flatMap(
      Effect.promise(() => import("../node/McpStdio.ts")),
      ({ run }) => run
    )
  )
).pipe(Command.withDescription("Answer an agent over standard input and output (MCP)"))

const command = Command.make("crypto-data-api").pipe(
  Command.withDescription("A self-hosted, source-stamped crypto data API"),
  Command.withSubcommands([serve, sandbox, mcp, keys, history, doctor])
)

Process.run(Command.run(command, { version: VERSION }))
