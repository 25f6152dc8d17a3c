// A proxy on loopback behind which a network swallows what is sent, without an end of the connection.
import { Effect } from "effect"
import * as Net from "node:net"

/** What is swallowed: of connections that are open when it begins, or of the next one once its handshake is over. */
export const swallows = ["both directions", "requests", "replies", "all after the handshake"] as const

export type Swallow = (typeof swallows)[number]

export interface SwallowingProxy {
  readonly port: number
  /** Begins to swallow. Connections that are made later are whole, but for the first one of `all after the handshake`. */
  readonly swallow: (what: Swallow) => void
  /** Whether all that is sent is swallowed from now on, of connections that are made later too. */
  readonly cut: (isCut: boolean) => void
  /** How many connections were made. */
  readonly connections: () => number
}

/** A proxy to a port of this machine, until the scope closes. */
export const make = Effect.fnUntraced(function* (target: number) {
  const lost = new Map<Net.Socket, Swallow>()
  const open = new Set<Net.Socket>()
  let connections = 0
  let afterHandshake = false
  let isCut = false
  const server = Net.createServer((inside) => {
    connections++
    const outside = Net.connect(target, "127.0.0.1")
    open.add(inside)
    if (isCut) lost.set(inside, "both directions")
    const isLateVictim = afterHandshake
    afterHandshake = false
    outside.on("data", (chunk) => {
      const what = lost.get(inside)
      if (what === undefined || what === "requests") inside.write(chunk)
      if (isLateVictim) lost.set(inside, "both directions")
    })
    inside.on("data", (chunk) => {
      const what = lost.get(inside)
      if (what === undefined || what === "replies") outside.write(chunk)
    })
    for (const socket of [inside, outside]) {
      socket.on("error", () => {})
      socket.on("close", () => {
        open.delete(inside)
        inside.destroy()
        outside.destroy()
      })
    }
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        for (const socket of open) socket.destroy()
        server.close()
      })
  )
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    swallow: (what) => {
      for (const socket of open) {
        if (what === "all after the handshake") socket.destroy()
        else lost.set(socket, what)
      }
      afterHandshake = what === "all after the handshake"
    },
    cut: (now) => {
      isCut = now
      if (isCut) for (const socket of open) lost.set(socket, "both directions")
    },
    connections: () => connections
  } satisfies SwallowingProxy
})
