// A host with routes of its own beside this service's, on one router.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { rulesIn } from "../../rulesOf.ts"
import { layerOf } from "../ScriptedRoutes.ts"

/** Routes with tokens, CORS, a cache and errors of their own. */
const host = Layer.mergeAll(
  HttpRouter.add("GET", "/orders", ({ headers }) =>
    Effect.succeed(
      HttpServerResponse.text(headers["authorization"] ?? "nobody", {
        headers: {
          "access-control-allow-origin": "https://shop.example",
          "cache-control": "private, max-age=5",
          vary: "cookie"
        }
      })
    )
  ),
  HttpRouter.add("POST", "/orders", ({ text }) => Effect.map(Effect.orDie(text), HttpServerResponse.text)),
  HttpRouter.add(
    "OPTIONS",
    "/orders",
    HttpServerResponse.empty({
      headers: { "access-control-allow-methods": "POST", "access-control-allow-origin": "https://shop.example" }
    })
  ),
  HttpRouter.add("GET", "/gone", HttpServerResponse.empty({ status: 410 })),
  HttpRouter.add(
    "GET",
    "/url/*",
    Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) => HttpServerResponse.text(url))
  )
)

const jwt = { authorization: "Bearer eyJhbGciOiJIUzI1NiJ9.x.y" }

const ask = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  const { headers, status, text } = yield* HttpClient.execute(request)
  return { headers, status, text: yield* text }
})

/** What this service adds to its own responses. */
const added = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-request-id", "access-control-expose-headers"]

rulesIn(layerOf({ host }))("beside this service", (rule) => {
  rule("a host's tokens, CORS, POST, errors and URLs are its own", function* () {
    const get = yield* ask(HttpClientRequest.get("/orders", { headers: jwt }))
    assert.deepStrictEqual([get.status, get.text], [200, jwt.authorization])
    assert.strictEqual(get.headers["access-control-allow-origin"], "https://shop.example")
    assert.strictEqual(get.headers["cache-control"], "private, max-age=5")
    assert.strictEqual(get.headers["vary"], "cookie")
    const post = yield* ask(HttpClientRequest.bodyText(HttpClientRequest.post("/orders"), "two"))
    assert.deepStrictEqual([post.status, post.text], [200, "two"])
    const preflight = yield* ask(HttpClientRequest.options("/orders"))
    assert.strictEqual(preflight.headers["access-control-allow-methods"], "POST")
    const gone = yield* ask(HttpClientRequest.get("/gone"))
    assert.deepStrictEqual([gone.status, gone.text], [410, ""])
    const unknown = yield* ask(HttpClientRequest.get("/nothing"))
    assert.deepStrictEqual([unknown.status, unknown.text], [404, ""])
    const url = yield* ask(HttpClientRequest.get("/url/a%2Fb?x=1&x=2"))
    assert.strictEqual(url.text, "/url/a%2Fb?x=1&x=2")
    for (const { headers } of [get, post, preflight, gone, unknown, url]) {
      assert.deepStrictEqual(
        added.filter((name) => name in headers),
        []
      )
    }
  })

  rule("its requests cost nothing, and those of this service are limited as ever", function* () {
    for (let n = 0; n < 70; n++) yield* ask(HttpClientRequest.get("/orders"))
    const own = yield* ask(HttpClientRequest.get("/v1/nothing-of-this-service"))
    assert.strictEqual(own.status, 404)
    const { headers, status } = yield* ask(HttpClientRequest.get("/llms.txt"))
    assert.deepStrictEqual([status, headers["x-ratelimit-remaining"]], [200, "59"])
    assert.strictEqual((yield* ask(HttpClientRequest.get("/llms.txt", { headers: jwt }))).status, 401)
  })
})

rulesIn(layerOf({ host, others: "counted" }))("a host that asks for it", (rule) => {
  rule("has its routes limited, and changed by nothing but the rate headers", function* () {
    assert.strictEqual((yield* ask(HttpClientRequest.get("/orders", { headers: jwt }))).status, 401)
    const { headers, status } = yield* ask(HttpClientRequest.get("/orders"))
    assert.deepStrictEqual([status, headers["x-ratelimit-remaining"]], [200, "58"])
    assert.strictEqual(headers["access-control-allow-origin"], "https://shop.example")
    assert.strictEqual(headers["cache-control"], "private, max-age=5")
    assert.strictEqual(
      (yield* ask(HttpClientRequest.options("/orders"))).headers["access-control-allow-methods"],
      "POST"
    )
    const post = yield* ask(HttpClientRequest.bodyText(HttpClientRequest.post("/orders"), "two"))
    assert.deepStrictEqual([post.status, post.text, post.headers["x-ratelimit-remaining"]], [200, "two", "57"])
    for (let n = 0; n < 60; n++) yield* ask(HttpClientRequest.get("/gone"))
    assert.strictEqual((yield* ask(HttpClientRequest.get("/orders"))).status, 429)
  })
})
