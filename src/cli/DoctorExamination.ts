// What `doctor` does: checks the settings, asks each source once, runs the services over what came, and looks at this machine.
import { Context, DateTime, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as DoctorBudget from "./DoctorBudget.ts"
import * as DoctorClock from "./DoctorClock.ts"
import { exitCode, type Finding } from "./DoctorFindings.ts"
import * as DoctorMachine from "./DoctorMachine.ts"
import * as DoctorServed from "./DoctorServed.ts"
import * as DoctorSources from "./DoctorSources.ts"
import { layerAllSources } from "../sources/Sources.ts"
import * as Settings from "../node/Settings.ts"

/** The longest that all of it takes. */
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
  const clock = yield* DoctorClock.make
  const memoMap = yield* Layer.makeMemoMap
  const scope = yield* Effect.scope
  // The sources first, so that each data set is asked once; the services, over the same sources, then find what they brought.
  const examineSources = Effect.gen(function* () {
    const sources = yield* Layer.buildWithMemoMap(layerAllSources, memoMap, scope)
    const asked = yield* Effect.provideContext(DoctorSources.ask, sources)
    const services = yield* Layer.buildWithMemoMap(DoctorServed.layer, memoMap, scope)
    const { served, venues } = yield* Effect.all({ served: DoctorServed.judge, venues: DoctorServed.venues }).pipe(
      Effect.provideContext(Context.merge(sources, services))
    )
    const now = yield* DateTime.now
    const venueOf = (source: string) => venues.find(({ venue }) => venue === source)
    return { sources: asked.map((one) => DoctorSources.judge(one, venueOf(one.source), now)), served }
  }).pipe(Effect.provideService(FetchHttpClient.Fetch, clock.fetch))
  const [{ served, sources }, state] = yield* Effect.all([examineSources, DoctorMachine.state], {
    concurrency: "unbounded"
  })
  return [...state, clock.judge(), ...sources, ...served]
}).pipe(Effect.scoped, Effect.provide(DoctorBudget.layer))

/** All findings in the order of the page; with invalid settings, only those. */
export const examine = Effect.gen(function* () {
  const settings = yield* settingsFindings
  if (exitCode(settings) !== 0) return settings
  const rest = yield* Effect.timeoutOrElse(examineRest, {
    duration: PATIENCE,
    orElse: () =>
      Effect.succeed<ReadonlyArray<Finding>>([
        { area: "machine", name: "doctor", level: "failing", text: "did not finish within 29 s" }
      ])
  })
  return [...settings, ...rest]
})
