import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Option } from "effect"
import * as Settings from "../../src/node/Settings.ts"
import { started } from "../cli/ServingProcess.ts"

const check = (settings: Readonly<Record<string, string>>) =>
  Settings.check.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))

const complaint = (settings: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(check(settings)), (error) => ("userMessage" in error ? error.userMessage : String(error)))

/** Invalid settings; every value contains "secret", which the report must not repeat. */
const wrong = {
  PORT: "70000-secret",
  LOG_LEVEL: "Loud-secret",
  LOG_FORMAT: "xml-secret",
  COINGECKO_PLAN: "platinum-secret",
  SOURCES_DISABLED: "LUNO,NOBODY-secret",
  CBN_BASE_URL: "ftp://secret.example",
  LUNO_BASE_URL: "secret",
  USER_AGENT: "two\nlines-secret",
  OPERATOR_CONTACT: "ask secret"
}

describe("settings", () => {
  it.effect("are valid when none is set", () => check({}))

  it.effect("of each CoinGecko plan are valid with a key", () =>
    Effect.forEach(["demo", "pro"], (plan) => check({ COINGECKO_PLAN: plan, COINGECKO_API_KEY: "k" }))
  )

  it.effect("that are invalid are reported together, one per line, without their values", () =>
    Effect.gen(function* () {
      const text = yield* complaint(wrong)
      const lines = text.split("\n").slice(1)
      assert.deepStrictEqual(
        lines.map((line) => line.trim().split(" ")[0]).sort(),
        // Whether a key is needed depends on the plan, which is invalid.
        [...Object.keys(wrong), "COINGECKO_API_KEY"].sort()
      )
      for (const line of lines) assert.match(line, /^ {2}[A-Z0-9_]+ must .*\.$/)
      assert.notMatch(text, /secret/i)
    })
  )

  it.effect("accept as PORT a port number or 0", () =>
    Effect.gen(function* () {
      for (const PORT of ["0", "1", "65535"]) yield* check({ PORT })
      for (const PORT of ["-1", "65536", "80.5", "http", "8e9"]) {
        assert.include(yield* complaint({ PORT }), "PORT must be a port number from 1 to 65535, or 0")
      }
    })
  )

  it.effect("accept as OPERATOR_CONTACT an email address or a web address without a password", () =>
    Effect.gen(function* () {
      for (const OPERATOR_CONTACT of ["ops@example.com", "https://example.com/keys?a=b&c", "http://10.0.0.1:8080/"]) {
        yield* check({ OPERATOR_CONTACT })
      }
      for (const OPERATOR_CONTACT of [
        "ops",
        "ops@example",
        "@example.com",
        "ops@example.com, me@example.com",
        "javascript:alert(1)",
        "mailto:ops@example.com",
        "https://user:pass@example.com/",
        "https://example.com/a b",
        "//example.com"
      ]) {
        assert.include(yield* complaint({ OPERATOR_CONTACT }), "OPERATOR_CONTACT must be an email address, or a URL")
      }
    })
  )

  it.effect("accept LOG_LEVEL and LOG_FORMAT in any case of letters", () =>
    Effect.gen(function* () {
      const read = Effect.all([Settings.serving.logLevel, Settings.serving.logFormat])
      for (const [LOG_LEVEL, level] of [
        ["info", "Info"],
        ["DEBUG", "Debug"],
        ["nOnE", "None"],
        ["Warn", "Warn"]
      ] as const) {
        for (const [LOG_FORMAT, format] of [
          ["JSON", "json"],
          ["Pretty", "pretty"]
        ] as const) {
          const settings = { LOG_LEVEL, LOG_FORMAT }
          yield* check(settings)
          const provider = ConfigProvider.layer(ConfigProvider.fromUnknown(settings))
          assert.deepStrictEqual(yield* Effect.provide(read, provider), [level, Option.some(format)])
        }
      }
      assert.include(yield* complaint({ LOG_LEVEL: "warning" }), "LOG_LEVEL must be one of All, Trace, Debug")
      assert.include(yield* complaint({ LOG_FORMAT: "jsonl" }), "LOG_FORMAT must be pretty or json")
    })
  )

  it.effect("accept the samplers of OpenTelemetry and a ratio from 0 to 1", () =>
    Effect.gen(function* () {
      yield* check({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" })
      const text = yield* complaint({ OTEL_TRACES_SAMPLER: "sometimes", OTEL_TRACES_SAMPLER_ARG: "25" })
      assert.include(text, "OTEL_TRACES_SAMPLER must be one of always_on, always_off")
      assert.include(text, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1")
    })
  )

  it.effect("require a key for the CoinGecko plans that need one", () =>
    Effect.gen(function* () {
      assert.match(yield* complaint({ COINGECKO_PLAN: "pro" }), /COINGECKO_API_KEY must be set/)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(check({ COINGECKO_PLAN: "keyless" }))))
    })
  )

  it.effect("accept names of sources in any case and with hyphens, and no unknown ones", () =>
    Effect.gen(function* () {
      yield* check({ SOURCES_DISABLED: "bybit-p2p, Luno" })
      assert.match(
        yield* complaint({ SOURCES_DISABLED: "binance" }),
        /SOURCES_DISABLED must be a comma-separated list of .*BYBIT_P2P/
      )
    })
  )

  it.live(
    "that are invalid end the process before it listens, with exit code 78 and no stack trace",
    () =>
      Effect.gen(function* () {
        const { ended, written } = yield* started(["serve"], wrong)
        assert.deepStrictEqual(yield* ended, { code: 78, signal: null })
        const output = written.stdout + written.stderr
        for (const name of Object.keys(wrong)) assert.include(output, name)
        assert.notMatch(output, /secret/i)
        assert.notMatch(output, /\bat .*\.ts:\d+/, "a stack trace")
      }).pipe(Effect.scoped),
    20_000
  )
})
