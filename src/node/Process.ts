// Runs a program as the Node process: provides the platform, interrupts the program on SIGINT and SIGTERM, sets the
// exit code.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Effect, Runtime } from "effect"
import Process from "node:process"

const signals = ["SIGINT", "SIGTERM"] as const

const ignore = () => {}

/**
 * Runs the program. Exits with 0 when it succeeds or is asked to stop, whatever signals follow, else with the code of its
 * failure.
 */
export const run = <E>(program: Effect.Effect<void, E, NodeServices.NodeServices>): void => {
  // `runMain` listens until the program has ended. Node writes its compile cache after that, and a signal without a
  // listener would end the process there.
  for (const signal of signals) Process.on(signal, ignore)
  program.pipe(
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({
      teardown: (exit, done) =>
        Runtime.defaultTeardown(exit, (code) => {
          // 130 is the default for an interrupted program.
          const wasAsked = code === 130
          if (!wasAsked) for (const signal of signals) Process.off(signal, ignore)
          done(wasAsked ? 0 : code)
        })
    })
  )
}
