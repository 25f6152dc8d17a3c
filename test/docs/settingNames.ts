// The names of all settings, as the service reads them at its start.
import { ConfigProvider, Effect } from "effect"
import * as SettingsCheck from "../../src/node/SettingsCheck.ts"

/** Read where Effect's exporters are made: nothing to check at the start. */
export const uncheckedByUs = ["OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_HEADERS"]

/** The names. */
export const settingNames: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const names = new Set(uncheckedByUs)
  const recorder = ConfigProvider.make((path) => {
    names.add(String(path[0]))
    return Effect.undefined
  })
  yield* Effect.ignore(SettingsCheck.check.pipe(Effect.provide(ConfigProvider.layer(recorder))))
  return [...names]
})
