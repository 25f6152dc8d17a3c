// The shutdown: its order and its deadlines over a server in this process and the TestClock, and once as a real process
// under load.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Deferred, Effect, Exit, Fiber, Layer, Schedule, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import { setTimeout } from "node:timers/promises"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import { RateLimiter } from "../../src/access/RateLimiter.ts"
import { Gate } from "../../src/http/gate/Gate.ts"
import { GateMiddleware } from "../../src/http/gate/GateMiddleware.ts"
import * as Listener from "../../src/node/Listener.ts"
import * as ProtocolErrors from "../../src/node/ProtocolErrors.ts"
import * as Shutdown from "../../src/node/Shutdown.ts"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { layerWorld, request, serving } from "../cli/ServingProcess.ts"
import { capturedLog } from "../resources.ts"
import { rule } from "../rulesOf.ts"

/** A server with the layers of `Serve.ts` around one route, which answers when `answer` says so. */
const server = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const answer = yield* Deferred.make<void>()
  const { layer: log, logged } = capturedLog()
  let arrived = 0
  const node = ProtocolErrors.makeServer()
  const routes = HttpRouter.add(
    "GET",
    "/",
    Effect.suspend(() => {
      arrived++
      return Effect.as(Deferred.await(answer), HttpServerResponse.text("done"))
    })
  )
  const context = yield* Layer.build(
    Shutdown.layer.pipe(
      Layer.provide(
        HttpRouter.serve(Layer.provide(routes, GateMiddleware), { disableLogger: true, disableListenLog: true })
      ),
      Layer.provide(Listener.layer(node, { host: "127.0.0.1", port: 0 })),
      Layer.provide(Gate.layer),
      Layer.provide([
        RateLimiter.layerMemory(),
        ApiKeys.layerTest({ authenticate: () => Effect.die(new Error("no key")), known: () => undefined })
      ]),
      Layer.provideMerge(Lifecycle.layer),
      Layer.provide(log)
    )
  ).pipe(Scope.provide(scope))
  yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
  const address = node.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  return {
    port,
    logged,
    answer: Deferred.succeed(answer, undefined),
    untilArrived: (count: number) => eventually(Effect.sync(() => arrived === count)),
    isDraining: Context.get(context, Lifecycle).isDraining,
    accepts: Effect.callback<boolean>((resume) => {
      const socket = Net.connect(port, "127.0.0.1", () => resume(Effect.succeed(true)))
      socket.on("connect", () => socket.destroy()).on("error", () => resume(Effect.succeed(false)))
    }),
    stop: Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
  }
})

/** Waits in real time: sockets do not follow the TestClock. */
const realTime = (millis: number) => Effect.promise(() => setTimeout(millis))

const eventually = (condition: Effect.Effect<boolean>): Effect.Effect<void> =>
  condition.pipe(Effect.tap(realTime(5)), Effect.repeat({ until: (holds) => holds }), Effect.asVoid)

/** Lets time pass, and gives what is due the chance to happen on real sockets. */
const pass = (millis: number) => Effect.andThen(TestClock.adjust(millis), realTime(30))

const get = (port: number, agent: Http.Agent) =>
  Effect.callback<Http.IncomingMessage>((resume) => {
    Http.get({ host: "127.0.0.1", port, path: "/", agent }, (response) => {
      response.resume().on("end", () => resume(Effect.succeed(response)))
    }).on("error", (cause) => resume(Effect.die(cause)))
  })

describe("a shutdown", () => {
  it.effect("keeps the listener open for as long as SHUTDOWN_DELAY says", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.provide(Shutdown.layer, Lifecycle.layer), scope)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("19 seconds")
      assert.isUndefined(closing.pollUnsafe())
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
    }).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ SHUTDOWN_DELAY: "20 seconds" }))
    )
  )

  rule("reports not ready at once and closes the listener half a second later", function* () {
    const { accepts, isDraining, stop } = yield* server
    const stopping = yield* stop
    assert.isTrue(yield* isDraining)
    yield* pass(499)
    assert.isTrue(yield* accepts)
    yield* TestClock.adjust(1)
    yield* eventually(Effect.map(accepts, (isAccepted) => !isAccepted))
    // With nothing under way it ends without waiting any longer.
    yield* Fiber.join(stopping)
  })

  rule("completes the requests under way, then closes their connections", function* () {
    const { answer, logged, port, stop, untilArrived } = yield* server
    const agent = new Http.Agent({ keepAlive: true })
    const before = yield* Effect.forkChild(get(port, agent), { startImmediately: true })
    yield* untilArrived(1)
    const stopping = yield* stop
    const meanwhile = yield* Effect.forkChild(get(port, agent), { startImmediately: true })
    yield* untilArrived(2)
    yield* pass(500)
    yield* pass(9_000)
    assert.deepStrictEqual([before.pollUnsafe(), meanwhile.pollUnsafe()], [undefined, undefined])
    yield* answer
    const [first, second] = yield* Effect.all([Fiber.join(before), Fiber.join(meanwhile)])
    assert.deepStrictEqual([first.statusCode, second.statusCode], [200, 200])
    assert.strictEqual(second.headers.connection, "close", "keep-alive ends")
    yield* pass(100)
    yield* Fiber.join(stopping)
    assert.lengthOf(logged, 1, "no connection was left to be closed")
    agent.destroy()
  })

  rule("answers a request whose last bytes arrive after the listener has closed", function* () {
    const { accepts, answer, port, stop, untilArrived } = yield* server
    let text = ""
    const late = Net.connect(port, "127.0.0.1", () => late.write("GET / HTTP/1.1\r\nhost: x\r\n"))
    const closed = once(
      late.on("data", (chunk) => (text += chunk)),
      "close"
    )
    yield* realTime(30)
    const stopping = yield* stop
    yield* pass(500)
    yield* eventually(Effect.map(accepts, (isAccepted) => !isAccepted))
    late.write("\r\n")
    yield* untilArrived(1)
    yield* answer
    yield* Effect.promise(() => closed)
    assert.match(text, /^HTTP\/1.1 200 OK\r\n[^]*connection: close[^]*done$/i)
    yield* pass(100)
    yield* Fiber.join(stopping)
  })

  rule("waits ten seconds at most for requests that never end, and closes what is open then", function* () {
    const { logged, port, stop, untilArrived } = yield* server
    const half = Net.connect(port, "127.0.0.1", () => half.write("GET / HTTP/1.1\r\nhost: x\r\nx-slow: "))
    const unanswered = Net.connect(port, "127.0.0.1", () => unanswered.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
    const closed = [half, unanswered].map((socket) => once(socket.on("error", () => {}).resume(), "close"))
    yield* untilArrived(1)
    const stopping = yield* stop
    yield* pass(500)
    yield* pass(9_999)
    assert.isUndefined(stopping.pollUnsafe())
    yield* pass(1)
    yield* pass(100)
    yield* Fiber.join(stopping)
    yield* Effect.promise(() => Promise.all(closed))
    assert.match(logged.at(-1) ?? "", /^Closing [12] connections that are still open$/)
  })
})

const OPEN = 200

/** The status of `/readyz` until it cannot be reached any more. */
const readiness = (port: number) => {
  const statuses: Array<number | string> = []
  return request(port, "/readyz", 9998).pipe(
    Effect.tap(({ status }) => Effect.sync(() => statuses.push(status))),
    Effect.repeat({ until: ({ status }) => status === "ECONNREFUSED", schedule: Schedule.spaced(20) }),
    Effect.as(statuses)
  )
}

describe("the process", () => {
  it.live(`answers ${OPEN} open requests after SIGINT, whatever signals follow, and ends with exit code 0`, () =>
    Effect.gen(function* () {
      const { setFault } = yield* Sandbox
      for (const name of ["COINGECKO", "COINPAPRIKA"] as const) {
        yield* setFault(name, { fault: "hang" })
      }
      const { child, ended, port, written } = yield* serving
      const agent = new Http.Agent({ keepAlive: true, maxSockets: OPEN })
      const open = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: OPEN }, (_, client) => request(port, "/v1/coins?limit=1", client, agent)),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      // Connections are accepted in order: when a later one is answered, all of these have arrived.
      yield* eventually(Effect.sync(() => Object.values(agent.sockets).flat().length === OPEN))
      yield* request(port, "/healthz", 9999)
      assert.isUndefined(open.pollUnsafe(), "the requests wait for the first answer of a source")

      child.kill("SIGINT")
      const statuses = yield* readiness(port)
      child.kill("SIGTERM")
      assert.include(statuses, 503)
      assert.isEmpty(statuses.slice(statuses.indexOf(503)).filter((status) => status === 200))

      // No source answers: each request is told so when its wait for a first answer ends, none is cut off.
      const answers = (yield* Fiber.join(open)).map(({ status }) => status)
      assert.deepStrictEqual(new Set(answers), new Set([503]))
      const signals = Effect.forever(
        Effect.andThen(
          Effect.sync(() => child.kill("SIGTERM")),
          Effect.sleep(1)
        )
      )
      const end = yield* Effect.raceFirst(ended, signals)
      assert.deepStrictEqual(end, { code: 0, signal: null }, written.stdout + written.stderr)
      agent.destroy()
    }).pipe(Effect.scoped, Effect.provide(layerWorld))
  )
})
