// `doctor`: asks everything the service stands on once, and says what would be served and what is wrong. The exit code says it
// too: 0 all well, 1 something stands in for something else, 2 users would notice.
import { Console, Data, DateTime, Effect, Layer, Logger, References, Runtime } from "effect"
import { Command, Flag } from "effect/cli"
import * as DoctorClock from "./DoctorClock.ts"
import * as DoctorEvidence from "./DoctorEvidence.ts"
import { exitCode, type Finding } from "./DoctorFindings.ts"
import { judgeSources } from "./DoctorJudgement.ts"
import * as DoctorMachine from "./DoctorMachine.ts"
import * as DoctorReport from "./DoctorReport.ts"
import { judgeServed } from "./DoctorServed.ts"
import * as DoctorSources from "./DoctorSources.ts"
import * as Settings from "./Settings.ts"

/** The whole takes no longer than this, whatever happens. */
const PATIENCE = "29 seconds"

/** What was found was printed; this is what the exit code is read from. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly code: number }> {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = this.code
}

const settingsFindings = Effect.match(Settings.check, {
  onSuccess: (): ReadonlyArray<Finding> => [{ area: "settings", name: "settings", level: "ok", text: "all valid" }],
  onFailure: ({ userMessage = "" }): ReadonlyArray<Finding> =>
    userMessage
      .split("\n")
      .slice(1)
      .map((line) => {
        const [name = "", ...rest] = line.trim().split(" ")
        return { area: "settings", name, level: "failing", text: `${rest.join(" ")} The service does not start` }
      })
})

const examineRest = Effect.gen(function* () {
  const clock = DoctorClock.make()
  const client = DoctorSources.layerClient(clock.tap)
  const [{ probes, served }, evidence, state, model] = yield* Effect.all(
    [
      DoctorSources.probe.pipe(Effect.provide(DoctorSources.layerSources.pipe(Layer.provide(client)))),
      DoctorEvidence.probe.pipe(Effect.provide(DoctorEvidence.layerSources.pipe(Layer.provide(client)))),
      DoctorMachine.state,
      DoctorMachine.model
    ],
    { concurrency: "unbounded" }
  )
  const now = yield* DateTime.now
  return [
    ...state,
    clock.judge(),
    model,
    ...judgeSources(probes, now),
    ...DoctorEvidence.judgeSources(evidence, now),
    ...judgeServed(probes, served, now),
    DoctorEvidence.judgeServed(evidence)
  ]
})

/** Everything that is found, in the order of the page. With settings that are not valid there is nothing else to look at. */
export const examine = Effect.gen(function* () {
  const settings = yield* settingsFindings
  if (exitCode(settings) !== 0) return settings
  const rest = yield* Effect.timeoutOrElse(examineRest, {
    duration: PATIENCE,
    orElse: () =>
      Effect.succeed<ReadonlyArray<Finding>>([
        { area: "machine", name: "doctor", level: "failing", text: "did not come to an end within 29 s" }
      ])
  })
  return [...settings, ...rest]
})

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON for machines"), Flag.withDefault(false))

/** The command. */
export const doctor = Command.make(
  "doctor",
  { json },
  Effect.fnUntraced(function* ({ json }) {
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
