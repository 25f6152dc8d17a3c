// Where the process keeps its state, by the settings: as files in `DATA_DIR` and in memory, or in Redis when
// `REDIS_URL` is set.
import { Config, Effect, type FileSystem, Layer, Logger, Option, type Path, type Redacted, Schedule } from "effect"
import { ApiKeys } from "../access/ApiKeys.ts"
import { ApiKeyStore } from "../access/ApiKeyStore.ts"
import { TrustedProxies } from "../http/gate/Identity.ts"
import { Plans } from "../access/Plan.ts"
import { RateLimiter } from "../access/RateLimiter.ts"
import { HasOwnPort } from "../http/MetricsRoute.ts"
import { OperatorContact } from "../http/OperatorContact.ts"
import { Signing } from "../http/response/Signature.ts"
import { PublicUrl, publicAddressOf } from "../http/PublicUrl.ts"
import * as ApiKeyFiles from "../persistence/ApiKeyFiles.ts"
import * as ApiKeyRedis from "../persistence/ApiKeyRedis.ts"
import { RedisLink, RedisTimeout } from "../persistence/RedisLink.ts"
import * as Server from "../Server.ts"
import * as Settings from "./Settings.ts"

/** The link to the Redis at `url`. Each call makes a connection of its own. */
export const linkTo = (url: Redacted.Redacted): Layer.Layer<RedisLink> =>
  // The import of a file of this package fails only in a broken installation.
  RedisLink.layer(Layer.unwrap(Effect.promise(async () => (await import("./RedisClient.ts")).layer(url))))

/** The same with the time for a command that the settings allow. */
const linkBySettings = (url: Redacted.Redacted) =>
  Layer.provide(linkTo(url), Layer.effect(RedisTimeout, Settings.times.redisTimeout))

/** The history by the settings. Without a file it is in memory, even with `DATABASE_URL`. */
const layerHistory = Effect.fnUntraced(function* (file: string | undefined) {
  if (!(yield* Settings.history.isOn)) return Layer.empty
  if (file === undefined) return Server.layerHistory({ sqlite: ":memory:" })
  const url = yield* Settings.history.databaseUrl
  return Server.layerHistory(Option.isSome(url) ? { postgres: url.value } : { sqlite: file })
})

/** A store of keys that counts no uses. */
const readOnly = <E, R>(store: Layer.Layer<ApiKeyStore, E, R>) =>
  Layer.effect(
    ApiKeyStore,
    Effect.map(ApiKeyStore, (keys) => ApiKeyStore.of({ ...keys, addUses: () => Effect.void }))
  ).pipe(Layer.provide(store))

/** Access with limits and counts of its own, which end with the process. It only reads the keys. */
const layerAccessReading = <E, R>(store: Layer.Layer<ApiKeyStore, E, R>, maxKeys: number) =>
  Layer.merge(ApiKeys.layerNoDeps.pipe(Layer.provide(readOnly(store))), RateLimiter.layerMemory(maxKeys))

/** `keeps`: what is kept for the next start and shared with replicas. */
const layerWith = (
  keeps: "everything" | "access" | "nothing"
): Layer.Layer<Server.AccessServices, Config.ConfigError, FileSystem.FileSystem | Path.Path> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const plans = yield* Config.all(Settings.plans)
      const hasMetricsPort = Option.isSome(yield* Settings.serving.metricsPort)
      const { dataDir, maxKeys, redisUrl, trustedProxies } = yield* Config.all(Settings.access)
      const sharesSources = keeps === "everything"
      const access =
        keeps === "nothing"
          ? layerAccessReading(layerStore(dataDir, redisUrl), maxKeys)
          : Option.match(redisUrl, {
              onNone: () =>
                Layer.merge(
                  Server.layerAccessLocal({ dataDir, maxKeys }),
                  sharesSources ? Server.layerSnapshots(dataDir) : Layer.empty
                ),
              onSome: (url) =>
                Layer.merge(
                  Server.layerAccessShared({ maxKeys }),
                  sharesSources ? Server.layerReplicas : Layer.empty
                ).pipe(Layer.provide(linkBySettings(url)))
            })
      return Layer.mergeAll(
        Layer.succeed(Plans, plans),
        Layer.provide(access, Layer.succeed(Plans, plans)),
        yield* layerHistory(sharesSources ? `${dataDir}/history.sqlite` : undefined),
        Layer.succeed(TrustedProxies, trustedProxies),
        Layer.succeed(HasOwnPort, hasMetricsPort),
        Layer.succeed(OperatorContact, yield* Settings.operatorContact),
        Layer.succeed(Signing, yield* Settings.signer),
        Option.match(yield* Settings.publicUrl, {
          onNone: () => Layer.empty,
          onSome: (url) => Layer.succeed(PublicUrl, publicAddressOf(url))
        })
      )
    })
  )

/**
 * API keys, rate limits, trusted proxies, and the state of sources: snapshots, and with Redis all that replicas share.
 */
export const layerState = layerWith("everything")

/** API keys, rate limits and trusted proxies alone. For simulated data, which must be neither saved nor shared. */
export const layerAccess = layerWith("access")

/** The same with limits and counts of its own: requests to a sandbox use up nobody's quota and are billed to nobody. */
export const layerSandbox = layerWith("nothing")

/**
 * Waits up to 3 s for Redis. Commands that write to Redis cannot fall back to anything, so they give it time to
 * connect.
 */
const waitForLink = Effect.flatMap(RedisLink, ({ isUp }) =>
  isUp.pipe(
    Effect.repeat({ until: (up) => up, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOption("3 seconds")
  )
)

/** The store of key records, by the settings. */
const layerStore = (
  dataDir: string,
  redisUrl: Option.Option<Redacted.Redacted>
): Layer.Layer<ApiKeyStore, Config.ConfigError, FileSystem.FileSystem | Path.Path> =>
  Option.match(redisUrl, {
    onNone: () => ApiKeyFiles.layer(`${dataDir}/keys`),
    onSome: (url) => Layer.provide(ApiKeyRedis.layer, linkBySettings(url))
  })

/** The store of key records, for the commands that write them. */
export const layerKeyStore: Layer.Layer<ApiKeyStore, Config.ConfigError, FileSystem.FileSystem | Path.Path> =
  Layer.unwrap(
    Effect.map(Config.all(Settings.access), ({ dataDir, redisUrl }) =>
      Option.match(redisUrl, {
        onNone: () => ApiKeyFiles.layer(`${dataDir}/keys`),
        onSome: (url) =>
          // A command says itself what fails: how servers go on without Redis is not its matter.
          Layer.merge(ApiKeyRedis.layer, Layer.effectDiscard(waitForLink)).pipe(
            Layer.provide(Layer.provide(linkBySettings(url), Logger.layer([])))
          )
      })
    )
  )
