// `npm run why:eval FILE`: the process around {@link evaluate}. Standard output is for predictions only.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Logger } from "effect"
import { Argument, Command } from "effect/cli"
import { evaluate } from "./evaluate.ts"

const command = Command.make(
  "why:eval",
  { file: Argument.String("file").pipe(Argument.withDescription("Cases in the form of why-bench")) },
  ({ file }) => Effect.flatMap(evaluate(file), Console.log)
).pipe(Command.withDescription("Explain the cases of a why-bench file"))

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  // The report of a bug goes to standard error too.
  Effect.tapDefect(Effect.logError),
  Effect.provide(Layer.succeed(Logger.LogToStderr, true)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
