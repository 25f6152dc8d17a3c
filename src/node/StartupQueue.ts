// Holds requests that arrive after the server has started to listen and before the service answers on it. Node would
// leave such requests unanswered; the service handles them as soon as it is built, usually within a second.
import type { IncomingMessage, Server, ServerResponse } from "node:http"

/** Holds the requests to `server` until an Effect `HttpServer` serves on it. Call it before the server listens. */
export const hold = (server: Server): void => {
  const queue: Array<readonly [IncomingMessage, ServerResponse]> = []
  const enqueue = (request: IncomingMessage, response: ServerResponse) => void queue.push([request, response])

  const handOver = () => {
    server.off("request", enqueue)
    for (const [request, response] of queue.splice(0)) server.emit("request", request, response)
  }

  // Effect's HttpServer listens to "request" and then, in the same turn, to "checkContinue", to which nothing else
  // listens. So a listener to "checkContinue" marks readiness, and the microtask after it finds the "request" listener
  // in place.
  const onListener = (event: string | symbol) => {
    if (event !== "checkContinue") return
    server.off("newListener", onListener)
    queueMicrotask(handOver)
  }

  server.on("request", enqueue)
  server.on("newListener", onListener)
}
