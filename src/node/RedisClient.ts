// The Redis client. The library is large, so this file is imported only when `REDIS_URL` is set.
import { NodeRedis } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { sharedKey } from "../persistence/sharedKey.ts"

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
 * Commands fail at once while there is no connection. One that is silent for 3 s is dropped, also while it is made: closing it would wait
 * for ever for an answer. A client that stays pings every second, and reconnects until it succeeds.
 */
const clientAt = (url: string, stays: boolean) =>
  Layer.provideMerge(
    destroyAtEnd,
    NodeRedis.layer({
      url,
      disableOfflineQueue: true,
      // Notifications of planned maintenance would refuse the address of a Unix socket.
      maintNotifications: "disabled",
      ...(stays && { pingInterval: 1_000 }),
      socket: { connectTimeout: 2_000, socketTimeout: 3_000, reconnectStrategy: stays ? 250 : false }
    })
  )

/**
 * The address of the node that has the service's keys. A node of a cluster that does not have them names it
 * (`MOVED <slot> <host>:<port>`); user, password and TLS stay as they are.
 */
const nodeFor = (url: string, stays: boolean) =>
  Redis.Redis.pipe(
    Effect.flatMap(({ send }) => send("EXISTS", sharedKey("probe"))),
    Effect.as(url),
    Effect.catch(({ cause }) => {
      const [, host = "", port = ""] = /^MOVED \d+ (.*):(\d+)/.exec(cause instanceof Error ? cause.message : "") ?? []
      if (port === "") return Effect.succeed(url)
      const node = new URL(url)
      node.port = port
      if (host !== "") node.hostname = host.includes(":") ? `[${host}]` : host
      return Effect.succeed(node.href)
    }),
    Effect.provide(Layer.fresh(clientAt(url, stays)))
  )

const layerWith = (url: Redacted.Redacted, stays: boolean) =>
  Layer.unwrap(Effect.map(nodeFor(Redacted.value(url), stays), (node) => Layer.fresh(clientAt(node, stays))))

/** A client that reconnects. */
export const layer = (url: Redacted.Redacted) => layerWith(url, true)

/** A client that fails where it cannot connect at once. */
export const layerOnce = (url: Redacted.Redacted) => layerWith(url, false)
