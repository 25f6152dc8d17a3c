// `node test/hostile/besiege.ts`: the whole of Siege.ts, and what it came to.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { layerWorld } from "../cli/ServingProcess.ts"
import * as Siege from "./Siege.ts"

Siege.run(Siege.whole).pipe(
  Effect.flatMap((result) => Effect.logInfo(JSON.stringify(result, undefined, 1))),
  Effect.scoped,
  Effect.provide(layerWorld),
  NodeRuntime.runMain
)
