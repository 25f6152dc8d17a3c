// The settings of the process, read from the environment, and the check of all settings before the start. The check
// reports every fault at once and never repeats a value, which might be a secret.
import { Config, Effect, LogLevel, Option, Schema, SchemaGetter } from "effect"
import { DEFAULT_MAX_KEYS } from "../access/WindowStore.ts"
import { Contact } from "../http/OperatorContact.ts"
import * as CoinGeckoPlan from "../sources/market/CoinGeckoPlan.ts"
import { feedUrls } from "../sources/news/NewsFeeds.ts"
import { sourceCatalog } from "../sources/catalog/SourceCatalog.ts"
import { followedMarkets } from "../sources/client/followedMarkets.ts"
import { marketsByFiat } from "../domain/P2pMarket.ts"
import { maxAges } from "../services/refresh/MaxAges.ts"
import { disabledSources, userAgent } from "../sources/client/SourceSettings.ts"
import { StartError } from "./StartError.ts"

/** One of `values`, in any case of letters. */
const literalsInAnyCase = <const L extends ReadonlyArray<string>>(
  values: L,
  name: string
): Config.Config<L[number]> => {
  const decode = Schema.decodeUnknownEffect(Schema.Literals(values))
  return Config.String(name).pipe(
    Config.mapEffect((text) =>
      Effect.mapError(
        decode(values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text),
        (error) => new Config.ConfigError(error)
      )
    )
  )
}

export const serving = {
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("0.0.0.0")),
  /** 0 lets the system choose a free port. */
  port: Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
    "PORT"
  ).pipe(Config.withDefault(3000)),
  logLevel: literalsInAnyCase(LogLevel.values, "LOG_LEVEL").pipe(Config.withDefault("Info" as const)),
  /** The default depends on where the log goes: `pretty` on a terminal, else `json`. */
  logFormat: literalsInAnyCase(["pretty", "json"], "LOG_FORMAT").pipe(Config.option),
  logRequests: Config.Boolean("LOG_REQUESTS").pipe(Config.withDefault(false))
}

const withPrefix = (text: string): string =>
  text.includes("/") ? text.trim() : `${text.trim()}/${text.includes(":") ? 128 : 32}`

const Network = Schema.String.pipe(
  Schema.decodeTo(Schema.IpNetworkFromString, {
    decode: SchemaGetter.transform(withPrefix),
    encode: SchemaGetter.passthrough()
  })
)

const PostgresUrl = Schema.String.check(
  Schema.isPattern(/^postgres(ql)?:\/\/\S+$/),
  Schema.makeFilter((text) => URL.canParse(text))
)

/** Whether and where observations are recorded. */
export const history = {
  isOn: Config.map(
    literalsInAnyCase(["on", "off"], "HISTORY").pipe(Config.withDefault("on" as const)),
    (is) => is === "on"
  ),
  /** Redacted because it may contain a password. Without it the history is a SQLite file in `DATA_DIR`. */
  databaseUrl: Config.schema(Schema.Redacted(PostgresUrl), "DATABASE_URL").pipe(Config.option)
}

const RedisUrl = Schema.String.check(Schema.isPattern(/^rediss?:\/\/\S+$/))

/** API keys, rate limits, and where their state is kept. */
export const access = {
  dataDir: Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./data")),
  /** Redacted because it may contain a password. */
  redisUrl: Config.schema(Schema.Redacted(RedisUrl), "REDIS_URL").pipe(Config.option),
  maxKeys: Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(1000)),
    "RATE_LIMIT_MAX_KEYS"
  ).pipe(Config.withDefault(DEFAULT_MAX_KEYS)),
  /** Networks in CIDR notation, or single addresses. */
  trustedProxies: Config.Array(Network, "TRUSTED_PROXIES").pipe(Config.withDefault([]))
}

// The standard OTEL_* variables, which `Telemetry.ts` applies.

export const SIGNALS = ["TRACES", "METRICS", "LOGS"] as const

/** The text of a variable; empty when it is not set. */
export const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))

/** The names of the exporters of a signal, in lower case. */
export const exporters = (signal: (typeof SIGNALS)[number]) =>
  text(`OTEL_${signal}_EXPORTER`).pipe(
    Config.map((names) => names.split(",").flatMap((name) => name.trim().toLowerCase() || []))
  )

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export const sampler = Config.Literals(SAMPLERS, "OTEL_TRACES_SAMPLER").pipe(
  Config.withDefault("parentbased_always_on")
)

/** The share of traces that is exported, by the samplers that have one. */
export const ratio = Config.schema(
  Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  "OTEL_TRACES_SAMPLER_ARG"
).pipe(Config.withDefault(1))

export const operatorContact = Config.schema(Contact, "OPERATOR_CONTACT").pipe(Config.withDefault(null))

/** How a setting is read, and how the report of a fault continues after "NAME must". */
interface Rule {
  readonly name: string
  readonly read: Effect.Effect<unknown, unknown>
  readonly must: string
}

const WebAddress = Schema.URLFromString.check(
  Schema.makeFilter((url: URL) => url.protocol === "http:" || url.protocol === "https:")
)

const webAddress = (name: string): Rule => ({
  name,
  read: Config.schema(WebAddress, name).pipe(Config.option),
  must: "be an address that begins with http:// or https://"
})

// `NEWS_FEEDS` stands for all feeds together.
const sourceNames = new Set([...sourceCatalog.map(({ id }) => id), "NEWS_FEEDS"])

const rules: ReadonlyArray<Rule> = [
  { name: "HOST", read: serving.host, must: "be an address to listen on, such as 0.0.0.0" },
  { name: "PORT", read: serving.port, must: "be a port number from 1 to 65535, or 0 for any free port" },
  {
    name: "LOG_LEVEL",
    read: serving.logLevel,
    must: "be one of All, Trace, Debug, Info, Warn, Error, Fatal, None"
  },
  { name: "LOG_FORMAT", read: serving.logFormat, must: "be pretty or json" },
  { name: "LOG_REQUESTS", read: serving.logRequests, must: "be true or false" },
  ...SIGNALS.map((signal) => ({
    name: `OTEL_${signal}_EXPORTER`,
    read: Effect.filterOrFail(exporters(signal), (names) => names.every((name) => name === "otlp" || name === "none")),
    must: "be otlp or none"
  })),
  ...["", ...SIGNALS.map((signal) => `${signal}_`)].map((signal) => webAddress(`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)),
  {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    read: Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(Config.option),
    must: "be http/json or http/protobuf"
  },
  {
    name: "OTEL_SDK_DISABLED",
    read: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.option),
    must: "be true or false"
  },
  ...[
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_BSP_EXPORT_TIMEOUT",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    "OTEL_METRIC_EXPORT_INTERVAL",
    "OTEL_METRIC_EXPORT_TIMEOUT"
  ].map((name) => ({ name, read: Config.Int(name).pipe(Config.option), must: "be a whole number" })),
  { name: "OTEL_TRACES_SAMPLER", read: sampler, must: `be one of ${SAMPLERS.join(", ")}` },
  { name: "OTEL_TRACES_SAMPLER_ARG", read: ratio, must: "be a number from 0 to 1" },
  { name: "DATA_DIR", read: access.dataDir, must: "be a folder" },
  { name: "REDIS_URL", read: access.redisUrl, must: "begin with redis:// or rediss://" },
  { name: "HISTORY", read: history.isOn, must: "be on or off" },
  {
    name: "DATABASE_URL",
    read: history.databaseUrl,
    must: "be the address of a PostgreSQL database, such as postgres://user:password@host:5432/database"
  },
  { name: "RATE_LIMIT_MAX_KEYS", read: access.maxKeys, must: "be a whole number of at least 1000" },
  {
    name: "TRUSTED_PROXIES",
    read: access.trustedProxies,
    must: "be a comma-separated list of networks such as 10.0.0.0/8 or 2001:db8::/32, or of single addresses"
  },
  { name: "COINGECKO_PLAN", read: CoinGeckoPlan.plan, must: "be keyless, demo or pro" },
  {
    name: "COINGECKO_API_KEY",
    read: Effect.filterOrFail(
      Effect.all([CoinGeckoPlan.plan, CoinGeckoPlan.key]),
      ([plan, key]) => plan === "keyless" || Option.isSome(key)
    ),
    must: "be set when COINGECKO_PLAN is demo or pro"
  },
  {
    name: "SOURCES_DISABLED",
    read: Effect.filterOrFail(disabledSources, (names) => [...names].every((name) => sourceNames.has(name))),
    must: `be a comma-separated list of ${[...sourceNames].join(", ")}`
  },
  {
    name: "P2P_MARKETS",
    read: followedMarkets,
    must: `be a comma-separated list of ${[...marketsByFiat.keys()].join(", ")}`
  },
  ...Object.entries(maxAges).map(([question, read]) => ({
    name: `MAX_AGE_${question.toUpperCase()}`,
    read,
    must: "be a duration of at least a minute, such as 90 minutes or 2 hours"
  })),
  {
    name: "OPERATOR_CONTACT",
    read: operatorContact,
    must: "be an email address, or a URL that begins with http:// or https:// and contains no password"
  },
  {
    ...webAddress("PUBLIC_URL"),
    must: "be the address of this service as callers see it, beginning with http:// or https://"
  },
  { name: "USER_AGENT", read: userAgent, must: "be 1 to 300 printable ASCII characters" },
  {
    name: "NEWS_FEEDS",
    read: feedUrls,
    must: "be a comma-separated list of feed addresses that begin with http:// or https:// and contain no password"
  },
  ...sourceCatalog.map(({ id }) => webAddress(`${id}_BASE_URL`))
]

/** Reads every setting. Fails with one error that lists all faults, one per line. */
export const check: Effect.Effect<void, StartError> = Effect.gen(function* () {
  const broken = yield* Effect.filter(rules, ({ read }) => Effect.isFailure(read))
  if (broken.length === 0) return
  const faults = broken.map(({ must, name }) => `  ${name} must ${must}.`)
  return yield* new StartError(["The settings are not valid:", ...faults].join("\n"))
})
