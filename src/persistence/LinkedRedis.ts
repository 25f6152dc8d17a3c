// Effect's own `Redis` over the link: whatever is built on it fails at once while Redis is away, instead of waiting for it.
import { Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { RedisLink } from "./RedisLink.ts"

/** Commands and scripts. Nothing here subscribes, or keeps a connection to itself. */
export const layer: Layer.Layer<Redis.Redis, never, RedisLink> = Layer.effect(
  Redis.Redis,
  Effect.map(RedisLink, (link) => {
    const failed = Effect.mapError((cause: unknown) => new Redis.RedisError({ cause }))
    const unused = Effect.die(new Error("only commands and scripts go over the link to Redis"))
    return Redis.Redis.of({
      send: <A>(command: string, ...args: ReadonlyArray<string>) =>
        link.use((redis) => redis.send<A>(command, ...args)).pipe(failed),
      eval:
        (script) =>
        (...params) =>
          link.use((redis) => redis.eval(script)(...params)).pipe(failed),
      subscribe: () => unused,
      reserve: unused
    })
  })
)
