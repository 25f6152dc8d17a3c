// What commands have in common: the result alone on standard output, and a sentence for what the user did wrong.
import { Effect, Layer, Logger, type LogLevel, References, Schema } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import * as SettingsCheck from "../node/SettingsCheck.ts"

/** Runs what a file exports. The import of a file of this package fails only in a broken installation. */
export const imported = <A, E, R>(load: () => Promise<{ readonly run: Effect.Effect<A, E, R> }>) =>
  Effect.flatMap(Effect.promise(load), ({ run }) => run)

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/** A flag's value as a schema reads it. `expected`: which forms are right, for who wrote another one. */
export const readBy =
  <Value, Written>(option: string, schema: Schema.Codec<Value, Written>, expected: string) =>
  (flag: Flag.Flag<Written>): Flag.Flag<Value> =>
    Flag.mapEffect(flag, (written) =>
      Effect.mapError(
        Schema.decodeEffect(schema)(written),
        () => new CliError.InvalidValue({ option, value: String(written), expected, kind: "flag" })
      )
    )

/** Logs to standard error only. */
export const layerErrorLog = (level: LogLevel.LogLevel) =>
  Layer.merge(Layer.succeed(Logger.LogToStderr, true), Layer.succeed(References.MinimumLogLevel, level))

/** Checks the settings first, and logs only warnings, to standard error. */
export const withResultAlone = <Name extends string, Input, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => command.pipe(Command.provide(layerErrorLog("Warn")), Command.provideEffectDiscard(SettingsCheck.check))
