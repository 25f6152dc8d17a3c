import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schema } from "effect"
import { HttpBody, HttpEffect, HttpRouter, HttpServer, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { ApiKeys } from "../../../src/access/ApiKeys.ts"
import { keyed } from "../../../src/access/Plan.ts"
import { RateLimiter } from "../../../src/access/RateLimiter.ts"
import { Caller } from "../../../src/api/Caller.ts"
import { IsCached, Cacheable } from "../../../src/api/Cacheable.ts"
import { Gate } from "../../../src/http/gate/Gate.ts"
import { CachedResponse } from "../../../src/http/response/CachedResponse.ts"
import { make } from "../../../src/http/response/ResponseCache.ts"
import { CacheableLayer } from "../../../src/http/response/CacheableLayer.ts"
import { Representation } from "../../../src/http/response/Representation.ts"
import { VersionedRef, read, Dependencies } from "../../../src/services/refresh/Dependencies.ts"

/** Two snapshots, each a number that only grows, and how long a handler takes to come from one to the other. */
class World extends Context.Service<
  World,
  { readonly a: VersionedRef<number>; readonly b: VersionedRef<number>; slow: number; asked: number }
>()("test/World") {
  static readonly layer = Layer.sync(this, () =>
    World.of({ a: new VersionedRef(0), b: new VersionedRef(0), slow: 0, asked: 0 })
  )
}

const Told = Schema.Struct({ a: Schema.Int, b: Schema.Int, tier: Schema.String, padding: Schema.String })

class Group extends HttpApiGroup.make("group").add(
  HttpApiEndpoint.get("kept", "/kept", { success: Told }).annotate(IsCached, true),
  HttpApiEndpoint.get("made", "/made", { success: Told })
) {}

class TwoSnapshots extends HttpApi.make("two").add(Group).middleware(Cacheable) {}

const told = Effect.gen(function* () {
  const world = yield* World
  const { tier } = yield* Caller
  world.asked++
  const a = yield* read(world.a)
  yield* Effect.sleep(world.slow)
  // Long enough to be worth compressing.
  return { a, b: yield* read(world.b), tier, padding: "0123456789".repeat(200) }
})

const routes = HttpApiBuilder.layer(TwoSnapshots).pipe(
  Layer.provide(
    HttpApiBuilder.group(
      TwoSnapshots,
      "group",
      Effect.fn(function* (handlers) {
        const world = yield* World
        const answer = Effect.provideService(told, World, world)
        return handlers.handleAll({ kept: () => answer, made: () => answer })
      })
    ).pipe(Layer.provide(CacheableLayer))
  ),
  Layer.provide(Gate),
  Layer.provide(RateLimiter.layer),
  Layer.provide(
    ApiKeys.layerTest({
      authenticate: (key) => Effect.succeed({ _tag: "Valid", plan: keyed.business, quotaKey: `key:${key}` }),
      known: () => undefined
    })
  ),
  Layer.provide(HttpServer.layerServices)
)

interface Ask {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A server without sockets; what it sends is noted in the order of sending. */
const serving = Effect.gen(function* () {
  const app = yield* HttpRouter.toHttpEffect(routes)
  const sent: Array<HttpServerResponse.HttpServerResponse> = []
  const handled = HttpEffect.toHandled(app, (_request, response) => Effect.sync(() => void sent.push(response)))
  const ask = ({ headers = {}, path }: Ask) =>
    Effect.suspend(() =>
      Effect.provideService(
        handled,
        HttpServerRequest.HttpServerRequest,
        HttpServerRequest.fromWeb(new Request(`http://test${path}`, { headers: { ...headers } }))
      )
    )
  return { ask, sent, world: yield* World }
}).pipe(Effect.provide(World.layer))

const bodyOf = ({ body, headers }: HttpServerResponse.HttpServerResponse): typeof Told.Type => {
  if (body._tag !== "Uint8Array") throw new Error("no body")
  const encoding = headers["content-encoding"]
  const bytes =
    encoding === "br" ? brotliDecompressSync(body.body) : encoding === "gzip" ? gunzipSync(body.body) : body.body
  return JSON.parse(new TextDecoder().decode(bytes))
}

const Step = Schema.Union([
  Schema.TaggedStruct("Refresh", { which: Schema.Literals(["a", "b"]) }),
  Schema.TaggedStruct("Pass", { millis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })) }),
  Schema.TaggedStruct("Ask", {
    path: Schema.Literals(["/kept", "/kept?x=1", "/made"]),
    key: Schema.Literals(["", "k"]),
    encoding: Schema.Literals(["identity", "gzip", "br"]),
    slow: Schema.Literals([0, 5, 30])
  })
])

describe("an answer that is kept", () => {
  it.effect.prop(
    "whatever refreshes come between, nobody is told less than somebody was told before, nor parts of two answers",
    { steps: Schema.Array(Step) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { ask, sent, world } = yield* serving
        const asked: Array<Fiber.Fiber<void>> = []
        for (const step of steps) {
          if (step._tag === "Refresh") world[step.which].replace(world[step.which].value + 1)
          else if (step._tag === "Pass") yield* TestClock.adjust(step.millis)
          else {
            world.slow = step.slow
            const key = step.key === "" ? {} : { "x-api-key": step.key }
            const asking = ask({ path: step.path, headers: { ...key, "accept-encoding": step.encoding } })
            asked.push(yield* Effect.forkChild(asking, { startImmediately: true }))
          }
          // Compressing goes on beside; sometimes it is done before the next step, sometimes not.
          yield* TestClock.withLive(Effect.yieldNow)
        }
        while (asked.some((fiber) => fiber.pollUnsafe() === undefined)) {
          yield* TestClock.adjust(50)
          yield* TestClock.withLive(Effect.sleep(1))
        }
        assert.strictEqual(sent.length, asked.length)
        const told = sent.map(bodyOf)
        for (const [n, { a, b }] of told.entries()) {
          assert.isAtLeast(a, Math.max(0, ...told.slice(0, n).map((before) => before.a)))
          assert.isAtLeast(b, Math.max(0, ...told.slice(0, n).map((before) => before.b)))
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 150, size: 60 } }
  )

  it.effect("is made once for all who ask alike, and again when something it was made of changes", () =>
    Effect.gen(function* () {
      const { ask, sent, world } = yield* serving
      for (let n = 0; n < 3; n++) yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 1)
      world.b.replace(1)
      for (let n = 0; n < 3; n++) yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 2)
      assert.deepStrictEqual(
        sent.map((response) => bodyOf(response).b),
        [0, 0, 0, 1, 1, 1]
      )
    })
  )

  it.effect("is another one for each plan", () =>
    Effect.gen(function* () {
      const { ask, sent } = yield* serving
      for (const headers of [{}, { "x-api-key": "k" }, {}, { "x-api-key": "k" }]) yield* ask({ path: "/kept", headers })
      assert.deepStrictEqual(
        sent.map((response) => [bodyOf(response).tier, response.headers["cache-control"]?.split(",")[0]]),
        [
          ["free", "public"],
          ["business", "private"],
          ["free", "public"],
          ["business", "private"]
        ]
      )
    })
  )

  it.effect("is compressed once, whoever asks in which encoding", () =>
    Effect.gen(function* () {
      const { ask, sent, world } = yield* serving
      for (const encoding of ["gzip", "br", "identity", "gzip", "br"]) {
        yield* ask({ path: "/kept", headers: { "accept-encoding": encoding } })
      }
      assert.strictEqual(world.asked, 1)
      assert.strictEqual(sent[0]?.body, sent[3]?.body)
      assert.strictEqual(sent[1]?.body, sent[4]?.body)
      assert.strictEqual(new Set(sent.map(({ headers }) => headers["etag"])).size, 3)
    })
  )

  it.effect("is no answer any more when what it was made of may not be used any longer", () =>
    Effect.gen(function* () {
      const { ask, world } = yield* serving
      world.a.replace(1, 60_000)
      yield* ask({ path: "/kept" })
      yield* TestClock.adjust("1 minute")
      yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 1)
      yield* TestClock.adjust(1)
      yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 2)
    })
  )

  it.effect("is kept although something was too old for it: that it is missing lasts until there is a newer one", () =>
    Effect.gen(function* () {
      const { ask, world } = yield* serving
      world.a.replace(1, 60_000)
      yield* TestClock.adjust("2 minutes")
      for (let n = 0; n < 3; n++) yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 1)
      world.a.replace(2, 300_000)
      yield* ask({ path: "/kept" })
      assert.strictEqual(world.asked, 2)
    })
  )

  it.effect("is made each time where the endpoint is not marked", () =>
    Effect.gen(function* () {
      const { ask, world } = yield* serving
      for (let n = 0; n < 3; n++) yield* ask({ path: "/made" })
      assert.strictEqual(world.asked, 3)
    })
  )
})

describe("the store of kept answers", () => {
  const answerOf = (bytes: number, reads = new Dependencies()) =>
    new CachedResponse("/", new Representation(HttpBody.text("x".repeat(bytes), "text/plain")), reads)

  it("holds no more than its bound, however many addresses come, and lets the ones last asked for go last", () => {
    const bound = 200_000
    const answers = make(bound)
    answers.keep("free", "/hot", answerOf(100))
    for (let n = 0; n < 2000; n++) {
      answers.keep("free", `/${n}`, answerOf(100 + (n % 3000)))
      assert.isAtMost(answers.size(), bound)
      assert.isDefined(answers.find("free", "/hot", 0))
    }
    assert.isUndefined(answers.find("free", "/0", 0))
  })

  it("does not keep what was overtaken while it was made, nor what is too large, nor endless addresses", () => {
    const answers = make(100_000)
    const origin = new VersionedRef(1)
    const reads = new Dependencies()
    reads.note(origin, 0)
    origin.replace(2)
    answers.keep("free", "/overtaken", answerOf(100, reads))
    answers.keep("free", "/large", answerOf(60_000))
    answers.keep("free", `/${"x".repeat(9000)}`, answerOf(100))
    assert.strictEqual(answers.size(), 0)
  })

  it("does not keep a snapshot in memory that was replaced", async () => {
    setFlagsFromString("--expose-gc")
    const collect: unknown = runInNewContext("gc")
    assert(typeof collect === "function")
    const answers = make(100_000)
    const origin = new VersionedRef({ coins: 1 })
    const reads = new Dependencies()
    reads.note(origin, 0)
    answers.keep("free", "/", answerOf(100, reads))
    const replaced = new WeakRef(origin.value)
    origin.replace({ coins: 2 })
    // A `WeakRef` holds its object until the end of the turn.
    await setImmediate()
    collect()
    assert.isUndefined(replaced.deref())
    assert.isUndefined(answers.find("free", "/", 0))
    assert.isAbove(answers.size(), 0)
  })

  it("counts an address once, however often its answer is replaced", () => {
    const answers = make(100_000)
    for (let n = 0; n < 1000; n++) answers.keep("free", "/", answerOf(100))
    assert.isAtMost(answers.size(), 2000)
  })
})
