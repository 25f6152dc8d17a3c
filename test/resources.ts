// What tests take from the machine for a while, and what a service logged.
import { Effect, Logger } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pid } from "node:process"

/** A folder that is removed with the scope, again where a write that was under way comes between. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 9 }))
)

let tried = pid * 101

/** A port that is free now, below those that outgoing connections are given meanwhile. */
export const freePort = Effect.callback<number>((resume) => {
  const server = Net.createServer()
  const attempt = () => server.listen(20_000 + (tried++ % 12_000), "127.0.0.1")
  server.on("error", attempt).on("listening", () => {
    const port = portOf(server)
    server.close(() => resume(Effect.succeed(port)))
  })
  attempt()
})

const portOf = (server: Net.Server): number => {
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** The port of a server on loopback, which ends with the scope, and its connections with it. */
export const listening = (server: Net.Server) => {
  const open = new Set<Net.Socket>()
  server.on("connection", (socket: Net.Socket) => open.add(socket.once("close", () => open.delete(socket))))
  return Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(portOf(server))))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of open) socket.destroy()
      })
  )
}

/** A layer that keeps what is logged: `logged` has the messages, `lines` the same as `Level message`. */
export const capturedLog = () => {
  const logged: Array<string> = []
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    logged.push(String(message))
    lines.push(`${logLevel} ${String(message)}`)
  })
  return { logged, lines, layer: Logger.layer([logger]) }
}
