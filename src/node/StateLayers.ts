// Who may ask how often, from the settings: on this machine alone, or shared through Redis.
import { type Config, Effect, type FileSystem, Layer, Option, type Path, type Redacted, Schedule } from "effect"
import type { ApiKeyStore } from "../access/ApiKeyStore.ts"
import * as ApiKeyFiles from "../persistence/ApiKeyFiles.ts"
import * as ApiKeyRedis from "../persistence/ApiKeyRedis.ts"
import { RedisLink } from "../persistence/RedisLink.ts"
import { TrustedProxies } from "../http/gate/Identity.ts"
import * as Server from "../Server.ts"
import * as Settings from "./Settings.ts"

/** The link to the Redis at `url`. */
export const linkTo = (url: Redacted.Redacted): Layer.Layer<RedisLink> =>
  RedisLink.layer(Layer.unwrap(Effect.map(redisClient, ({ layer }) => layer(url))))

// A file of our own that cannot be loaded is a broken installation.
const redisClient = Effect.promise(() => import("./RedisClient.ts"))

/** Where state is kept: keys and quotas for the gate; snapshots and what replicas agree on for the sources. */
const layerStateOf = (keepsSnapshots: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { dataDir, maxKeys, redisUrl, trustedProxies } = Settings.access
      const bound = yield* maxKeys
      const url = yield* redisUrl
      const folder = yield* dataDir
      const shared = (link: Layer.Layer<RedisLink>) =>
        Layer.merge(
          Server.layerAccessShared({ maxKeys: bound }),
          keepsSnapshots ? Server.layerReplicas : Layer.empty
        ).pipe(Layer.provide(link))
      const local = Layer.merge(
        Server.layerAccessLocal({ dataDir: folder, maxKeys: bound }),
        keepsSnapshots ? Server.layerSnapshots(folder) : Layer.empty
      )
      const layer: Layer.Layer<Server.Access, never, FileSystem.FileSystem | Path.Path> = Option.isSome(url)
        ? shared(linkTo(url.value))
        : local
      return Layer.merge(layer, Layer.succeed(TrustedProxies, yield* trustedProxies))
    })
  )

/** Keys, quotas, trusted proxies, and snapshots that outlive the process. */
export const layerState: Layer.Layer<Server.Access, Config.ConfigError, FileSystem.FileSystem | Path.Path> =
  layerStateOf(true)

/** The same without snapshots: nothing simulated is kept, for the next world is another one, and the live one must not find it. */
export const layerAccess: Layer.Layer<Server.Access, Config.ConfigError, FileSystem.FileSystem | Path.Path> =
  layerStateOf(false)

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
