// Commands that run until they are told to stop, and then succeed.
import { Effect } from "effect"
import Process from "node:process"

let isServer = false

/** Whether the process ran such a command. */
export const hasServed = (): boolean => isServer

const parent = Process.ppid

/** Ends when the npm that started this process is gone. The shell between them passes no signals on. */
const orphaned =
  Process.env["npm_command"] === undefined
    ? Effect.never
    : Effect.repeat(
        Effect.delay(
          Effect.sync(() => Process.ppid),
          "1 second"
        ),
        { until: (now) => now !== parent }
      )

/** A command that runs until it is told to stop, and then succeeds. */
export const server = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    isServer = true
    return Effect.raceFirst(run, orphaned)
  })
