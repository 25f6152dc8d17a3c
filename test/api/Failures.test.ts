// What the contract declares is what compiles: an endpoint that does not name what it fails with, and handlers without `Access`, do not.
import { assert, describe, it } from "@effect/vitest"
import { Effect, type FileSystem, Layer, type Path, Schema } from "effect"
import type { Etag, HttpPlatform, HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Access } from "../../src/api/Access.ts"
import { NoPrice as NoPriceProblem, UnknownCoin as UnknownCoinProblem } from "../../src/api/Problems.ts"
import { answer } from "../../src/http/handlers/Envelope.ts"
import { EndpointMiddleware } from "../../src/http/handlers/EndpointMiddleware.ts"
import { refusing } from "../../src/http/handlers/refusing.ts"
import { UnknownCoin } from "../../src/services/Coins.ts"

const one = HttpApiEndpoint.get("one", "/one", { success: Schema.Unknown, error: [UnknownCoinProblem] })
const other = HttpApiEndpoint.get("other", "/other", { success: Schema.Unknown, error: [NoPriceProblem] })
const api = HttpApi.make("some").add(HttpApiGroup.make("group").add(one, other).middleware(Access))
const open = HttpApi.make("open").add(HttpApiGroup.make("group").add(one))

const failing = refusing(Effect.fail(new UnknownCoin({ id: "x", suggestions: [] })))
const succeeding = Effect.map(Effect.void, () => "")

const handlers = HttpApiBuilder.group(api, "group", (handlers) =>
  handlers.handleAll({
    one: () => failing,
    // @ts-expect-error: its `error` list lacks UnknownCoin
    other: () => failing
  })
)

const named = answer({}, { source: "", updated: undefined as never })

const behind = HttpApiBuilder.group(api, "group", (handlers) =>
  handlers.handleAll({ one: () => named, other: () => succeeding })
)
const without = HttpApiBuilder.group(open, "group", (handlers) => handlers.handleAll({ one: () => named }))

type Host = HttpRouter.HttpRouter | HttpPlatform.HttpPlatform | Etag.Generator | FileSystem.FileSystem | Path.Path
const mounted = (routes: Layer.Layer<never, never, Host>) => routes

const routes = mounted(HttpApiBuilder.layer(api).pipe(Layer.provide(behind), Layer.provide(EndpointMiddleware)))
// @ts-expect-error: the caller is missing, because nothing here is behind `Access`
const unguarded = mounted(HttpApiBuilder.layer(open).pipe(Layer.provide(without)))

describe("the contract", () => {
  it("is kept by the compiler: each line marked above would be an error", () => {
    for (const layer of [handlers, routes, unguarded]) assert.isTrue(Layer.isLayer(layer))
  })
})
