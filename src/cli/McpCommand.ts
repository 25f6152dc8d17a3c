// `mcp`: the tools for agents that start their servers themselves, on the settings that `serve` has. What it takes is loaded when
// it is called: no other command waits for it.
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Settings from "../node/Settings.ts"

const answering = Effect.flatMap(
  Effect.promise(() => import("./McpStdio.ts")),
  ({ run }) => run
)

/** The command. */
export const mcp = Command.make("mcp", {}, () => Effect.andThen(Settings.check, answering)).pipe(
  Command.withDescription("Answer an agent over standard input and output (MCP)")
)
