// The doctor asks what running services ask: where they share a Redis, its calls are taken from the budgets that they share, so
// that looking whether all is well never makes a source refuse them. Everything else it does by itself.
import { type Config, Effect, Layer, Option, Stream } from "effect"
import * as RedisReplicas from "../persistence/RedisReplicas.ts"
import { Replicas } from "../sources/dataset/Replicas.ts"
import { linkTo } from "../node/StateLayers.ts"
import * as Settings from "../node/Settings.ts"

/** The shared budgets, if there are any. */
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
            // Each source is really asked, whoever else has asked it lately.
            leaseState: () => Effect.succeed("mine" as const),
            changes: () => Stream.never,
            lookups: () => ({ look: () => Effect.undefined, acquire: Effect.undefined })
          }))
        ).pipe(Layer.provide(linkTo(url)))
    })
  )
)
