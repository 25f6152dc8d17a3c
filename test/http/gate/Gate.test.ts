import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { ApiKeys } from "../../../src/access/ApiKeys.ts"
import { RateLimiter } from "../../../src/access/RateLimiter.ts"
import { Gate } from "../../../src/http/gate/Gate.ts"
import { Responses } from "../../../src/http/response/Responses.ts"
import type { RawResponse } from "../../../src/http/response/RawResponse.ts"
import { rule } from "../../rulesOf.ts"

const cause = new Error("the answer cannot be written")

/** What the gate answers where looking for a kept answer fails so, and what it logs. */
const responseAfter = Effect.fnUntraced(function* (cached: Responses["Service"]["cached"]) {
  const logged: Array<unknown> = []
  const layer = Gate.layerNoDeps.pipe(
    Layer.provide([
      RateLimiter.layerMemory(),
      ApiKeys.layerTest({ authenticate: () => Effect.die(new Error("no key")), known: () => undefined }),
      Layer.succeed(
        Responses,
        Responses.of({
          cached,
          respond: (_request, _question, handle) => handle,
          finish: (_request, response) => response
        })
      )
    ]),
    Layer.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])),
    Layer.fresh
  )
  const { handle } = yield* Effect.provide(Gate, layer)
  const incoming = { method: "GET", target: "/v1/fx", headers: {}, peer: "192.0.2.1" }
  const outgoing = yield* Effect.callback<RawResponse>((resume) =>
    handle(incoming, {
      respond: (outgoing) => resume(Effect.succeed(outgoing)),
      route: () => resume(Effect.die(new Error("a miss")))
    })
  )
  return { logged, outgoing }
})

describe("the gate", () => {
  const throwing = () => {
    throw cause
  }
  for (const [how, kept] of [
    ["throws", throwing],
    ["is rejected", () => Promise.reject(cause)]
  ] as const) {
    rule(`answers 500, counted and logged, where the look for a kept answer ${how}`, function* () {
      const { logged, outgoing } = yield* responseAfter(kept)
      assert.deepStrictEqual([outgoing.status, outgoing.headers["x-ratelimit-remaining"]], [500, "59"])
      assert.strictEqual(JSON.parse(String(outgoing.content)).code, "internal")
      assert.notInclude(String(outgoing.content), cause.message)
      assert.include(logged.flat(), cause)
    })
  }
})
