// The settings of the process, read from the environment. `SettingsCheck.ts` checks all of them before the start.
import { Config, Duration, Effect, LogLevel, Option, Predicate, Schema, SchemaGetter } from "effect"
import { Limit } from "../access/ApiKey.ts"
import { DEFAULT_LIMITS, type PlanName } from "../access/Plan.ts"
import { DEFAULT_MAX_KEYS } from "../access/WindowStore.ts"
import { atMost } from "../sources/client/SourceSettings.ts"
import { Contact } from "../http/OperatorContact.ts"
import { type Signer, signerOf } from "../http/response/Signature.ts"
import { FaultyFile, textOf } from "../sources/client/settingFile.ts"

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

const wholeNumber = (name: string, minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Config.schema(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum, maximum })), name)

export const serving = {
  host: Config.NonEmptyString("HOST").pipe(Config.withDefault("0.0.0.0")),
  /** 0 lets the system choose a free port. */
  port: wholeNumber("PORT", 0, 65_535).pipe(Config.withDefault(3000)),
  metricsPort: wholeNumber("METRICS_PORT", 0, 65_535).pipe(Config.option),
  logLevel: literalsInAnyCase(LogLevel.values, "LOG_LEVEL").pipe(Config.withDefault("Info" as const)),
  /** The default depends on where the log goes: `pretty` on a terminal, else `json`. */
  logFormat: literalsInAnyCase(["pretty", "json"], "LOG_FORMAT").pipe(Config.option),
  logRequests: Config.Boolean("LOG_REQUESTS").pipe(Config.withDefault(false))
}

/** An IPv4-mapped IPv6 address is that IPv4 address, as it is of a peer. */
const withPrefix = (text: string): string => {
  const network = text.trim().replace(/^::ffff:(?=\d+\.)/i, "")
  return network.includes("/") ? network : `${network}/${network.includes(":") ? 128 : 32}`
}

const Network = Schema.String.pipe(
  Schema.decodeTo(Schema.IpNetworkFromString, {
    decode: SchemaGetter.transform(withPrefix),
    encode: SchemaGetter.passthrough()
  })
)

const urlLike = (pattern: RegExp) =>
  Schema.String.check(
    Schema.isPattern(pattern),
    Schema.makeFilter((text) => text.startsWith("unix:") || URL.canParse(text))
  )

const sslModes: ReadonlySet<string> = new Set(["disable", "allow", "prefer", "require", "verify-ca", "verify-full"])

/** The driver reads the parts only when it connects, and ignores files of certificates. */
const isReadable = (text: string): boolean => {
  const { hostname, password, pathname, searchParams, username } = new URL(text)
  try {
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part)
  } catch {
    return false
  }
  return (
    sslModes.has(searchParams.get("sslmode") ?? "disable") &&
    (searchParams.get("sslrootcert") ?? "system") === "system" &&
    !searchParams.has("sslcert") &&
    !searchParams.has("sslkey") &&
    /^\d+$/.test(searchParams.get("connect_timeout") ?? "0")
  )
}

const PostgresUrl = urlLike(/^postgres(ql)?:\/\/\S+$/).check(Schema.makeFilter(isReadable))

/** The path is the number of a database; of a Unix socket it is the path of the socket, and `?db=` has the number. */
const RedisUrl = urlLike(/^(rediss?:\/\/[^\s/]+(\/\d*)?([?#]\S*)?|unix:\/\/([^\s/@]*@)?\/\S+)$/)

const isOn = (name: string) =>
  Config.map(literalsInAnyCase(["on", "off"], name).pipe(Config.withDefault("on" as const)), (is) => is === "on")

/** Whether and where observations are recorded. */
export const history = {
  isOn: isOn("HISTORY"),
  /** Redacted because it may contain a password. Without it the history is a SQLite file in `DATA_DIR`. */
  databaseUrl: Config.schema(Schema.Redacted(PostgresUrl), "DATABASE_URL").pipe(Config.option)
}

/** Requests a minute of a plan. */
export const limitOf = (plan: PlanName) =>
  Config.schema(Schema.FiniteFromString.pipe(Schema.decodeTo(Limit)), `PLAN_${plan.toUpperCase()}`).pipe(
    Config.withDefault(DEFAULT_LIMITS[plan])
  )

const duration = (name: string, fallback: Duration.Input, { least, most }: { least: number; most: number }) =>
  Config.schema(
    Schema.DurationFromString.check(
      Schema.makeFilter((value: Duration.Duration) => {
        const millis = Duration.toMillis(value)
        return millis >= least && millis <= most
      })
    ),
    name
  ).pipe(Config.withDefault(Duration.fromInputUnsafe(fallback)))

/** Times that depend on what is around the process: a proxy, an orchestrator, the way to Redis. */
export const times = {
  /** Between `/readyz` turning 503 and the listener closing. */
  shutdownDelay: duration("SHUTDOWN_DELAY", "500 millis", { least: 0, most: 600_000 }),
  /** How long an idle connection of a client stays open. */
  keepAlive: duration("KEEP_ALIVE", "65 seconds", { least: 1000, most: 3_600_000 }),
  /** The time for one command of Redis. */
  redisTimeout: duration("REDIS_TIMEOUT", "75 millis", { least: 15, most: 5000 })
}

/** The requests a minute of each plan, and whether callers without a key are served. */
export const plans = {
  limits: Config.all({ free: limitOf("free"), developer: limitOf("developer"), business: limitOf("business") }),
  servesAnonymous: isOn("ANONYMOUS")
}

/** The most networks in `TRUSTED_PROXIES`, which are compared with the peer of each request. The largest providers publish about 200. */
export const MOST_PROXIES = 1000

/** API keys, rate limits, and where their state is kept. */
export const access = {
  dataDir: Config.NonEmptyString("DATA_DIR").pipe(Config.withDefault("./data")),
  /** Redacted because it may contain a password. */
  redisUrl: Config.schema(Schema.Redacted(RedisUrl), "REDIS_URL").pipe(Config.option),
  maxKeys: wholeNumber("RATE_LIMIT_MAX_KEYS", 1000, 10_000_000).pipe(Config.withDefault(DEFAULT_MAX_KEYS)),
  /** Networks in CIDR notation, or single addresses. */
  trustedProxies: Config.Array(Network, "TRUSTED_PROXIES").pipe(Config.withDefault([]), atMost(MOST_PROXIES))
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

export const SAMPLERS = [
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

const PublicAddress = Schema.URLFromString.check(
  Schema.makeFilter(
    ({ hash, password, protocol, search, username }: URL) =>
      /^https?:$/.test(protocol) && [hash, password, search, username].every((part) => part === "")
  )
)

/** Signs statements and fixings with the key in a file. */
export const signer: Config.Config<Signer | undefined> = Config.NonEmptyString("SIGNING_KEY_FILE").pipe(
  Config.option,
  Config.mapEffect(
    Option.match({
      onNone: () => Effect.undefined,
      onSome: (path) =>
        textOf(path, true).pipe(
          Effect.map(signerOf),
          Effect.filterOrFail(Predicate.isNotUndefined, () => new FaultyFile({ message: "it has no such key" })),
          Effect.mapError((fault) => new Config.ConfigError(fault))
        )
    })
  )
)

/** Where clients reach the service. */
export const publicUrl = Config.schema(PublicAddress, "PUBLIC_URL").pipe(Config.option)

export const operatorContact = Config.schema(Contact, "OPERATOR_CONTACT").pipe(Config.withDefault(null))
