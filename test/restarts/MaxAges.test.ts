import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import * as Settings from "../../src/node/Settings.ts"
import { maxAges } from "../../src/services/refresh/MaxAges.ts"

const withSettings = (settings: Readonly<Record<string, string>>) =>
  Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))

describe("maximum ages", () => {
  it.effect("have defaults, and are read as durations", () =>
    Effect.gen(function* () {
      const ages = yield* Effect.all(maxAges).pipe(withSettings({ MAX_AGE_NAIRA: "90 minutes" }))
      assert.deepStrictEqual(Object.values(ages).map(Duration.toMinutes), [60, 360, 90, 7 * 1440, 7 * 1440])
    })
  )

  it.effect("are refused, by name and without the value, when they are no durations of at least a minute", () =>
    Effect.forEach(["soon", "0 seconds", "59 seconds", "-2 hours", "Infinity"], (text) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(Settings.check.pipe(withSettings({ MAX_AGE_FX: text })))
        assert.match(failure.userMessage ?? "", /\n {2}MAX_AGE_FX must be a duration of at least a minute/)
      })
    )
  )
})
