// The client of Redis. The library is large and most starts do without, so this file is only loaded where REDIS_URL is set.
import { NodeRedis } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"

/** The client closes politely, after the last reply: a frozen Redis would keep the process from ending. */
const hangUp = Layer.effectDiscard(
  Effect.gen(function* () {
    const { client } = yield* NodeRedis.NodeRedis
    yield* Effect.addFinalizer(() => Effect.sync(() => client.isOpen && client.destroy()))
  })
)

/**
 * A command without a connection fails at once instead of waiting for one; a connection that stays silent although it is asked
 * every second is given up and made anew, as often as it takes.
 */
export const layer = (url: Redacted.Redacted) => {
  const client = NodeRedis.layer({
    url: Redacted.value(url),
    disableOfflineQueue: true,
    pingInterval: 1_000,
    socket: { connectTimeout: 2_000, socketTimeout: 3_000, reconnectStrategy: 250 }
  })
  return Layer.merge(client, hangUp.pipe(Layer.provide(client)))
}
