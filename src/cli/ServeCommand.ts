// `serve`: serves live data.
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Serve from "../node/Serve.ts"
import * as Settings from "../node/Settings.ts"
import { layerState } from "../node/StateLayers.ts"

export const serve = Command.make("serve", {}, () =>
  Effect.andThen(Settings.check, Serve.run("Live data", layerState))
).pipe(Command.withDescription("Serve live data on HOST and PORT"))
