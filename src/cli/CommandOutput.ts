// What commands have in common: the result alone on standard output, and a sentence for what the user did wrong.
import { Layer, Logger, References } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import * as Settings from "../node/Settings.ts"

/** Ends the command with this sentence. */
export const userError = (userMessage: string) => new CliError.UserError({ cause: new Error(userMessage), userMessage })

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/** Checks the settings first, and logs only warnings, to standard error. */
export const withResultAlone = <Name extends string, Input, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) =>
  command.pipe(
    Command.provide(
      Layer.merge(Layer.succeed(Logger.LogToStderr, true), Layer.succeed(References.MinimumLogLevel, "Warn"))
    ),
    Command.provideEffectDiscard(Settings.check)
  )
