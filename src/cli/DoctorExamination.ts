// `doctor`'s examination: everything the service stands on is asked once, and what would be served and what is wrong is found.
import { DateTime, Effect, Layer } from "effect"
import * as DoctorBudget from "./DoctorBudget.ts"
import * as DoctorClock from "./DoctorClock.ts"
import * as DoctorEvidence from "./DoctorEvidence.ts"
import { exitCode, type Finding } from "./DoctorFindings.ts"
import { judgeSources } from "./DoctorJudgement.ts"
import * as DoctorMachine from "./DoctorMachine.ts"
import { judgeServed } from "./DoctorServed.ts"
import * as DoctorSources from "./DoctorSources.ts"
import * as Settings from "../node/Settings.ts"

/** The whole takes no longer than this, whatever happens. */
const PATIENCE = "29 seconds"

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
  const [{ probes, served }, evidence, state] = yield* Effect.all(
    [
      DoctorSources.probe.pipe(Effect.provide(DoctorSources.layerSources.pipe(Layer.provide(client)))),
      DoctorEvidence.probe.pipe(Effect.provide(DoctorEvidence.layerSources.pipe(Layer.provide(client)))),
      DoctorMachine.state
    ],
    { concurrency: "unbounded" }
  )
  const now = yield* DateTime.now
  return [
    ...state,
    clock.judge(),
    ...judgeSources(probes, now),
    ...DoctorEvidence.judgeSources(evidence, now),
    ...judgeServed(probes, served, now),
    DoctorEvidence.judgeServed(evidence)
  ]
}).pipe(Effect.provide(DoctorBudget.layer))

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
