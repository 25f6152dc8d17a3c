// The settings of the process, read from the environment, and the check of all settings before the start. The check
// reports every fault at once and never repeats a value, which might be a secret.
import { Config, Effect, LogLevel, Option, Result, Schema } from "effect"
import { CliError } from "effect/cli"
import { IpNetwork } from "effect/net"
import { DEFAULT_MAX_KEYS } from "../access/WindowStore.ts"
import { Contact } from "../http/OperatorContact.ts"
import * as CoinGeckoPlan from "../sources/market/CoinGeckoPlan.ts"
import { feedUrls } from "../sources/news/NewsFeeds.ts"
import { sourceCatalog } from "../sources/catalog/SourceCatalog.ts"
import { maxAges } from "../services/refresh/MaxAges.ts"
import { disabledSources, userAgent } from "../sources/client/SourceSettings.ts"
import * as TelemetrySettings from "./TelemetrySettings.ts"

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

/** Where to listen and how to log. */
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

const NetworkText = Schema.String.check(
  Schema.makeFilter((text) => Result.isSuccess(IpNetwork.fromString(withPrefix(text))))
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
  trustedProxies: Config.Array(NetworkText, "TRUSTED_PROXIES").pipe(
    Config.withDefault([]),
    Config.map((texts) => texts.map((text) => IpNetwork.fromStringUnsafe(withPrefix(text))))
  )
}

/** How callers reach the operator. */
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
  ...TelemetrySettings.rules,
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
    name: "PUBLIC_URL",
    read: Config.schema(WebAddress, "PUBLIC_URL").pipe(Config.option),
    must: "be the address of this service as callers see it, beginning with http:// or https://"
  },
  { name: "USER_AGENT", read: userAgent, must: "be 1 to 300 printable ASCII characters" },
  {
    name: "NEWS_FEEDS",
    read: feedUrls,
    must: "be a comma-separated list of feed addresses that begin with http:// or https:// and contain no password"
  },
  ...sourceCatalog.map(({ id }) => ({
    name: `${id}_BASE_URL`,
    read: Config.schema(WebAddress, `${id}_BASE_URL`).pipe(Config.option),
    must: "be an address that begins with http:// or https://"
  }))
]

/** Reads every setting. Fails with one error that lists all faults, one per line. */
export const check: Effect.Effect<void, CliError.UserError> = Effect.gen(function* () {
  const faults: Array<string> = []
  for (const { must, name, read } of rules) {
    if (Result.isFailure(yield* Effect.result(read))) faults.push(`  ${name} must ${must}.`)
  }
  if (faults.length === 0) return
  const userMessage = ["The settings are not valid:", ...faults].join("\n")
  return yield* new CliError.UserError({ cause: new Error(userMessage), userMessage })
})
