// A server for `/metrics` alone, on the port of the setting `METRICS_PORT`. It counts no requests and knows no other path.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { makeScrape } from "../http/MetricsRoute.ts"
import { otherPaths } from "../http/request/Paths.ts"

const notFound = HttpServerResponse.text(`This port has ${otherPaths.metrics} alone.\n`, { status: 404 })

const app = Effect.map(makeScrape, (scrape) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    url.split("?", 1)[0] === otherPaths.metrics ? scrape : Effect.succeed(notFound)
  )
)

/** Listens until the scope ends. */
export const layer = (options: { readonly host: string; readonly port: number }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* NodeHttpServer.make(() => createServer(), options)
      yield* server.serve(yield* app)
      const { address } = server
      yield* Effect.logInfo(`Metrics at ${HttpServer.formatAddress(address)}${otherPaths.metrics}`)
    })
  )
