// `mcp`: the tools for agents that start MCP servers as child processes. The implementation is imported when the
// command runs, which keeps the start of the other commands fast.
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Settings from "../node/Settings.ts"

// The import of a file of this package fails only in a broken installation.
const run = Effect.flatMap(
  Effect.promise(() => import("../node/McpStdio.ts")),
  ({ run }) => run
)

export const mcp = Command.make("mcp", {}, () => Effect.andThen(Settings.check, run)).pipe(
  Command.withDescription("Answer an agent over standard input and output (MCP)")
)
