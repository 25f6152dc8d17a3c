import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { Sandbox } from "../../src/sandbox/SandboxUpstreams.ts"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { call, friday, server } from "./support.ts"

/** A main server as `Server.ts` has one: a router, served, asking the sandbox behind its back. */
class MainAddress extends Context.Service<MainAddress, string>()("test/MainAddress") {}

const routes = HttpRouter.add(
  "GET",
  "/bitcoin",
  Effect.gen(function* () {
    const { baseUrls } = yield* Sandbox
    const response = yield* HttpClient.get(`${baseUrls.COINGECKO}/coins/markets?vs_currency=usd&ids=bitcoin`)
    return HttpServerResponse.text(yield* response.text)
  })
)

const main = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(
    Layer.effect(
      MainAddress,
      Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
    )
  ),
  Layer.provide(server())
)

const sandbox = Sandbox.layer.pipe(Layer.provide(server()))

describe("the sandbox beside another server", () => {
  it.effect("has a port and a router of its own", () =>
    Effect.gen(function* () {
      const { baseUrls, calls } = yield* Sandbox
      const address = yield* MainAddress
      assert.notStrictEqual(new URL(baseUrls.COINGECKO).port, new URL(address).port)
      const answer = yield* Effect.flatMap(HttpClient.get(`${address}/bitcoin`), (response) => response.text)
      assert.match(answer, /^\[\{"id":"bitcoin",.*"current_price":[\d.]+,/)
      assert.strictEqual((yield* calls).COINGECKO, 1)
      const own = yield* HttpClient.get(`${address}/coingecko/global`)
      assert.strictEqual(own.status, 404)
      const foreign = yield* HttpClient.get(`${new URL(baseUrls.COINGECKO).origin}/bitcoin`)
      assert.strictEqual(foreign.status, 404)
    }).pipe(Effect.provide(main.pipe(Layer.provideMerge(sandbox), Layer.provideMerge(FetchHttpClient.layer))))
  )

  it.effect("can stand twice in one program, on two ports, with two seeds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(friday)
      const build = (seed: number) => Layer.build(Sandbox.layerWith({ seed }).pipe(Layer.provide(server())))
      const [one, two] = yield* Effect.all([build(1), build(2)])
      const price = call("COINGECKO", "/coins/markets?vs_currency=usd&ids=bitcoin").pipe(Effect.map(({ text }) => text))
      const [first, second] = yield* Effect.all([Effect.provide(price, one), Effect.provide(price, two)])
      assert.notStrictEqual(first, second)
      assert.notStrictEqual(Context.get(one, Sandbox).baseUrls.LUNO, Context.get(two, Sandbox).baseUrls.LUNO)
      assert.strictEqual((yield* Context.get(one, Sandbox).calls).COINGECKO, 1)
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer))
  )

  it.effect("names a loopback address for every upstream", () =>
    Effect.gen(function* () {
      const { baseUrls } = yield* Sandbox
      for (const name of upstreamNames) assert.match(baseUrls[name], /^http:\/\/127\.0\.0\.1:\d+\/[a-z0-9-]+$/)
      assert.isTrue(baseUrls.BYBIT_P2P.endsWith("/bybit-p2p"))
    }).pipe(Effect.provide(sandbox))
  )

  it.effect("closes at once though a request hangs", () =>
    Effect.gen(function* () {
      const started = yield* Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(Layer.fresh(sandbox))
          yield* Context.get(context, Sandbox).setFault("LUNO", { fault: "hang" })
          yield* Effect.forkDetach(Effect.provide(call("LUNO", "/api/1/ticker?pair=USDTNGN"), context))
          return yield* Effect.map(Context.get(context, Sandbox).calls, ({ LUNO }) => LUNO).pipe(
            Effect.repeat({ until: (calls) => calls > 0, schedule: Schedule.spaced("10 millis") }),
            TestClock.withLive
          )
        })
      )
      assert.strictEqual(started, 1)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
