// What `doctor` does: checks the settings, asks each source once, runs the services over what came, and looks at this machine.
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { env } from "node:process"
import * as DoctorClock from "./DoctorClock.ts"
import { exitCode, type Finding, findingIn } from "./DoctorFindings.ts"
import * as DoctorMachine from "./DoctorMachine.ts"
import * as DoctorServed from "./DoctorServed.ts"
import { judgeExchanges } from "./DoctorExchanges.ts"
import * as DoctorSources from "./DoctorSources.ts"
import type { Venue } from "../domain/P2pRate.ts"
import * as RedisReplicas from "../persistence/RedisReplicas.ts"
import { alone, Replicas } from "../sources/dataset/Replicas.ts"
import * as Judgements from "../services/judge/Judgements.ts"
import { layerAllSources } from "../sources/Sources.ts"
import * as Settings from "../node/Settings.ts"
import * as SettingsCheck from "../node/SettingsCheck.ts"
import { linkTo } from "../node/StateLayers.ts"

const PATIENCE = "29 seconds"

const settingsFindings = Effect.match(SettingsCheck.check, {
  onSuccess: () => {
    const misspelt = SettingsCheck.misspelt(Object.keys(env))
    const finding = findingIn("settings", "settings")
    return misspelt.length === 0 ? [finding("ok", "all valid")] : misspelt.map((text) => finding("degraded", text))
  },
  onFailure: ({ userMessage = "" }) =>
    userMessage
      .split("\n")
      .slice(1)
      .map((line) => {
        const [name = "", ...rest] = line.trim().split(" ")
        return findingIn("settings", name)("failing", `${rest.join(" ")} The service does not start`)
      })
})

/**
 * With REDIS_URL the doctor's calls are taken from the budgets that running services share through it, so that they never exceed
 * what a source allows. Leases and snapshots are not shared: the doctor asks every source itself.
 */
const layerBudget = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* Settings.access.redisUrl
    if (Option.isNone(url)) return Layer.empty
    const replicas = Effect.map(RedisReplicas.make, ({ budget }) => ({ ...alone, budget }))
    return Layer.provide(Layer.effect(Replicas, replicas), linkTo(url.value))
  })
)

const examineRest = Effect.gen(function* () {
  const clock = yield* DoctorClock.make
  const memoMap = yield* Layer.makeMemoMap
  const scope = yield* Effect.scope
  // The sources go first, so that each data set is fetched once; the services then use the same snapshots.
  const examineSources = Effect.gen(function* () {
    const { passedOverOf } = yield* Judgements.Judgements
    const sources = yield* Layer.buildWithMemoMap(layerAllSources, memoMap, scope)
    const fetched = yield* Effect.provideContext(DoctorSources.fetchAll, sources)
    const network = DoctorSources.judgeNetwork(fetched)
    const findings = (venueOf: (set: DoctorSources.FetchedDataSet) => Venue | undefined) =>
      Effect.map(DateTime.now, (now) =>
        fetched.map((set) => DoctorSources.judge(set, venueOf(set), now, passedOverOf(set.key), network.length > 0))
      )
    // Without a network the services would only wait.
    if (network.length > 0) return { network, sources: yield* findings(() => undefined), served: [] }
    const services = yield* Layer.buildWithMemoMap(DoctorServed.layer, memoMap, scope)
    const { served, venues } = yield* Effect.all({ served: DoctorServed.judge, venues: DoctorServed.venues }).pipe(
      Effect.provideContext(Context.merge(sources, services))
    )
    const venueOf = ({ market = "", source }: DoctorSources.FetchedDataSet) =>
      venues.get(market)?.find(({ venue }) => venue === source)
    return { network, sources: yield* findings(venueOf), served: [judgeExchanges(fetched), ...served] }
  }).pipe(Effect.provideService(FetchHttpClient.Fetch, clock.fetch), Effect.provide(Judgements.layer))
  const [{ network, served, sources }, state] = yield* Effect.all([examineSources, DoctorMachine.state], {
    concurrency: "unbounded"
  })
  return [...network, ...state, clock.judge(), ...sources, ...served]
}).pipe(Effect.scoped, Effect.provide(layerBudget))

/** All findings in the order of the page; with invalid settings, only those. */
export const run = Effect.gen(function* () {
  const settings = yield* settingsFindings
  if (exitCode(settings) !== 0) return settings
  const rest = yield* Effect.timeoutOrElse(examineRest, {
    duration: PATIENCE,
    orElse: () => Effect.succeed([findingIn("machine", "doctor")("failing", "did not finish within 29 s")])
  })
  const isFirst = ({ area }: Finding) => area === "network"
  return [...rest.filter(isFirst), ...settings, ...rest.filter((finding) => !isFirst(finding))]
})
