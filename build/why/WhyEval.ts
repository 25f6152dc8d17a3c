// `npm run why:eval FILE`: the process around {@link evaluate}. Standard output is for predictions only.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Logger, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { VERSION } from "../../src/domain/version.ts"
import { evaluate, evaluateCase } from "./evaluate.ts"

const command = Command.make(
  "why:eval",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Cases in the form of why-bench")),
    explain: Flag.String("explain").pipe(
      Flag.withDescription("Print for this case how each item was judged"),
      Flag.optional
    )
  },
  ({ explain, file }) =>
    Effect.flatMap(
      Option.match(explain, { onNone: () => evaluate(file), onSome: (id) => evaluateCase(file, id) }),
      Console.log
    )
).pipe(Command.withDescription("Explain the cases of a why-bench file"))

Command.run(command, { version: VERSION }).pipe(
  Effect.provide(NodeServices.layer),
  // The report of a bug goes to standard error too.
  Effect.tapDefect(Effect.logError),
  Effect.provide(Layer.succeed(Logger.LogToStderr, true)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
