// Faults that were found where two parts of the server read the same request differently. Each is a request over a socket.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { newKeyIn } from "../../cli/NewKey.ts"
import { RunningService, get, send, sharedFriday } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

/** A key of the service. */
const developer = Effect.flatMap(RunningService, ({ dataDir }) => newKeyIn(dataDir))

/** A request with nothing but this line and headers; the answer as it came. */
const raw = (line: string, headers: ReadonlyArray<string>) =>
  send([`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"))

rulesIn(sharedFriday)("one request, read once", (rule) => {
  rule("a second question mark is text", function* () {
    const { text } = yield* get("/v1/convert?amount=5&from=bitcoin&to=ngn&ref=https://shop/pay?amount=10")
    assert.strictEqual(JSON.parse(text).data.amount, 5)
    const table = yield* get("/v1/coins?limit=2&x?&format=csv")
    assert.match(table.headers["content-type"] ?? "", /^text\/csv/)
    assert.match((yield* get("/v1/coins?limit=2")).headers["content-type"] ?? "", /json/)
  })

  rule("a preflight says nothing about the key that comes with it", function* () {
    const valid = yield* developer
    const from = { "x-forwarded-for": "203.0.113.221" }
    const asked = yield* get("/v1/fx", { headers: { ...from, "x-api-key": valid } })
    assert.strictEqual(asked.headers["x-ratelimit-limit"], "600")
    for (const key of [valid, "cda_x"]) {
      const { headers, status } = yield* get("/v1/fx", { method: "OPTIONS", headers: { ...from, "x-api-key": key } })
      const rates = [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]
      assert.deepStrictEqual([status, ...rates], [204, "60", "60"])
    }
  })

  rule("a wrong key is refused and counted however the path is written", function* () {
    const headers = { "x-forwarded-for": "203.0.113.222", "x-cg-demo-api-key": "CG-abcdef" }
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

  rule("a free path is free however it is written", function* () {
    const from = ["X-Forwarded-For: 203.0.113.223"]
    for (const target of ["/healthz", "http://example.com/healthz", "/health%7a", "/healthz/?x#y"]) {
      const answer = yield* raw(`GET ${target}`, from)
      assert.match(answer, /^HTTP\/1.1 200 /, target)
      assert.match(answer, /x-ratelimit-remaining: 60\r\n/, target)
    }
  })
})
