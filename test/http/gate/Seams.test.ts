// Faults that were found where two parts of the server read the same request differently. Each is a request over a socket.
import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ApiKeyFiles from "../../../src/persistence/ApiKeyFiles.ts"
import { newKey } from "../../cli/NewKey.ts"
import { friday, RunningService, withoutEvidence } from "../../RunningService.ts"

const service = RunningService.layer({ at: friday, config: withoutEvidence })

/** A request with nothing but this line and headers; the answer as it came. */
const raw = (line: string, headers: ReadonlyArray<string>) =>
  Effect.flatMap(RunningService, ({ send }) =>
    send([`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"))
  )

layer(service)("one request, read once", (it) => {
  it.effect("a second question mark is text: it changes neither the amount nor the price that others get", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const resultOf = (path: string) => Effect.map(get(path), ({ text }) => JSON.parse(text).data.amount)
      const path = "/v1/convert?amount=5&from=bitcoin&to=ngn"
      for (let n = 0; n < 3; n++) {
        assert.strictEqual(yield* resultOf(`${path}&ref=https://shop/pay?amount=10`), 5)
        assert.strictEqual(yield* resultOf(path), 5)
      }
      const plain = yield* get("/v1/price/bitcoin/usd")
      for (let n = 0; n < 3; n++) yield* get("/v1/price/bitcoin/usd?expect=1&expect?&at=2026-11-01")
      assert.strictEqual((yield* get("/v1/price/bitcoin/usd")).text, plain.text)
      const json = yield* get("/v1/coins?limit=2")
      for (let n = 0; n < 3; n++) yield* get("/v1/coins?limit=2&max_age=600&max_age?&format=csv")
      assert.strictEqual((yield* get("/v1/coins?limit=2")).text, json.text)
    })
  )

  it.effect("a preflight says nothing about the key that comes with it", () =>
    Effect.gen(function* () {
      const { dataDir, get } = yield* RunningService
      const store = ApiKeyFiles.layer(`${dataDir}/keys`).pipe(Layer.provide(NodeServices.layer))
      const valid = yield* Effect.provide(newKey("developer"), store)
      const from = { "x-forwarded-for": "203.0.113.1" }
      const asked = yield* get("/v1/fx", { headers: { ...from, "x-api-key": valid } })
      assert.strictEqual(asked.headers["x-ratelimit-limit"], "600")
      for (const key of [valid, "cda_x"]) {
        const { headers, status } = yield* get("/v1/fx", { method: "OPTIONS", headers: { ...from, "x-api-key": key } })
        const rates = [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]
        assert.deepStrictEqual([status, ...rates], [204, "60", "60"])
      }
    })
  )

  it.effect("a wrong key is refused and counted however the path is written", () =>
    Effect.gen(function* () {
      const { get } = yield* RunningService
      const headers = { "x-forwarded-for": "203.0.113.2", "x-cg-demo-api-key": "CG-abcdef" }
      const paths = [
        "/compat/coingecko/api/v3/ping",
        "/compat/coingecko/api/v%33/ping",
        "/compat/c%6Fingecko/api/v3/ping/"
      ]
      for (const [n, path] of paths.entries()) {
        const answer = yield* get(path, { headers })
        assert.deepStrictEqual([answer.status, answer.headers["x-ratelimit-remaining"]], [401, String(59 - n)], path)
      }
    })
  )

  it.effect("a free path is free however it is written", () =>
    Effect.gen(function* () {
      const from = ["X-Forwarded-For: 203.0.113.3"]
      for (const target of ["/healthz", "http://example.com/healthz", "/health%7a", "/healthz/?x#y"]) {
        const answer = yield* raw(`GET ${target}`, from)
        assert.match(answer, /^HTTP\/1.1 200 /, target)
        assert.match(answer, /x-ratelimit-remaining: 60\r\n/, target)
      }
    })
  )
})
