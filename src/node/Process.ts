// Runs a program as the Node process: provides the platform, interrupts the program on SIGINT and SIGTERM, sets the
// exit code.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Runtime } from "effect"

/** Runs the program. Exits with 0 when it succeeds or is asked to stop, else with the code of its failure. */
export const run = <E>(program: Effect.Effect<void, E, NodeServices.NodeServices>): void =>
  program.pipe(
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({
      // 130 is the default for an interrupted program.
      teardown: (exit, done) => Runtime.defaultTeardown(exit, (code) => done(code === 130 ? 0 : code))
    })
  )
