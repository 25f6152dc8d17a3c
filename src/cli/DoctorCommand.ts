// `doctor`: asks everything the service stands on once, and says what would be served and what is wrong. The exit code says it
// too: 0 all well, 1 something stands in for something else, 2 users would notice. The examination is loaded when it is asked for.
import { Console, Data, Effect, Layer, Logger, References, Runtime } from "effect"
import { Command, Flag } from "effect/cli"
import { exitCode } from "./DoctorFindings.ts"
import * as DoctorReport from "./DoctorReport.ts"

/** What was found was printed; this is what the exit code is read from. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly code: number }> {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = this.code
}

// A file of our own that cannot be loaded is a broken installation.
const examination = Effect.promise(() => import("./DoctorExamination.ts"))

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for machines"), Flag.withDefault(false))

/** The command. */
export const doctor = Command.make(
  "doctor",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const { examine } = yield* examination
    const findings = yield* examine
    yield* Console.log(json ? DoctorReport.asJson(findings) : DoctorReport.asText(findings))
    const code = exitCode(findings)
    if (code !== 0) return yield* new Unwell({ code })
  })
).pipe(
  Command.withDescription(
    "Ask every source once and say what would be served and what is wrong; the exit code says it too"
  ),
  // What the log would say is in the findings.
  Command.provide(
    Layer.merge(Layer.succeed(Logger.LogToStderr, true), Layer.succeed(References.MinimumLogLevel, "Error"))
  )
)
