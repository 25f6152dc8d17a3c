// The command line: its commands, the platform, the exit code.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Runtime } from "effect"
import { Command } from "effect/cli"
import { doctor } from "./DoctorCommand.ts"
import { keys } from "./KeysCommand.ts"
import { mcp } from "./McpCommand.ts"
import { sandbox } from "./SandboxCommand.ts"
import { serve } from "./Serve.ts"

const command = Command.make("crypto-data-api").pipe(
  Command.withDescription("A self-hosted, source-stamped crypto data API"),
  Command.withSubcommands([serve, sandbox, mcp, keys, doctor])
)

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  // Being asked to stop (130) is not a failure.
  NodeRuntime.runMain({
    teardown: (exit, done) => Runtime.defaultTeardown(exit, (code) => done(code === 130 ? 0 : code))
  })
)
