// The HTTP server of the process: from the start until a client is let go.
import { assert, describe } from "@effect/vitest"
import { Deferred, Effect, Fiber, Latch, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import * as Listener from "../../src/node/Listener.ts"
import * as ProtocolErrors from "../../src/node/ProtocolErrors.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { request } from "../cli/ServingProcess.ts"
import { liveRule } from "../rulesOf.ts"

const gate = Gate.layer.pipe(
  Layer.provide([
    RateLimiter.layerMemory(),
    ApiKeys.layerTest({
      authenticate: () => Effect.die(new Error("no key")),
      known: (presented) => {
        if (presented === "throws") throw new Error("thrown by the gate")
        return undefined
      }
    })
  ])
)

/** A server of these routes that is being built until `open` says otherwise. */
const serving = Effect.fnUntraced(function* (routes: Layer.Layer<never, never, HttpRouter.HttpRouter>) {
  const server = ProtocolErrors.makeServer()
  const bound = yield* Deferred.make<number>()
  const open = yield* Deferred.make<void>()
  const slow = Layer.effectDiscard(
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      yield* Deferred.succeed(bound, "port" in address ? address.port : 0)
      yield* Deferred.await(open)
    })
  )
  const service = HttpRouter.serve(Layer.provide(routes, GateMiddleware), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provide(slow),
    Layer.provide(Listener.layer(server, { host: "127.0.0.1", port: 0 })),
    Layer.provide([gate, Lifecycle.layer]),
    Layer.fresh
  )
  yield* Effect.forkScoped(Layer.launch(service))
  return { port: yield* Deferred.await(bound), server, open: Deferred.succeed(open, undefined) }
})

describe("the listener", () => {
  liveRule("answers requests that come before the service is built once it is, each once, and later", function* () {
    let count = 0
    const { open, port, server } = yield* serving(
      HttpRouter.add(
        "GET",
        "/own",
        Effect.sync(() => HttpServerResponse.text(String(++count)))
      )
    )
    const arrived = yield* Latch.make(false)
    let requests = 0
    server.on("request", () => ++requests === 3 && arrived.openUnsafe())
    const asked = (n: number) => Effect.forkChild(request(port, "/own", n), { startImmediately: true })
    const early = yield* Effect.forEach([1, 2, 3], asked)
    yield* arrived.await
    assert.deepStrictEqual(
      early.map((fiber) => fiber.pollUnsafe()),
      [undefined, undefined, undefined]
    )
    yield* open
    const first = yield* Effect.forEach(early, Fiber.join)
    const later = yield* request(port, "/own", 4)
    assert.deepStrictEqual([...first, later].map(({ status, text }) => [status, text]).sort(), [
      [200, "1"],
      [200, "2"],
      [200, "3"],
      [200, "4"]
    ])
  })

  liveRule("survives a response that cannot be written: only that connection ends", function* () {
    const { open, port } = yield* serving(
      Layer.mergeAll(
        HttpRouter.add("GET", "/broken", HttpServerResponse.text("x", { headers: { "x-bad": "a\nb" } })),
        HttpRouter.add("GET", "/own", HttpServerResponse.text("here"))
      )
    )
    yield* open
    const broken = yield* request(port, "/broken", 1)
    assert.notStrictEqual(broken.status, 200)
    assert.strictEqual((yield* request(port, "/own", 2)).text, "here")
  })

  liveRule(
    "closes the connection of a client that sends more than 10,000 requests before the service is there",
    function* () {
      const { open, port } = yield* serving(HttpRouter.add("GET", "/docs", HttpServerResponse.text("here")))
      const socket = Net.connect(port, "127.0.0.1")
      socket.on("error", () => {})
      const closed = Effect.promise(() => once(socket, "close"))
      socket.write("GET /docs HTTP/1.1\r\nhost: x\r\n\r\n".repeat(10_001))
      yield* closed
      yield* open
      assert.strictEqual((yield* request(port, "/docs", 2)).text, "here")
    }
  )

  liveRule("closes one connection where the gate throws, and answers the next", function* () {
    const { open, port } = yield* serving(HttpRouter.add("GET", "/docs", HttpServerResponse.text("here")))
    yield* open
    const asking = Http.get({ host: "127.0.0.1", port, path: "/docs", headers: { "x-api-key": "throws" } })
    const [failure] = yield* Effect.promise(() => once(asking, "error"))
    assert.strictEqual(failure.code, "ECONNRESET")
    assert.strictEqual((yield* request(port, "/docs", 2)).text, "here")
  })

  liveRule("closes the connection of a client that reads no answer for 30 s, at Node's second look", function* () {
    const long = "x".repeat(40_000_000)
    const { open, port, server } = yield* serving(HttpRouter.add("GET", "/long", HttpServerResponse.text(long)))
    yield* open
    let looks = 0
    server.prependListener("connection", (accepted: Net.Socket & { _onTimeout?: () => void }) => {
      const look = accepted._onTimeout
      accepted._onTimeout = function () {
        looks++
        look?.call(this)
      }
    })
    const wait = server.timeout
    // The same without waiting for half a minute.
    server.timeout = 300
    const socket = Net.connect(port, "127.0.0.1")
    socket.on("error", () => {})
    yield* Effect.promise(() => once(socket, "connect"))
    socket.pause()
    socket.write("GET /long HTTP/1.1\r\nhost: x\r\n\r\n")
    const open_ = Effect.callback<number>((resume) => {
      server.getConnections((_failure, count) => resume(Effect.succeed(count)))
    })
    yield* Effect.repeat(open_, { until: (count) => count === 1 })
    yield* Effect.repeat(Effect.andThen(Effect.sleep("20 millis"), open_), { until: (count) => count === 0 })
    assert.strictEqual(looks * wait, 30_000)
    socket.destroy()
  })
})
