// `doctor`: asks every source once, runs the services over what came, and prints what would be served and what is wrong. The exit
// code is 0 when all is well, 1 when a fallback serves, 2 when users would notice. The examination is imported when the command runs,
// which keeps the start of the other commands fast.
import { Console, Data, Effect, Layer, Logger, References, Runtime } from "effect"
import { Command } from "effect/cli"
import { json } from "./CommandOutput.ts"
import { exitCode } from "./DoctorFindings.ts"
import * as DoctorReport from "./DoctorReport.ts"

/** Ends the process with the exit code of findings that were printed already. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly code: number }> {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = this.code
}

// The import of a file of this package fails only in a broken installation.
const examination = Effect.promise(() => import("./DoctorExamination.ts"))

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
  // The findings say what the log would say.
  Command.provide(
    Layer.merge(Layer.succeed(Logger.LogToStderr, true), Layer.succeed(References.MinimumLogLevel, "Error"))
  )
)
