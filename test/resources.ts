// What tests take from the machine for a while, and what a service logged.
import { Effect, Logger } from "effect"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "crypto-data-api-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A port that is free now. */
export const freePort = Effect.promise(async () => {
  const server = Net.createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return address !== null && typeof address === "object" ? address.port : 0
})

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
