import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { threadCpuUsage } from "node:process"
import { ApiKeys } from "../../../src/access/ApiKeys.ts"
import { RateLimiter } from "../../../src/access/RateLimiter.ts"
import { Gate } from "../../../src/http/gate/Gate.ts"
import { Responses } from "../../../src/http/response/Responses.ts"
import type { RawResponse } from "../../../src/http/response/RawResponse.ts"
import { rule } from "../../rulesOf.ts"

const cause = new Error("the answer cannot be written")

/** What a gate answers where the look for a kept answer is this, and what it logs. */
const gateWith = Effect.fnUntraced(function* (cached: Responses["Service"]["cached"]) {
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
  const respond = (target: string, method = "GET") =>
    Effect.callback<RawResponse>((resume) =>
      handle(
        { method, target, headers: {}, peer: "192.0.2.1" },
        {
          respond: (outgoing) => resume(Effect.succeed(outgoing)),
          route: () => resume(Effect.die(new Error("a miss")))
        }
      )
    )
  return { logged, respond }
})

const TIMES = 50

describe("the gate", () => {
  const throwing = () => {
    throw cause
  }
  for (const [how, kept] of [
    ["throws", throwing],
    ["is rejected", () => Promise.reject(cause)]
  ] as const) {
    rule(`answers 500, counted and logged, where the look for a kept answer ${how}`, function* () {
      const { logged, respond } = yield* gateWith(kept)
      const outgoing = yield* respond("/v1/fx")
      assert.deepStrictEqual([outgoing.status, outgoing.headers["x-ratelimit-remaining"]], [500, "59"])
      assert.strictEqual(JSON.parse(String(outgoing.content)).code, "internal")
      assert.notInclude(String(outgoing.content), cause.message)
      assert.include(logged.flat(), cause)
    })
  }
  rule("spends less than 1 ms on 64 kB of unknown names, for a preflight and for a caller without quota", function* () {
    const names = Array.from({ length: 16_000 }, (_, n) => n.toString(36).padStart(3, "0"))
    const { respond } = yield* gateWith(() => undefined)
    for (let n = 0; n < 60; n++) yield* respond("/v1/convert")
    for (const [method, status] of [
      ["OPTIONS", 204],
      ["GET", 429]
    ] as const) {
      const before = threadCpuUsage()
      for (let n = 0; n < TIMES; n++) {
        // Another text each time.
        assert.strictEqual((yield* respond(`/v1/convert?${n}&${names.join("&")}`, method)).status, status)
      }
      const { system, user } = threadCpuUsage(before)
      assert.isBelow((user + system) / TIMES, 1000, `microseconds of a ${status}`)
    }
  })
})
