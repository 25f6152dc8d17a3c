// Runs commands in the process of the tests, as a user would type them.
import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Console, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"

/** A command with these settings and arguments: whether it succeeded, what it printed to each stream, and its failure. */
export const inProcess = Effect.fnUntraced(function* <Name extends string, Input, Context, E>(
  command: Command.Command<Name, Input, Context, E, NodeServices.NodeServices>,
  settings: Readonly<Record<string, string>>,
  args: ReadonlyArray<string>
) {
  const console = yield* TestConsole.make
  const exit = yield* Command.runWith(command, { version: "0.0.0" })(args).pipe(
    Effect.provideService(Console.Console, console),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    Effect.provide(NodeServices.layer),
    Effect.exit
  )
  const text = (lines: ReadonlyArray<unknown>) => lines.map((line) => `${String(line)}\n`).join("")
  return {
    succeeded: Exit.isSuccess(exit),
    failure: String(exit),
    out: text(yield* console.logLines),
    err: text(yield* console.errorLines)
  }
})
