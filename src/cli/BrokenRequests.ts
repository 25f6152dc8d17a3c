// Requests so broken that Node answers them itself: not HTTP, headers too large, too slow to arrive. They get the same rate
// headers and problem body as any other response, and cost one like any other.
import { Effect, Layer } from "effect"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as ClientAddress from "../access/ClientAddress.ts"
import { free } from "../access/Plan.ts"
import { Quotas } from "../access/Quotas.ts"
import { explanations } from "../api/Problems.ts"
import { rateHeaders } from "../http/RateHeaders.ts"

const codes: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

/** Answers broken requests on `server`. */
export const layer = (server: Server): Layer.Layer<never, never, Quotas> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const quotas = yield* Quotas
      const run = Effect.runForkWith(yield* Effect.context<never>())

      const answer = (code: string, socket: Socket) =>
        Effect.map(quotas.take(ClientAddress.quotaKey(socket.remoteAddress, undefined, []), free), (quota) => {
          if (!socket.writable) return
          const { status = 400, text: detail, title } = explanations[code] ?? {}
          const body = JSON.stringify({ type: `/problems/${code}`, title, status, detail, code })
          const headers = {
            ...rateHeaders(quota),
            "content-type": "application/problem+json",
            "content-length": String(Buffer.byteLength(body)),
            "cache-control": "no-store",
            "access-control-allow-origin": "*",
            connection: "close"
          }
          const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
          socket.end([`HTTP/1.1 ${status} ${title ?? ""}`, ...lines, "", body].join("\r\n"))
        })

      const onClientError = (failure: Error & { readonly code?: string }, socket: Socket) => {
        if (failure.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
        run(answer(codes[failure.code ?? ""] ?? "malformed_request", socket))
      }
      server.on("clientError", onClientError)
      yield* Effect.addFinalizer(() => Effect.sync(() => server.off("clientError", onClientError)))
    })
  )
