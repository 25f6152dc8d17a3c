import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Option } from "effect"
import { NodeServices } from "@effect/platform-node"
import { execFileSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isTrustedPeer } from "../../src/access/ClientAddress.ts"
import * as Settings from "../../src/node/Settings.ts"
import * as SettingsCheck from "../../src/node/SettingsCheck.ts"
import { maxAges } from "../../src/services/refresh/MaxAges.ts"
import { started } from "../cli/ServingProcess.ts"
import { temporaryFolder } from "../resources.ts"
import { settingNames, uncheckedByUs } from "../docs/settingNames.ts"
import { liveRule, rule } from "../rulesOf.ts"

const check = (settings: Readonly<Record<string, string>>) =>
  SettingsCheck.check.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))

const complaint = (settings: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(check(settings)), (error) => ("userMessage" in error ? error.userMessage : String(error)))

/** Those that can hold a secret contain "secret", which the report must not repeat. */
const wrong = {
  PORT: "70000-x",
  LOG_LEVEL: "Loud",
  LOG_FORMAT: "xml",
  COINGECKO_PLAN: "platinum",
  SOURCES_DISABLED: "LUNO,NOBODY",
  CBN_BASE_URL: "ftp://secret.example",
  LUNO_BASE_URL: "secret",
  DATABASE_URL: "secret",
  REDIS_URL: "redis://user:secret@host:port",
  NEWS_FEEDS: "https://example.com/feed,https://user:secret@example.com/feed",
  USER_AGENT: "two\nlines",
  OPERATOR_CONTACT: "ask secret"
}

const quotes: ReadonlyArray<readonly [name: string, value: string, quote: string]> = [
  ["PORT", "70000", '"70000"'],
  ["LOG_LEVEL", "Loud", '"Loud"'],
  ["P2P_MARKETS", "NGN,XYZ, kes,QQQ", '"XYZ", "QQQ"'],
  ["SOURCES_DISABLED", "LUNO,NOBODY", '"NOBODY"'],
  ["TRUSTED_PROXIES", "10.0.0.0/8, 10.0.0.1/8", '"10.0.0.1/8"'],
  ["MAX_AGE_FX", "59 seconds", '"59 seconds"'],
  ["USER_AGENT", "two\nlines", String.raw`"two\nlines"`],
  ["LOG_FORMAT", "x".repeat(100), `"${"x".repeat(60)}"`]
]

/** Settings, how the report of a fault goes on after "must", and what is accepted and refused. */
const rules: ReadonlyArray<
  readonly [name: string, must: string, accepts: ReadonlyArray<string>, refuses: ReadonlyArray<string>]
> = [
  ["PORT", "be a port number from 1 to 65535, or 0", ["0", "1", "65535"], ["-1", "65536", "80.5", "http", "8e9"]],
  ["METRICS_PORT", "be a port number from 1 to 65535, or 0", ["9464"], ["65536"]],
  ["PLAN_FREE", "be requests a minute", ["1", "1000000"], ["0", "1000001", "1.5", "60/min"]],
  ["ANONYMOUS", "be on or off", ["OFF"], ["no"]],
  ["SHUTDOWN_DELAY", "be a duration of at most 10 minutes", ["0 seconds", "20 seconds"], ["11 minutes", "-1 seconds"]],
  ["KEEP_ALIVE", "be a duration from 1 second to 1 hour", ["650 seconds"], ["900 millis", "2 hours", "650"]],
  ["REDIS_TIMEOUT", "be a duration from 15 milliseconds", ["1 second"], ["14 millis", "6 seconds"]],
  [
    "OPERATOR_CONTACT",
    "be an email address, or a URL",
    ["ops@example.com", "https://example.com/keys?a=b&c", "http://10.0.0.1:8080/"],
    [
      "ops",
      "ops@example",
      "@example.com",
      "ops@example.com, me@example.com",
      "javascript:alert(1)",
      "mailto:ops@example.com",
      "https://user:pass@example.com/",
      "https://example.com/a b",
      "//example.com"
    ]
  ],
  [
    "TRUSTED_PROXIES",
    "be a comma-separated list of at most 1000 networks",
    ["10.0.0.0/8, 2001:db8::1", "::ffff:10.0.0.5"],
    ["::ffff:10.0.0.0/104", "10.0.0.1/8", "proxy", Array.from({ length: 1001 }, () => "10.0.0.1").join()]
  ],
  [
    "COINGECKO_BASE_URL",
    "be an address that begins with http:// or https://, without a password",
    ["http://10.0.0.1:8080/v3"],
    ["https://user:pass@example.com/", "//example.com"]
  ],
  ["LOG_LEVEL", "be one of All, Trace, Debug", [], ["warning"]],
  ["LOG_FORMAT", "be pretty or json", [], ["jsonl"]],
  ["OTEL_TRACES_SAMPLER", "be one of always_on, always_off", ["parentbased_traceidratio"], ["sometimes"]],
  ["OTEL_TRACES_SAMPLER_ARG", "be a number from 0 to 1", ["0.25"], ["25"]],
  ["SOURCES_DISABLED", "be a comma-separated list of KRAKEN", ["bybit-p2p, Luno", "GDELT"], ["coinbase"]],
  [
    "REDIS_URL",
    "be the address of a Redis",
    ["redis://localhost", "rediss://user:pa%2Fss@[::1]:6379/2"],
    ["localhost:6379", "http://localhost", "redis://", "redis://localhost:6379x", "redis://localhost/first"]
  ],
  [
    "DATABASE_URL",
    "be the address of a PostgreSQL database",
    [
      "postgres://u:p%20w@db/name?sslmode=verify-full",
      "postgres://u@db/n?sslmode=verify-full&sslrootcert=system&connect_timeout=5&application_name=x",
      "postgresql:///name?host=/run/postgresql&user=u",
      "postgres://u@[::1]:1/n"
    ],
    [
      "mysql://u@db/n",
      "postgres://u@db/n?sslmode=on",
      "postgres://u@db/n?sslrootcert=/etc/ca.pem",
      "postgres://u@db/n?sslcert=/etc/client.pem",
      "postgres://u@db/n?sslkey=/etc/client.key",
      "postgres://u@db/n?connect_timeout=soon",
      "postgres://u@db:99999/n",
      "postgres://u@db:x/n"
    ]
  ],
  [
    "MAX_AGE_FX",
    "be a duration from a minute to 30 days",
    ["90 minutes"],
    ["soon", "0 seconds", "59 seconds", "-2 hours", "Infinity", "31 days"]
  ],
  ["RATE_LIMIT_MAX_KEYS", "be a whole number from 1000 to 10000000", ["10000000"], ["999", "10000001"]],
  [
    "NEWS_FEEDS",
    "be a comma-separated list of at most 50 feed addresses",
    ["https://example.com/feed"],
    [Array.from({ length: 51 }, (_, n) => `https://example.com/${n}`).join()]
  ]
]

describe("settings", () => {
  rule("that are invalid are reported together, one per line, without what can be a secret", function* () {
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

  it.effect.each(quotes)("that are invalid are quoted where they are wrong: %s=%j", ([name, value, quote]) =>
    Effect.gen(function* () {
      assert.isTrue((yield* complaint({ [name]: value })).endsWith(`; wrong: ${quote}.`))
    })
  )

  it.effect.each(rules)("accept as %s what it must %s", ([name, must, accepts, refuses]) =>
    Effect.gen(function* () {
      for (const value of accepts) yield* check({ [name]: value })
      for (const value of refuses) assert.include(yield* complaint({ [name]: value }), `\n  ${name} must ${must}`)
    })
  )

  rule("that are invalid are named as they are set", function* () {
    const free = new Set(["COINGECKO_API_KEY", ...uncheckedByUs])
    for (const name of (yield* settingNames).filter((name) => !free.has(name))) {
      const report = yield* complaint({ [name]: "so\nwrong" })
      assert.match(report, new RegExp(`\n  ${name} must `))
      // Each is quoted, but for those that can hold a secret.
      const isSecret = /_URL$|_ENDPOINT$|^NEWS_FEEDS$|^OPERATOR_CONTACT$/.test(name)
      assert.strictEqual(report.includes(String.raw`wrong: "so\nwrong"`), !isSecret, name)
    }
  })

  it.effect("of a file refuse with the place of each fault, or at once what is no file of a setting", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [pipe, large, faulty] = [join(folder, "pipe"), join(folder, "large"), join(folder, "markets.json")]
      execFileSync("mkfifo", [pipe])
      writeFileSync(large, "[".repeat(2_000_000))
      const market = { fiat: "UYU", order_size: 0, payments: [], venues: ["OKX"], order_books: [] }
      writeFileSync(faulty, JSON.stringify([market]))
      for (const [path, fault] of [
        [pipe, /it is not a regular file\./],
        [folder, /it is not a regular file\./],
        [large, /it has more than 1048576 bytes\./],
        [faulty, /market 1: order_size must [^;]*; market 1: venues must [^;]*; market 1: official must be "fx"/]
      ] as const) {
        const report = yield* complaint({ P2P_MARKETS_FILE: path, PORT: "x" })
        assert.match(report, new RegExp(`P2P_MARKETS_FILE must be a JSON file of P2P markets; wrong: ${fault.source}`))
        assert.notMatch(report, /P2P_MARKETS must/)
      }
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
  )

  rule("of a signing key refuse a file that others can use, and one without such a key", function* () {
    const path = join(yield* temporaryFolder, "signing.pem")
    const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" })
    writeFileSync(path, pem)
    for (const mode of [0o644, 0o640, 0o602, 0o604]) {
      chmodSync(path, mode)
      const must = "be a file with an Ed25519 private key in PEM (PKCS #8) that only its owner can read"
      const sentence = `${must}; wrong: others than its owner can use it: run chmod 600 ${path}.`
      assert.include(yield* complaint({ SIGNING_KEY_FILE: path }), `SIGNING_KEY_FILE must ${sentence}`)
    }
    chmodSync(path, 0o400)
    yield* check({ SIGNING_KEY_FILE: path })
    chmodSync(path, 0o600)
    writeFileSync(path, generateKeyPairSync("x25519").privateKey.export({ format: "pem", type: "pkcs8" }))
    assert.include(yield* complaint({ SIGNING_KEY_FILE: path }), "wrong: it has no such key.")
    assert.include(yield* complaint({ SIGNING_KEY_FILE: `${path}.old` }), `wrong: "${path.slice(0, 20)}`)
  })

  rule("are refused with what an env file leaves in them, which is shown unless it can be a secret", function* () {
    const slips: ReadonlyArray<readonly [before: string, after: string, must: string, shown: string]> = [
      ['"', '"', "have no quotes; Docker's --env-file keeps them", `"x"`],
      ["'", "'", "have no quotes; Docker's --env-file keeps them", `'x'`],
      ["", " # the x", "have no comment behind its value; Docker's --env-file keeps it", `"x # the x"`],
      ["", "\r", "have no carriage return; save the file with the line ends of Unix", String.raw`"x\r"`],
      [" ", "", "have no blanks around its value; Docker's --env-file keeps them", `" x"`],
      ["\u{feff}", "", "have no blanks around its value; Docker's --env-file keeps them", String.raw`"\ufeffx"`],
      ["", "\u{200b}x", "have no invisible characters", String.raw`"x\u200bx"`]
    ]
    const names = (yield* settingNames).filter((name) => !uncheckedByUs.includes(name))
    for (const [before, after, must, shown] of slips) {
      const report = yield* complaint(Object.fromEntries(names.map((name) => [name, `${before}x${after}`])))
      for (const name of names) {
        const isSecret = /_URL$|_KEY$|_ENDPOINT$|^NEWS_FEEDS$|^OPERATOR_CONTACT$/.test(name)
        assert.include(report, `\n  ${name} must ${must}${isSecret ? "" : `; wrong: ${shown}`}.`)
      }
    }
  })

  rule("with a password take it percent-encoded, and refuse it as it is with a sentence", function* () {
    for (const [name, scheme] of [
      ["REDIS_URL", "redis"],
      ["DATABASE_URL", "postgres"]
    ] as const) {
      for (const password of ["p@ss", "p#ss", "p%ss", "p/ss", "p?ss", "12/ss", "12?ss", "12#ss"]) {
        const [raw, encoded] = [password, encodeURIComponent(password)].map((text) => `${scheme}://u:${text}@db:1/1`)
        yield* check({ [name]: String(encoded) })
        const report = yield* complaint({ [name]: String(raw) })
        assert.include(report, `${name} must have its user and password percent-encoded: @ is %40`)
        assert.notInclude(report, password)
      }
    }
    for (const plain of ["redis://h", "redis://u:p@h/1?x=y", "unix:///run/a@b.sock"]) yield* check({ REDIS_URL: plain })
  })

  it("that are misspelled by one letter, or lack a word, are told, and names of other programs are not", () => {
    const others = ["PATH", "HOSTS", "POST", "NODE_OPTIONS", "REDIS_HOST", "DATABASE"]
    assert.deepStrictEqual(SettingsCheck.misspelt([...Object.keys(wrong), ...others]), [])
    for (const [written, meant] of [
      ["PLAN_FRE", "PLAN_FREE"],
      ["TRUSTED_PROXEIS", "TRUSTED_PROXIES"],
      ["BYBIT_P2P_BASE_URI", "BYBIT_P2P_BASE_URL"],
      ["COINGECKO_KEY", "COINGECKO_API_KEY"]
    ] as const) {
      const sentence = `${written} is not a setting and has no effect. Do you mean ${meant}?`
      assert.deepStrictEqual(SettingsCheck.misspelt([written]), [sentence])
    }
  })

  rule("read maximum ages as durations, and an IPv4-mapped address of a proxy as that of its peer", function* () {
    const settings = { MAX_AGE_NAIRA: "90 minutes", TRUSTED_PROXIES: "::ffff:10.0.0.5" }
    const provider = ConfigProvider.layer(ConfigProvider.fromUnknown(settings))
    const ages = yield* Effect.provide(Effect.all(maxAges), provider)
    assert.deepStrictEqual(Object.values(ages).map(Duration.toMinutes), [60, 360, 90, 7 * 1440, 7 * 1440])
    assert.isTrue(isTrustedPeer("::ffff:10.0.0.5", yield* Effect.provide(Settings.access.trustedProxies, provider)))
  })

  rule("accept LOG_LEVEL and LOG_FORMAT in any case of letters", function* () {
    const read = Effect.all([Settings.serving.logLevel, Settings.serving.logFormat])
    const levels = { info: "Info", DEBUG: "Debug", nOnE: "None", Warn: "Warn" } as const
    for (const [LOG_LEVEL, level] of Object.entries(levels)) {
      for (const [LOG_FORMAT, format] of Object.entries({ JSON: "json", Pretty: "pretty" } as const)) {
        yield* check({ LOG_LEVEL, LOG_FORMAT })
        const provider = ConfigProvider.layer(ConfigProvider.fromUnknown({ LOG_LEVEL, LOG_FORMAT }))
        assert.deepStrictEqual(yield* Effect.provide(read, provider), [level, Option.some(format)])
      }
    }
  })

  rule("are valid when none is set, and require a key for the CoinGecko plans that need one", function* () {
    yield* check({})
    for (const COINGECKO_PLAN of ["demo", "pro"]) yield* check({ COINGECKO_PLAN, COINGECKO_API_KEY: "k" })
    // A header cannot hold the end of a line that came along when the key was copied.
    for (const key of [{}, { COINGECKO_API_KEY: "CG-key\n" }]) {
      const report = yield* complaint({ COINGECKO_PLAN: "pro", ...key })
      assert.match(report, /COINGECKO_API_KEY must (be set|have no blanks)/)
    }
    yield* check({ COINGECKO_PLAN: "keyless" })
  })

  liveRule("that are invalid end the process before it listens, with exit code 78 and no stack trace", function* () {
    const { ended, written } = yield* started(["serve"], wrong)
    assert.deepStrictEqual(yield* ended, { code: 78, signal: null })
    const output = written.stdout + written.stderr
    for (const name of Object.keys(wrong)) assert.include(output, name)
    assert.notMatch(output, /secret/i)
    assert.notMatch(output, /\bat .*\.ts:\d+/, "a stack trace")
  })
})
