// Who may ask how often, from the settings: on this machine alone, or shared through Redis.
import { NodeRedis } from "@effect/platform-node"
import { type Config, Effect, type FileSystem, Layer, Option, type Path, Redacted, Schedule } from "effect"
import type { ApiKeyStore } from "../access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../access/ApiKeyFiles.ts"
import * as ApiKeyRedis from "../access/ApiKeyRedis.ts"
import { RedisLink } from "../access/RedisLink.ts"
import { TrustedProxies } from "../http/Identity.ts"
import * as Server from "../Server.ts"
import * as Settings from "./Settings.ts"

/** The link to the Redis at `url`. A command without a connection fails at once instead of waiting for one. */
const linkTo = (url: Redacted.Redacted): Layer.Layer<RedisLink> =>
  RedisLink.layer(
    NodeRedis.layer({
      url: Redacted.value(url),
      disableOfflineQueue: true,
      socket: { connectTimeout: 2_000 }
    })
  )

/** Keys, quotas and the proxies that are trusted. */
export const layerAccess: Layer.Layer<Server.Access, Config.ConfigError, FileSystem.FileSystem | Path.Path> =
  Layer.unwrap(
    Effect.gen(function* () {
      const { dataDir, maxKeys, redisUrl, trustedProxies } = Settings.access
      const bound = yield* maxKeys
      const url = yield* redisUrl
      const layer: Layer.Layer<Server.Access, never, FileSystem.FileSystem | Path.Path> = Option.isSome(url)
        ? Server.layerAccessShared({ maxKeys: bound }).pipe(Layer.provide(linkTo(url.value)))
        : Server.layerAccessLocal({ dataDir: yield* dataDir, maxKeys: bound })
      return Layer.merge(layer, Layer.succeed(TrustedProxies, yield* trustedProxies))
    })
  )

/** A server goes on without Redis; a command that writes to it waits for it a little and then says that it is away. */
const connected = Effect.flatMap(RedisLink, ({ isUp }) =>
  isUp.pipe(
    Effect.repeat({ until: (up) => up, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOption("3 seconds")
  )
)

/** Where key records are kept, for the commands that write them. */
export const layerKeyStore: Layer.Layer<ApiKeyStore, Config.ConfigError, FileSystem.FileSystem | Path.Path> =
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Settings.access.redisUrl
      const layer: Layer.Layer<ApiKeyStore, never, FileSystem.FileSystem | Path.Path> = Option.isSome(url)
        ? Layer.merge(ApiKeyRedis.layer, Layer.effectDiscard(connected)).pipe(Layer.provide(linkTo(url.value)))
        : ApiKeyFiles.layer(`${yield* Settings.access.dataDir}/keys`)
      return layer
    })
  )
