// A proxy on loopback before a server, in which a test breaks, delays, counts or swallows what passes.
import { Effect } from "effect"
import * as Net from "node:net"
import { listening } from "./resources.ts"

/** Bytes on their way. */
export interface Piece {
  readonly chunk: Buffer
  /** Whether the client sends them. */
  readonly isRequest: boolean
  /** The socket of the client, which tells its connection from others. */
  readonly client: Net.Socket
  readonly pass: () => void
}

/** A proxy until the scope ends; `relay` passes each piece on, or does not. */
export const proxyTo = Effect.fnUntraced(function* (
  target: { readonly host?: string; readonly port: number },
  relay: (piece: Piece) => void = ({ pass }) => pass()
) {
  const open = new Set<Net.Socket>()
  let isAccepting = true
  let connections = 0
  const server = Net.createServer({ noDelay: true }, (client) => {
    if (!isAccepting) return void client.destroy()
    connections++
    open.add(client)
    const far = Net.connect({ host: "127.0.0.1", ...target, noDelay: true })
    for (const one of [client, far]) {
      const other = one === client ? far : client
      one.on("data", (chunk: Buffer) =>
        relay({ chunk, client, isRequest: one === client, pass: () => void other.write(chunk) })
      )
      one.on("error", () => {})
      one.on("close", () => {
        open.delete(client)
        other.destroy()
      })
    }
  })
  const port = yield* listening(server)
  return {
    port,
    /** The sockets of clients that are connected. */
    open: (): ReadonlySet<Net.Socket> => open,
    /** How many connections were made. */
    connections: () => connections,
    /** Whether connections are accepted. Those that are open break when they no longer are. */
    accept: (accepts: boolean) => {
      isAccepting = accepts
      if (!accepts) for (const socket of open) socket.destroy()
    }
  }
})
