// `value`: what each row of a CSV file of transactions was worth at its time, in naira and dollars. The exit code is 0 if every row has
// its values, 1 if some lack one, 2 if the file or the record cannot be used.
import { Console, Data, DateTime, Effect, Option, Runtime } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { layerErrorLog } from "./CommandOutput.ts"
import { screen } from "./Progress.ts"
import { valueFile } from "./ValueFile.ts"

/** Some rows lack a value: their reasons are in the output. */
class Unvalued extends Data.TaggedError("Unvalued") {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = 1
}

/** Nothing could be valued. */
class Unusable extends CliError.UserError {
  override readonly [Runtime.errorExitCode] = 2

  constructor(userMessage: string) {
    super({ cause: new Error(userMessage), userMessage })
  }
}

/** An IANA name, or none. */
const zoneOf = Effect.fnUntraced(function* (name: Option.Option<string>) {
  if (Option.isNone(name)) return undefined
  const zone = DateTime.zoneMakeNamed(name.value)
  if (Option.isNone(zone)) return yield* new Unusable(`"${name.value}" is no time zone. Name one such as Africa/Lagos.`)
  return zone.value
})

/** The record of the data folder, or a server. What only one of them needs is imported when it is used. */
const sourceOf = (url: Option.Option<string>, keyFile: Option.Option<string>) =>
  Option.match(url, {
    onNone: () =>
      Effect.flatMap(
        Effect.promise(() => import("./ValueRecord.ts")),
        ({ source }) => source
      ),
    onSome: (url) =>
      Effect.flatMap(
        Effect.promise(() => import("./ValueServer.ts")),
        ({ sourceAt }) => sourceAt(url, keyFile)
      )
  })

const minutesOf = Effect.flatMap(
  Effect.promise(() => import("./ValueMinutes.ts")),
  ({ minutes }) => minutes
)

export const value = Command.make(
  "value",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A CSV file with the columns id, asset, amount and time, and perhaps side")
    ),
    url: Flag.String("url").pipe(
      Flag.withDescription("The server to ask, such as http://localhost:3000; default: the record in DATA_DIR"),
      Flag.optional
    ),
    keyFile: Flag.String("key-file").pipe(
      Flag.withDescription("A file with the API key for that server"),
      Flag.optional
    ),
    zone: Flag.String("zone").pipe(
      Flag.withDescription("The time zone of times without one, such as Africa/Lagos"),
      Flag.optional
    ),
    isByMinute: Flag.Boolean("minutes").pipe(
      Flag.withDescription("Ask exchanges for the price of coins at the minute, which takes longer"),
      Flag.withDefault(false)
    ),
    hasDecimalComma: Flag.Boolean("decimal-comma").pipe(
      Flag.withDescription("Read 1,234 as 1.234"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(
    function* ({ file, hasDecimalComma, isByMinute, keyFile, url, zone }) {
      const options = { hasDecimalComma, zone: yield* zoneOf(zone), screen }
      const source = yield* sourceOf(url, keyFile)
      const minutes = isByMinute ? yield* minutesOf : undefined
      const { rows, valued } = yield* valueFile(file, source, { ...options, minutes })
      yield* Console.error(`${valued} of ${rows} rows have their values.`)
      if (valued < rows) return yield* new Unvalued()
    },
    Effect.scoped,
    Effect.mapError((failure) =>
      failure instanceof Unvalued || failure instanceof Unusable ? failure : new Unusable(failure.message)
    )
  )
).pipe(
  Command.withDescription(
    "Add the value in naira and dollars to each row of a CSV file. Exit code: 0 all rows have it, 1 some lack it, 2 nothing could be read"
  ),
  Command.provide(layerErrorLog("Error"))
)
