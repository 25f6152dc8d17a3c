// With REDIS_URL the doctor's calls are taken from the budgets that running services share through it, so that they never exceed what
// a source allows. Leases and snapshots are not shared: the doctor asks every source itself.
import { type Config, Effect, Layer, Option, Stream } from "effect"
import * as RedisReplicas from "../persistence/RedisReplicas.ts"
import { Replicas } from "../sources/dataset/Replicas.ts"
import { linkTo } from "../node/StateLayers.ts"
import * as Settings from "../node/Settings.ts"

/** The shared budgets; nothing without REDIS_URL. */
export const layer: Layer.Layer<never, Config.ConfigError> = Layer.unwrap(
  Effect.map(
    Settings.access.redisUrl,
    Option.match({
      onNone: (): Layer.Layer<never> => Layer.empty,
      onSome: (url) =>
        Layer.effect(
          Replicas,
          Effect.map(RedisReplicas.make, ({ budget }) => ({
            budget,
            leaseState: () => Effect.succeed("mine" as const),
            changes: () => Stream.never,
            lookups: () => ({ look: () => Effect.undefined, acquire: Effect.undefined })
          }))
        ).pipe(Layer.provide(linkTo(url)))
    })
  )
)
