import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import * as Http from "node:http"
import * as StartupQueue from "../../src/node/StartupQueue.ts"
import { request } from "../cli/ServingProcess.ts"

it.live("requests before the service is built are answered once it is, each once, and so are later ones", () =>
  Effect.gen(function* () {
    const server = Http.createServer()
    StartupQueue.hold(server)
    const there = yield* Deferred.make<void>()
    const bound = yield* Deferred.make<number>()
    const answered: Array<string> = []

    const service = Layer.effectDiscard(
      Effect.gen(function* () {
        const { address, serve } = yield* HttpServer.HttpServer
        yield* Deferred.succeed(bound, "port" in address ? address.port : 0)
        yield* Deferred.await(there)
        yield* serve(Effect.sync(() => HttpServerResponse.text(String(answered.push("")))))
      })
    ).pipe(
      Layer.provide(
        NodeHttpServer.layer(() => server, { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: "1 second" })
      )
    )
    const running = yield* Effect.forkScoped(Layer.launch(service))
    const port = yield* Deferred.await(bound)
    const asked = (n: number) => Effect.forkChild(request(port, "/", n), { startImmediately: true })
    const early = yield* Effect.forEach([1, 2, 3], asked)
    yield* Effect.sleep("200 millis")
    assert.deepStrictEqual(
      early.map((fiber) => fiber.pollUnsafe()),
      [undefined, undefined, undefined]
    )
    yield* Deferred.succeed(there, undefined)
    const first = yield* Effect.forEach(early, Fiber.join)
    const later = yield* request(port, "/", 4)
    assert.deepStrictEqual([...first, later].map(({ status, text }) => [status, text]).sort(), [
      [200, "1"],
      [200, "2"],
      [200, "3"],
      [200, "4"]
    ])
    yield* Fiber.interrupt(running)
  }).pipe(Effect.scoped, Effect.timeout("10 seconds"))
)
