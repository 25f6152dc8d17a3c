// Faults that were found where two parts of the server read the same request differently. Each is a request over a socket.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { newKeyIn } from "../../cli/NewKey.ts"
import { friday, RunningService, withoutEvidence, onlyNaira, get, pass, send } from "../../RunningService.ts"
import { rulesIn } from "../../rulesOf.ts"

const service = RunningService.layer({ at: friday, config: { ...withoutEvidence, ...onlyNaira } })

/** A key of the service. */
const developer = Effect.flatMap(RunningService, ({ dataDir }) => newKeyIn(dataDir))

/** A request with nothing but this line and headers; the answer as it came. */
const raw = (line: string, headers: ReadonlyArray<string>) =>
  send([`${line} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n"))

rulesIn(service)("one request, read once", (rule) => {
  rule("a second question mark is text: no request with one changes what the plain one answers", function* () {
    const key = yield* developer
    const attacks = [
      ["/v1/convert?amount=5&from=bitcoin&to=ngn", "&ref=https://shop/pay?amount=10"],
      [
        "/v1/convert?from=bitcoin&to=ngn",
        "&x?&amount=10",
        "&expect=1&expect?&basis=customer",
        "&max_age=600&max_age?&basis=customer"
      ],
      ["/v1/coins?limit=2", "&x?&format=csv", "&max_age=600&max_age?&format=csv"],
      ["/v1/fx", "?max_age=1000000&max_age?&format=csv"],
      ["/v1/price/bitcoin/usd", "?expect=1&expect?&at=2026-11-01"],
      [
        "/v1/price/bitcoin/ngn",
        "?x?&basis=customer",
        "?expect=1&?expect=1&basis=customer",
        "?max_age=600&max_age?&basis=customer"
      ]
    ] as const
    for (const round of [1, 2, 3]) {
      // With new snapshots nothing is kept, and of each path an attack comes first.
      yield* pass("2 minutes")
      for (const [path, ...each] of attacks) {
        const more = each[round - 1]
        if (more === undefined) continue
        // Some answers are kept only when they are asked for again.
        for (let n = 0; n < 3; n++) yield* get(path + more)
        const after = yield* get(path)
        // Of another plan answers are kept apart.
        const { text } = yield* get(path, { headers: { "x-api-key": key } })
        assert.deepStrictEqual([after.status, after.text], [200, text.replace("developer", "free")], path + more)
      }
    }
    const [five, one] = attacks
    const amount = (path: string) => Effect.map(get(path), ({ text }) => JSON.parse(text).data.amount)
    assert.strictEqual(yield* amount(five.join("")), 5)
    assert.strictEqual(yield* amount(five[0]), 5)
    assert.strictEqual(yield* amount(one[0]), 1)
    assert.match((yield* get("/v1/coins?limit=2")).headers["content-type"] ?? "", /json/)
  })

  rule("a preflight says nothing about the key that comes with it", function* () {
    const valid = yield* developer
    const from = { "x-forwarded-for": "203.0.113.1" }
    const asked = yield* get("/v1/fx", { headers: { ...from, "x-api-key": valid } })
    assert.strictEqual(asked.headers["x-ratelimit-limit"], "600")
    for (const key of [valid, "cda_x"]) {
      const { headers, status } = yield* get("/v1/fx", { method: "OPTIONS", headers: { ...from, "x-api-key": key } })
      const rates = [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]
      assert.deepStrictEqual([status, ...rates], [204, "60", "60"])
    }
  })

  rule("a wrong key is refused and counted however the path is written", function* () {
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

  rule("a free path is free however it is written", function* () {
    const from = ["X-Forwarded-For: 203.0.113.3"]
    for (const target of ["/healthz", "http://example.com/healthz", "/health%7a", "/healthz/?x#y"]) {
      const answer = yield* raw(`GET ${target}`, from)
      assert.match(answer, /^HTTP\/1.1 200 /, target)
      assert.match(answer, /x-ratelimit-remaining: 60\r\n/, target)
    }
  })
})
