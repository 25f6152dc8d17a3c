// Runs the command line of the process.
import { Command } from "effect/cli"
import * as Process from "../node/Process.ts"
import { doctor } from "./DoctorCommand.ts"
import { keys } from "./KeysCommand.ts"
import { mcp } from "./McpCommand.ts"
import { sandbox } from "./SandboxCommand.ts"
import { serve } from "./ServeCommand.ts"

const command = Command.make("crypto-data-api").pipe(
  Command.withDescription("A self-hosted, source-stamped crypto data API"),
  Command.withSubcommands([serve, sandbox, mcp, keys, doctor])
)

Process.run(Command.run(command, { version: "0.1.0" }))
