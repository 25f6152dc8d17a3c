import { Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import * as RedisClient from "../../src/node/RedisClient.ts"
import { RedisLink } from "../../src/persistence/RedisLink.ts"

/** A link without timeouts and fallbacks, so that tests of what happens in Redis do not depend on the machine's speed. */
export const patientLink = (url: string): Layer.Layer<RedisLink> =>
  Layer.effect(
    RedisLink,
    Effect.map(Redis.Redis, (redis) =>
      RedisLink.of({
        send: (command, ...args) => Effect.orDie(redis.send(command, ...args)),
        eval:
          (script) =>
          (...params) =>
            Effect.orDie(redis.eval(script)(...params)),
        isUp: Effect.succeed(true)
      })
    )
  ).pipe(Layer.provide(Layer.orDie(RedisClient.layer(Redacted.make(url)))))
