// Runs the engine that the server runs over a file of cases in the form of why-bench. Of each case only `id` and
// `input` are decoded.
import { Effect, FileSystem, Option, Schema } from "effect"
import { CliError } from "effect/cli"
import { explain } from "../../src/why/Explain.ts"
import { explainCase } from "./explainCase.ts"
import { BenchFile, casesOf, inputOf, predictionOf } from "./BenchCase.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BenchFile))

/**
 * Predictions by case id, as the scorer reads them: JSON. Fails with a sentence that says what is wrong with the file.
 */
export const evaluate = Effect.fn("evaluate")(function* (file: string) {
  const cases = yield* casesIn(file)
  const predictions = cases.map((bench) => [bench.id, predictionOf(explain(inputOf(bench)))])
  return JSON.stringify(Object.fromEntries(predictions), null, 1)
})

/** How each item of one case was judged, in lines. */
export const evaluateCase = Effect.fn("evaluateCase")(function* (file: string, id: string) {
  const cases = yield* casesIn(file)
  const bench = cases.find((one) => one.id === id)
  return bench === undefined ? yield* unusable(`${file} has no case ${id}.`) : explainCase(id, inputOf(bench))
})

const casesIn = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const stat = yield* Effect.option(files.stat(file))
  if (Option.exists(stat, ({ type }) => type === "Directory")) {
    return yield* unusable(`${file} is a folder; a file of cases is needed.`)
  }
  const text = yield* Effect.catch(files.readFileString(file), () => unusable(`${file} cannot be read.`))
  return casesOf(yield* Effect.catch(decode(text), () => unusable(`${file} is not a file of cases.`)))
})

const unusable = (userMessage: string) =>
  Effect.fail(new CliError.UserError({ cause: new Error(userMessage), userMessage }))
