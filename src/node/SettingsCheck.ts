// The check of all settings before the start. It reports every fault at once and quotes the part of a value that is wrong, unless the
// setting can hold a secret.
import { Config, ConfigProvider, Effect, Option, Redacted, Schema } from "effect"
import { planNames } from "../access/Plan.ts"
import { builtInMarkets } from "../domain/P2pMarket.ts"
import { LONGEST_WORD, spelledLike } from "../domain/spelledLike.ts"
import { webUrl } from "../domain/webUrl.ts"
import { measuredCoins, MOST_MEASURED } from "../services/CoinGauges.ts"
import { maxAges } from "../services/refresh/MaxAges.ts"
import { sourceCatalog } from "../sources/catalog/SourceCatalog.ts"
import { namedMarkets } from "../sources/p2p/followedMarkets.ts"
import { FaultyFile } from "../sources/client/settingFile.ts"
import { ownMarkets } from "../sources/p2p/marketsFile.ts"
import { disabledSources, userAgent } from "../sources/client/SourceSettings.ts"
import * as CoinGeckoPlan from "../sources/market/CoinGeckoPlan.ts"
import { feedUrls, MOST_FEEDS } from "../sources/news/NewsFeeds.ts"
import {
  access,
  exporters,
  history,
  limitOf,
  MOST_PROXIES,
  operatorContact,
  plans,
  publicUrl,
  ratio,
  sampler,
  SAMPLERS,
  serving,
  signer,
  SIGNALS,
  times
} from "./Settings.ts"
import { shown, slipIn, slipInAddress } from "./settingSlips.ts"
import { StartError } from "./StartError.ts"

/** How a setting is read, and how the report of a fault continues after "NAME must". */
type Rule = readonly [read: Effect.Effect<unknown, unknown>, must: string]

/** `fetch` sends nothing to an address with a password. */
const WebAddress = Schema.String.check(Schema.makeFilter((text: string) => webUrl(text) !== null))

const webAddress = (
  name: string,
  must = "be an address that begins with http:// or https://, without a password"
): Rule => [Config.schema(WebAddress, name).pipe(Config.option), must]

const wholeNumber = (name: string): Rule => [Config.Int(name).pipe(Config.option), "be a whole number"]

const rulesOf = (names: ReadonlyArray<string>, ruleOf: (name: string) => Rule): Readonly<Record<string, Rule>> =>
  Object.fromEntries(names.map((name) => [name, ruleOf(name)]))

// `NEWS_FEEDS` means all feeds together.
const sourceNames = new Set([...sourceCatalog.map(({ id }) => id), "NEWS_FEEDS"])

/** Sources of earlier versions: a setting that still switches one off stops no start. */
const retired: ReadonlySet<string> = new Set(["COINLORE", "GDELT"])

const rules: Readonly<Record<string, Rule>> = {
  HOST: [serving.host, "be an address to listen on, such as 0.0.0.0"],
  PORT: [serving.port, "be a port number from 1 to 65535, or 0 for any free port"],
  METRICS_PORT: [serving.metricsPort, "be a port number from 1 to 65535, or 0 for any free port"],
  METRICS_COINS: [
    measuredCoins,
    `be a comma-separated list of at most ${MOST_MEASURED} ids of coins, such as bitcoin,tether`
  ],
  LOG_LEVEL: [serving.logLevel, "be one of All, Trace, Debug, Info, Warn, Error, Fatal, None"],
  LOG_FORMAT: [serving.logFormat, "be pretty or json"],
  LOG_REQUESTS: [serving.logRequests, "be true or false"],
  ...Object.fromEntries(
    SIGNALS.map((signal): [string, Rule] => [
      `OTEL_${signal}_EXPORTER`,
      [
        Effect.filterOrFail(exporters(signal), (names) => names.every((name) => name === "otlp" || name === "none")),
        "be otlp or none"
      ]
    ])
  ),
  ...rulesOf(
    ["", ...SIGNALS.map((signal) => `${signal}_`)].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`),
    webAddress
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(Config.option),
    "be http/json or http/protobuf"
  ],
  OTEL_SDK_DISABLED: [Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.option), "be true or false"],
  ...rulesOf(
    [
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      "OTEL_BSP_SCHEDULE_DELAY",
      "OTEL_BSP_EXPORT_TIMEOUT",
      "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
      "OTEL_METRIC_EXPORT_INTERVAL",
      "OTEL_METRIC_EXPORT_TIMEOUT"
    ],
    wholeNumber
  ),
  OTEL_TRACES_SAMPLER: [sampler, `be one of ${SAMPLERS.join(", ")}`],
  OTEL_TRACES_SAMPLER_ARG: [ratio, "be a number from 0 to 1"],
  DATA_DIR: [access.dataDir, "be a folder"],
  REDIS_URL: [
    access.redisUrl,
    "be the address of a Redis, such as redis://user:password@host:6379/0, rediss:// for TLS, or unix:///run/redis.sock"
  ],
  HISTORY: [history.isOn, "be on or off"],
  DATABASE_URL: [
    history.databaseUrl,
    "be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database. It cannot name files of " +
      "certificates (sslrootcert, sslcert, sslkey): set NODE_EXTRA_CA_CERTS to the file of your authority"
  ],
  ...Object.fromEntries(
    planNames.map((plan): [string, Rule] => [
      `PLAN_${plan.toUpperCase()}`,
      [limitOf(plan), "be requests a minute, a whole number from 1 to 1000000"]
    ])
  ),
  SHUTDOWN_DELAY: [times.shutdownDelay, "be a duration of at most 10 minutes, such as 20 seconds"],
  KEEP_ALIVE: [times.keepAlive, "be a duration from 1 second to 1 hour, such as 650 seconds"],
  REDIS_TIMEOUT: [times.redisTimeout, "be a duration from 15 milliseconds to 5 seconds, such as 200 millis"],
  ANONYMOUS: [plans.servesAnonymous, "be on or off"],
  RATE_LIMIT_MAX_KEYS: [access.maxKeys, "be a whole number from 1000 to 10000000"],
  TRUSTED_PROXIES: [
    access.trustedProxies,
    `be a comma-separated list of at most ${MOST_PROXIES} networks such as 10.0.0.0/8 or 2001:db8::/32, or of single addresses`
  ],
  COINGECKO_PLAN: [CoinGeckoPlan.plan, "be keyless, demo or pro"],
  COINGECKO_API_KEY: [
    Effect.filterOrFail(
      Effect.all([CoinGeckoPlan.plan, CoinGeckoPlan.key]),
      ([plan, key]) => plan === "keyless" || Option.exists(key, (secret) => /^[!-~]+$/.test(Redacted.value(secret)))
    ),
    "be set when COINGECKO_PLAN is demo or pro, in printable ASCII characters without spaces"
  ],
  SOURCES_DISABLED: [
    Effect.filterOrFail(disabledSources, (names) =>
      [...names].every((name) => sourceNames.has(name) || retired.has(name))
    ),
    `be a comma-separated list of ${[...sourceNames].join(", ")}`
  ],
  P2P_MARKETS: [
    namedMarkets,
    `be a comma-separated list of ${[...builtInMarkets.keys()].join(", ")}; those of P2P_MARKETS_FILE are always followed`
  ],
  P2P_MARKETS_FILE: [ownMarkets, "be a JSON file of P2P markets"],
  ...Object.fromEntries(
    Object.entries(maxAges).map(([question, read]): [string, Rule] => [
      `MAX_AGE_${question.toUpperCase()}`,
      [read, "be a duration from a minute to 30 days, such as 90 minutes or 2 hours"]
    ])
  ),
  OPERATOR_CONTACT: [
    operatorContact,
    "be an email address, or a URL that begins with http:// or https:// and contains no password"
  ],
  SIGNING_KEY_FILE: [signer, "be a file with an Ed25519 private key in PEM (PKCS #8) that only its owner can read"],
  PUBLIC_URL: [
    publicUrl,
    "be the address of this service as callers see it, beginning with http:// or https://, without a password or a query"
  ],
  USER_AGENT: [userAgent, "be 1 to 300 printable ASCII characters"],
  NEWS_FEEDS: [
    feedUrls,
    `be a comma-separated list of at most ${MOST_FEEDS} feed addresses that begin with http:// or https:// and contain no password`
  ],
  ...rulesOf(
    sourceCatalog.map(({ id }) => `${id}_BASE_URL`),
    webAddress
  )
}

/** Settings that can hold a password or a key: credentials of an address, a token in its query, a key itself. */
const canHoldSecret = (name: string): boolean => /_URL$|_KEY$|_ENDPOINT$|^NEWS_FEEDS$|^OPERATOR_CONTACT$/.test(name)

/** The most parts that are quoted of one setting. */
const MOST_QUOTED = 5

const textOf = (name: string) => Effect.orElseSucceed(Config.String(name), () => "")

/** The parts of a list, or the whole value, that the rule does not accept. Empty for what cannot be quoted. */
const wrongParts = Effect.fnUntraced(function* (name: string, [read]: Rule) {
  const value = yield* textOf(name)
  if (value === "" || canHoldSecret(name)) return []
  const fails = (part: string) =>
    Effect.isFailure(read).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ [name]: part }))
    )
  const parts = value.split(",").map((part) => part.trim())
  const wrong = parts.length === 1 ? parts : yield* Effect.filter(parts, fails)
  return (wrong.length === 0 ? [value] : wrong).slice(0, MOST_QUOTED)
})

/** The faults that a failure lists, each with its place in a file. */
const faultsOf = (failure: unknown): ReadonlyArray<string> =>
  failure instanceof Config.ConfigError && failure.cause instanceof FaultyFile ? [failure.cause.message] : []

/** Addresses that may have a password, which people paste as it is. */
const withPassword: ReadonlySet<string> = new Set(["REDIS_URL", "DATABASE_URL"])

/** The fault of a setting, in words; `undefined` for a valid one. */
const faultIn = Effect.fnUntraced(function* ([name, rule]: readonly [string, Rule]) {
  const value = yield* textOf(name)
  const slip = slipIn(value) ?? (withPassword.has(name) ? slipInAddress(value) : undefined)
  if (slip !== undefined) return { name, must: slip, wrong: canHoldSecret(name) ? [] : [shown(value)] }
  const faults = yield* Effect.match(rule[0], { onFailure: faultsOf, onSuccess: () => undefined })
  if (faults === undefined) return undefined
  return { name, must: rule[1], wrong: faults.length > 0 ? faults : (yield* wrongParts(name, rule)).map(shown) }
})

/** Reads every setting. Fails with one error that lists all faults, one per line. */
export const check: Effect.Effect<void, StartError> = Effect.gen(function* () {
  const found = yield* Effect.forEach(Object.entries(rules), faultIn)
  const faults = found.flatMap((fault) => {
    if (fault === undefined) return []
    const { must, name, wrong } = fault
    return `  ${name} must ${must}${wrong.length === 0 ? "" : `; wrong: ${wrong.join(", ")}`}`
  })
  if (faults.length === 0) return
  return yield* new StartError(["The settings are not valid:", ...faults.map((fault) => `${fault}.`)].join("\n"))
})

/** Shorter names, such as PORT, have neighbours that other programs use. */
const SHORTEST_MISSPELT = 6

/** Whether a name of two words or more is that of a setting without one of its words. */
const lacksWord = (name: string) => (setting: string) =>
  name.includes("_") && setting.split("_").some((_, n, words) => n > 0 && words.toSpliced(n, 1).join("_") === name)

/** A sentence for each variable whose name differs from that of a setting by one typing error or one word: it has no effect. */
export const misspelt = (variables: ReadonlyArray<string>): ReadonlyArray<string> =>
  variables
    .filter((name) => name.length >= SHORTEST_MISSPELT && name.length <= LONGEST_WORD && !Object.hasOwn(rules, name))
    .flatMap((name) => {
      const settings = Object.keys(rules)
      const meant = settings.find(spelledLike(name, 1)) ?? settings.find(lacksWord(name))
      return meant === undefined ? [] : [`${name} is not a setting and has no effect. Do you mean ${meant}?`]
    })
