import { NodeHttpServer, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Naira } from "crypto-data-api"
import { layerAccessLocal, layerErrorReporter, layerRoutes, layerServices } from "crypto-data-api/server"
import { Config, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"

// A route of your own over the same services: a source is polled once for both.
const quote = HttpRouter.use(
  Effect.fn(function* (router) {
    const { rate } = yield* Naira
    const answer = Effect.map(rate, ({ source, value }) => HttpServerResponse.jsonUnsafe({ sell: value.sell, source }))
    const late = Effect.catchTag(answer, "Unavailable", ({ message, retryAfter }) => {
      const headers = { "retry-after": String(retryAfter) }
      return Effect.succeed(HttpServerResponse.text(`${message}\n`, { status: 503, headers }))
    })
    yield* router.add("GET", "/quote", late)
  })
)

const layer = HttpRouter.serve(Layer.merge(layerRoutes, quote)).pipe(
  // Below it are the services: they are built before the server listens. A request that came earlier would get no answer.
  Layer.provide(NodeHttpServer.layerConfig(createServer, { port: Config.Int("PORT").pipe(Config.withDefault(3000)) })),
  Layer.provide([layerServices, layerErrorReporter]),
  // API keys as files in ./data/keys, limits in memory for at most so many callers.
  Layer.provide(layerAccessLocal({ dataDir: "./data", maxKeys: 100_000 })),
  Layer.provide(NodeServices.layer)
)

NodeRuntime.runMain(Layer.launch(layer))
