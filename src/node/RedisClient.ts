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

/** How the client behaves when its connection fails. */
interface Persistence {
  readonly pingInterval?: number
  readonly socket: {
    readonly connectTimeout: number
    readonly socketTimeout?: number
    readonly reconnectStrategy: number | false
  }
}

const clientAt = (url: string, { pingInterval, socket }: Persistence) =>
  Layer.provideMerge(
    destroyAtEnd,
    NodeRedis.layer({
      url,
      disableOfflineQueue: true,
      // Notifications of planned maintenance would refuse the address of a Unix socket.
      maintNotifications: "disabled",
      ...(pingInterval !== undefined && { pingInterval }),
      // The client writes into this object.
      socket: { ...socket }
    })
  )

/**
 * The address of the node that has the service's keys. A node of a cluster that does not have them names it
 * (`MOVED <slot> <host>:<port>`); user, password and TLS stay as they are.
 */
const nodeFor = (url: string, persistence: Persistence) =>
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
    Effect.provide(Layer.fresh(clientAt(url, persistence)))
  )

const layerWith = (url: Redacted.Redacted, persistence: Persistence) =>
  Layer.unwrap(
    Effect.map(nodeFor(Redacted.value(url), persistence), (node) => Layer.fresh(clientAt(node, persistence)))
  )

/**
 * A client that fails commands at once while it has no connection. It pings every second, drops a connection that is
 * silent for 3 s, and reconnects until it succeeds.
 */
export const layer = (url: Redacted.Redacted) =>
  layerWith(url, {
    pingInterval: 1_000,
    socket: { connectTimeout: 2_000, socketTimeout: 3_000, reconnectStrategy: 250 }
  })

/**
 * A client that fails where it cannot connect at once. A connection that is silent is dropped, also while it is made: closing it
 * would wait for ever for an answer.
 */
export const layerOnce = (url: Redacted.Redacted) =>
  layerWith(url, { socket: { connectTimeout: 2_000, socketTimeout: 3_000, reconnectStrategy: false } })
