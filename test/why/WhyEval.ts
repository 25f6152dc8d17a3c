// `why:eval FILE`: runs the engine the server runs over a cases file in the form of why-bench and prints the predictions as JSON
// on standard output, and nothing else there. Of each case only `id` and `input` are decoded.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Logger, Option, Schema } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { BenchFile, casesOf, predict } from "./BenchCase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BenchFile))

const unusable = (file: string, why: string) => {
  const userMessage = `${file} ${why}.`
  return Effect.fail(new CliError.UserError({ cause: new Error(userMessage), userMessage }))
}

const command = Command.make(
  "why:eval",
  { file: Argument.String("file").pipe(Argument.withDescription("Cases in the form of why-bench")) },
  Effect.fn("WhyEval")(function* ({ file }) {
    const files = yield* FileSystem.FileSystem
    if (Option.exists(yield* Effect.option(files.stat(file)), ({ type }) => type === "Directory")) {
      return yield* unusable(file, "is a folder; what is wanted is a file of cases")
    }
    const text = yield* Effect.catch(files.readFileString(file), () => unusable(file, "cannot be read"))
    const cases = casesOf(yield* Effect.catch(decode(text), () => unusable(file, "is not a file of cases")))
    yield* Console.log(JSON.stringify(Object.fromEntries(cases.map((bench) => [bench.id, predict(bench)])), null, 1))
  })
).pipe(Command.withDescription("Explain the cases of a why-bench file"))

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  // Standard output is for predictions only: a report of a bug goes to the other stream too.
  Effect.tapDefect(Effect.logError),
  Effect.provide(Layer.succeed(Logger.LogToStderr, true)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
