// Requests that arrive when the server listens already and the service is not there yet: Node would leave them without an answer
// for ever. They are kept for the service, which is there within a second or so.
import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Keeps what arrives on `server` until an Effect `HttpServer` answers on it. To be called before it listens. */
export const keep = (server: Server): void => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse) => void early.push([request, response])

  const handOver = () => {
    server.off("request", hold)
    for (const [request, response] of early.splice(0)) server.emit("request", request, response)
  }

  // What answers listens to both events, one right after the other, and nobody else listens to this one.
  const onListener = (event: string | symbol) => {
    if (event !== "checkContinue") return
    server.off("newListener", onListener)
    queueMicrotask(handOver)
  }

  server.on("request", hold)
  server.on("newListener", onListener)
}
