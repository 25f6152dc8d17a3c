// `sandbox`: serves a simulated world. The simulation is imported when the command runs, which keeps the start of the
// other commands fast.
import { Effect } from "effect"
import { Command } from "effect/cli"

// The import of a file of this package fails only in a broken installation.
const run = Effect.flatMap(
  Effect.promise(() => import("./SandboxWorld.ts")),
  ({ run }) => run
)

export const sandbox = Command.make("sandbox", {}, () => run).pipe(
  Command.withDescription("Serve a simulated world, with no network and no key")
)
