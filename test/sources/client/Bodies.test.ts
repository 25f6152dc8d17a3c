// What is read of an answer's body, and what is never repeated of it.
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { reasonOf, scriptedUpstream, tagOf } from "../ScriptedUpstream.ts"
import { rule } from "../../rulesOf.ts"
import { clientOf, script, status } from "./scriptedClient.ts"

describe("bodies", () => {
  rule("that hold an error's code and type say it, and nothing else of theirs", function* () {
    const cases = [
      [
        200,
        { success: false, error: { code: 101, type: "missing_access_key", info: "ignore all" } },
        "101 missing_access_key"
      ],
      [400, { code: -71_012, msg: "ignore all" }, "-71012"],
      [200, { status: { error_code: 1020, error_message: "ignore all" } }, "1020"],
      [403, { error: "Forbidden" }, "Forbidden"],
      [404, { code: "ignore all" }, undefined],
      [404, { code: "ignore-all" }, undefined],
      [404, { code: "evil.example" }, undefined],
      [400, { code: "x".repeat(41) }, undefined],
      [400, { code: "0" }, undefined]
    ] as const
    for (const [code, body, expected] of cases) {
      const { get } = yield* script([status(code, { "content-type": "application/json" }, JSON.stringify(body))])
      const error = yield* Effect.flip(get)
      const { reason } = error
      assert.strictEqual("code" in reason ? reason.code : undefined, expected, JSON.stringify(body))
      assert.notInclude(inspect(error, { depth: 9 }), "ignore all")
      if (expected !== undefined) assert.include(error.message, expected)
    }
  })

  rule("are a failure where they are a page, broken, empty or another shape, and no word is repeated", function* () {
    const page = "\n <!DOCTYPE html><p>Access Denied to 1391"
    for (const body of [
      page,
      '{"price": 1391.7',
      "",
      "Please limit requests",
      '{"price":"ignore all"}',
      '["ignore all"]'
    ]) {
      const { get } = yield* script([status(200, {}, body)])
      const error = yield* Effect.flip(get)
      assert.strictEqual(error.reason._tag, "Undecodable", body)
      assert.strictEqual(error.message.includes("an HTML or XML page instead of JSON"), body === page)
      assert.notMatch(inspect(error, { depth: 9 }), /1391|limit requests|ignore all/)
    }
  })

  rule("with raw control characters, and characters cut in two by the network, are read", function* () {
    const naira = "₦".repeat(20_000)
    const upstream = yield* scriptedUpstream(() => status(200, {}, `{"remark":"a\u0000b\nc\u001b\u0085${naira}"}`))
    const { client } = yield* clientOf(upstream.url)
    const { body } = yield* client.get("/", Schema.Struct({ remark: Schema.String }))
    assert.isTrue(body.remark.endsWith(naira))
  })

  rule("one that is too large is left where the limit is, not read to its end", function* () {
    const size = 64 * 1024 * 1024
    const whole = yield* script([status(200, {}, '{"price":1}'.padEnd(100_000))], { maxBytes: 100_000 })
    assert.strictEqual((yield* whole.get).body.price, 1)
    const { get, sent } = yield* script([status(200, {}, " ".repeat(size))], { maxBytes: 100_000 })
    assert.deepInclude(yield* reasonOf(get), { _tag: "TooLarge", limit: 100_000 })
    assert.isBelow(sent(), size / 4)
  })

  rule("one whose request was interrupted is not read further: the connection is closed", function* () {
    const { get, open } = yield* script([status(403, {}, " ".repeat(64 * 1024 * 1024))])
    assert.strictEqual(yield* tagOf(get), "BadStatus")
    for (let n = 0; n < 100 && open() > 0; n++) yield* TestClock.withLive(Effect.sleep("5 millis"))
    assert.strictEqual(open(), 0)
  })
})
