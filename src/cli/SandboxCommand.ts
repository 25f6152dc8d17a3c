// `sandbox`. The simulated world is loaded when it is asked for.
import { Effect } from "effect"
import { Command } from "effect/cli"

/** The command. */
export const sandbox = Command.make("sandbox", {}, () =>
  // A file of our own that cannot be loaded is a broken installation.
  Effect.flatMap(
    Effect.promise(() => import("./SandboxWorld.ts")),
    ({ run }) => run
  )
).pipe(Command.withDescription("Serve a simulated world, with no network and no key"))
