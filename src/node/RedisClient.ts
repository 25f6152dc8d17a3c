// The Redis client. The library is large, so this file is imported only when `REDIS_URL` is set.
import { NodeRedis } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"

/**
 * Destroys the connection at the end. The client's own close waits for the last reply, so a frozen Redis would block
 * the shutdown.
 */
const destroyAtEnd = Layer.effectDiscard(
  Effect.gen(function* () {
    const { client } = yield* NodeRedis.NodeRedis
    yield* Effect.addFinalizer(() => Effect.sync(() => client.isOpen && client.destroy()))
  })
)

/**
 * A client that fails commands at once while it has no connection. It pings every second, drops a connection that is
 * silent for 3 s, and reconnects until it succeeds.
 */
export const layer = (url: Redacted.Redacted) =>
  Layer.provideMerge(
    destroyAtEnd,
    NodeRedis.layer({
      url: Redacted.value(url),
      disableOfflineQueue: true,
      pingInterval: 1_000,
      socket: { connectTimeout: 2_000, socketTimeout: 3_000, reconnectStrategy: 250 }
    })
  )
