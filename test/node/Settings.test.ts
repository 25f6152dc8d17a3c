import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Option } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Settings from "../../src/node/Settings.ts"
import { program } from "../Program.ts"

const check = (settings: Readonly<Record<string, string>>) =>
  Settings.check.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))

const complaint = (settings: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(check(settings)), (error) => ("userMessage" in error ? error.userMessage : String(error)))

/** Each wrong in its own way, with a value that must not be repeated. */
const wrong = {
  PORT: "70000-secret",
  LOG_LEVEL: "Loud-secret",
  LOG_FORMAT: "xml-secret",
  COINGECKO_PLAN: "platinum-secret",
  SOURCES_DISABLED: "LUNO,NOBODY-secret",
  CBN_BASE_URL: "ftp://secret.example",
  LUNO_BASE_URL: "secret"
}

/** The real process with these settings and nothing else in its environment; its exit code and all it wrote. */
const started = (settings: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    // oxlint-disable-next-line no-restricted-globals -- the path to this very node
    const child = spawn(process.execPath, [program, "serve"], {
      cwd: new URL("../..", import.meta.url),
      env: { ...settings },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
    const [code]: ReadonlyArray<unknown> = await once(child, "close")
    return { code, output }
  })

describe("settings", () => {
  it.effect("none at all are fine", () => check({}))

  it.effect("those of each plan are fine with a key", () =>
    Effect.forEach(["demo", "pro"], (plan) => check({ COINGECKO_PLAN: plan, COINGECKO_API_KEY: "k" }))
  )

  it.effect("all that are wrong are reported together, a line each, and no value is repeated", () =>
    Effect.gen(function* () {
      const text = yield* complaint(wrong)
      const lines = text.split("\n").slice(1)
      assert.deepStrictEqual(
        lines.map((line) => line.trim().split(" ")[0]).sort(),
        // Without a plan it is not known whether a key is needed.
        [...Object.keys(wrong), "COINGECKO_API_KEY"].sort()
      )
      for (const line of lines) assert.match(line, /^ {2}[A-Z0-9_]+ must .*\.$/)
      assert.notMatch(text, /secret/i)
    })
  )

  it.effect("any port will do, and 0 for one that is free; what is no port will not", () =>
    Effect.gen(function* () {
      for (const PORT of ["0", "1", "65535"]) yield* check({ PORT })
      for (const PORT of ["-1", "65536", "80.5", "http", "8e9"]) {
        assert.include(yield* complaint({ PORT }), "PORT must be a port number from 1 to 65535, or 0")
      }
    })
  )

  it.effect("LOG_LEVEL and LOG_FORMAT are read in any case of letters", () =>
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

  it.effect("samplers of traces are those of OpenTelemetry, with a share of one", () =>
    Effect.gen(function* () {
      yield* check({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" })
      const text = yield* complaint({ OTEL_TRACES_SAMPLER: "sometimes", OTEL_TRACES_SAMPLER_ARG: "25" })
      assert.include(text, "OTEL_TRACES_SAMPLER must be one of always_on, always_off")
      assert.include(text, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1")
    })
  )

  it.effect("a plan that needs a key is refused without one", () =>
    Effect.gen(function* () {
      assert.match(yield* complaint({ COINGECKO_PLAN: "pro" }), /COINGECKO_API_KEY must be set/)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(check({ COINGECKO_PLAN: "keyless" }))))
    })
  )

  it.effect("names of sources are read in any case and with hyphens; unknown ones are refused", () =>
    Effect.gen(function* () {
      yield* check({ SOURCES_DISABLED: "bybit-p2p, Luno" })
      assert.match(
        yield* complaint({ SOURCES_DISABLED: "binance" }),
        /SOURCES_DISABLED must be a comma-separated list of .*BYBIT_P2P/
      )
    })
  )

  it.live(
    "the process says so and ends with a failure before it listens",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* started(wrong)
        assert.strictEqual(code, 1)
        for (const name of Object.keys(wrong)) assert.include(output, name)
        assert.notMatch(output, /secret/i)
        assert.notMatch(output, /\bat .*\.ts:\d+/, "a stack trace")
      }),
    20_000
  )
})
