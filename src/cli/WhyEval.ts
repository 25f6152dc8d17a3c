// `why:eval FILE`: runs the engine the server runs over a cases file in the form of why-bench and prints the predictions as JSON
// on standard output, and nothing else there. Of each case only `id` and `input` are decoded.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Logger, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { BenchFile, casesOf, predict } from "../why/BenchCase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BenchFile))

const command = Command.make(
  "why:eval",
  { file: Argument.String("file").pipe(Argument.withDescription("Cases in the form of why-bench")) },
  Effect.fn("WhyEval")(function* ({ file }) {
    const text = yield* (yield* FileSystem.FileSystem).readFileString(file)
    const cases = casesOf(yield* decode(text))
    yield* Console.log(JSON.stringify(Object.fromEntries(cases.map((bench) => [bench.id, predict(bench)])), null, 1))
  })
).pipe(Command.withDescription("Explain the cases of a why-bench file"))

Command.run(command, { version: "0.1.0" }).pipe(
  Effect.provide(NodeServices.layer),
  // Standard output is for predictions only: the runtime's own report of a failure goes to the other stream too.
  Effect.tapCause(Effect.logError),
  Effect.provide(Layer.succeed(Logger.LogToStderr, true)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
