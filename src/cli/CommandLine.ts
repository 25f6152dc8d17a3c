// Runs the command line of the process. What a command alone needs is imported when it runs, which keeps the start of the others
// fast.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Runtime } from "effect"
import { CliOutput, Command } from "effect/cli"
import Process from "node:process"
import { VERSION } from "../domain/version.ts"
import * as DataFolder from "../node/DataFolder.ts"
import * as Logging from "../node/Logging.ts"
import * as Serve from "../node/Serve.ts"
import * as SettingsCheck from "../node/SettingsCheck.ts"
import { layerState } from "../node/StateLayers.ts"
import { imported } from "./CommandOutput.ts"
import { doctor } from "./DoctorCommand.ts"
import { history } from "./HistoryCommand.ts"
import { keys } from "./KeysCommand.ts"
import { hasServed, server } from "./untilStopped.ts"
import { value } from "./ValueCommand.ts"
import { verify } from "./VerifyCommand.ts"
import { watch } from "./WatchCommand.ts"

// Runs as the only server over `DATA_DIR`.
const serving = () =>
  server(
    SettingsCheck.check.pipe(
      Effect.andThen(Effect.provide(DataFolder.claim, Logging.layer)),
      Effect.andThen(Serve.run("Serving live data", layerState)),
      Effect.scoped
    )
  )

const serve = Command.make("serve", {}, serving).pipe(Command.withDescription("Serve live data on HOST and PORT"))

const sandbox = Command.make("sandbox", {}, () => server(imported(() => import("./SandboxWorld.ts")))).pipe(
  Command.withDescription("Serve simulated data, without a network; nothing is saved, and API keys are only read")
)

const command = Command.make("crypto-data-api", {}, serving).pipe(
  Command.withDescription(
    "A self-hosted JSON API for crypto prices, exchange rates and conversion. Without a command it serves live data"
  ),
  Command.withSubcommands([serve, sandbox, keys, history, value, verify, watch, doctor])
)

// The default writes the help to standard output, where `KEY=$(… keys create)` would take it for the key.
const layerPresenter = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const errors = CliOutput.defaultFormatter({ colors: false }).formatErrors(event.errors)
    return Console.error(`${errors}\n\nSee: ${event.commandPath.join(" ")} --help`)
  }
})

// `runMain` listens to signals until the program has ended. Node writes its compile cache after that, and a signal without a
// listener would end the process there.
const signals = ["SIGINT", "SIGTERM"] as const
const ignore = () => {}
for (const signal of signals) Process.on(signal, ignore)

// Who reads the output may close it, as `head` does. That ends a command, with the code of SIGPIPE; a server goes on without its log.
for (const stream of [Process.stdout, Process.stderr]) {
  stream.on("error", () => {
    if (!hasServed()) Process.exit(141)
  })
}

// Exits with 0 when the command succeeds or a server or `watch` is asked to stop, whatever signals follow, else with the code of its failure.
Command.run(command, { version: VERSION }).pipe(
  Effect.provide(layerPresenter),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain({
    teardown: (exit, done) =>
      Runtime.defaultTeardown(exit, (code) => {
        // 130 is the default for an interrupted program.
        const wasAsked = hasServed() && code === 130
        if (!wasAsked) for (const signal of signals) Process.off(signal, ignore)
        done(wasAsked ? 0 : code)
      })
  })
)
