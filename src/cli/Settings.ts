// The settings, read from the environment. All of them are checked before anything starts, and everything that is wrong is said
// at once, in words, without ever repeating a value: it might be a key.
import { Config, Effect, Option, Result, Schema } from "effect"
import { CliError } from "effect/cli"
import * as CoinGeckoPlan from "../sources/CoinGeckoPlan.ts"
import { sourceCatalog } from "../sources/SourceCatalog.ts"
import { disabledSources } from "../sources/SourceClient.ts"

/** Where to listen and how to log. */
export const serving = {
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("0.0.0.0")),
  port: Config.Port("PORT").pipe(Config.withDefault(3000)),
  logLevel: Config.LogLevel("LOG_LEVEL").pipe(Config.withDefault("Info" as const)),
  logFormat: Config.Literals(["pretty", "json"], "LOG_FORMAT").pipe(Config.withDefault("pretty" as const))
}

/** One setting's rule: how it is read, and what it must be. */
interface Rule {
  readonly name: string
  readonly read: Effect.Effect<unknown, unknown>
  readonly must: string
}

const WebAddress = Schema.URLFromString.check(
  Schema.makeFilter((url: URL) => url.protocol === "http:" || url.protocol === "https:")
)

const sourceNames = new Set(sourceCatalog.map(({ id }) => id))

const rules: ReadonlyArray<Rule> = [
  { name: "HOST", read: serving.host, must: "be an address to listen on, such as 0.0.0.0" },
  { name: "PORT", read: serving.port, must: "be a port number from 0 to 65535" },
  {
    name: "LOG_LEVEL",
    read: serving.logLevel,
    must: "be one of All, Trace, Debug, Info, Warn, Error, Fatal, None"
  },
  { name: "LOG_FORMAT", read: serving.logFormat, must: "be pretty or json" },
  { name: "COINGECKO_PLAN", read: CoinGeckoPlan.plan, must: "be keyless, demo or pro" },
  {
    name: "COINGECKO_API_KEY",
    read: Effect.filterOrFail(
      Effect.all([CoinGeckoPlan.plan, CoinGeckoPlan.key]),
      ([plan, key]) => plan === "keyless" || Option.isSome(key)
    ),
    must: "be set when COINGECKO_PLAN is demo or pro"
  },
  {
    name: "SOURCES_DISABLED",
    read: Effect.filterOrFail(disabledSources, (names) => [...names].every((name) => sourceNames.has(name))),
    must: `be names out of ${[...sourceNames].join(", ")}, separated by commas`
  },
  ...sourceCatalog.map(({ id }) => ({
    name: `${id}_BASE_URL`,
    read: Config.schema(WebAddress, `${id}_BASE_URL`).pipe(Config.option),
    must: "be an address that begins with http:// or https://"
  }))
]

/** Reads every setting and fails once with all that is wrong, a line each. */
export const check: Effect.Effect<void, CliError.UserError> = Effect.gen(function* () {
  const faults: Array<string> = []
  for (const { must, name, read } of rules) {
    if (Result.isFailure(yield* Effect.result(read))) faults.push(`  ${name} must ${must}.`)
  }
  if (faults.length === 0) return
  const userMessage = ["The settings are not valid:", ...faults].join("\n")
  return yield* new CliError.UserError({ cause: new Error(userMessage), userMessage })
})
