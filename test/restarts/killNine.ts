// `node test/restarts/killNine.ts ROUNDS [redis] [dist]` (500 unless given; over files unless said; what is built instead of the
// sources): see Rounds.ts. Says what the rounds came to, and fails with the first thing that is not as it must be.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { argv } from "node:process"
import { layerWorld, Program } from "../cli/ServingProcess.ts"
import * as Kept from "./Kept.ts"
import * as Rounds from "./Rounds.ts"

Rounds.run(Number(argv[2] ?? 500), argv.includes("redis") ? Kept.inRedis : Kept.inFiles).pipe(
  Effect.timed,
  Effect.flatMap(([duration, tally]) => Effect.logInfo(String(duration), tally)),
  Effect.scoped,
  Effect.provide(layerWorld),
  Effect.provideService(Program, argv.includes("dist") ? "dist/main.js" : "src/main.ts"),
  NodeRuntime.runMain
)
