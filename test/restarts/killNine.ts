// `node test/restarts/killNine.ts ROUNDS` (500 unless given): see Rounds.ts. Says what the rounds came to, and fails with the first
// thing that is not as it must be.
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { argv } from "node:process"
import { layerWorld } from "../cli/ServingProcess.ts"
import * as Rounds from "./Rounds.ts"

Rounds.run(Number(argv[2] ?? 500)).pipe(
  Effect.timed,
  Effect.flatMap(([duration, tally]) => Effect.logInfo(String(duration), tally)),
  Effect.scoped,
  Effect.provide(layerWorld),
  NodeRuntime.runMain
)
