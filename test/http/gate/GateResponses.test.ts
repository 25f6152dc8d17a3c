// A prepared 429 is the gate's own, whoever is refused and however long the window lasts.
import { assert, describe, it } from "@effect/vitest"
import * as GateResponses from "../../../src/http/gate/GateResponses.ts"

describe("a prepared 429", () => {
  it("tells each caller the limit and the wait of its own, as the gate does", () => {
    const prepared = GateResponses.tooManyPrepared("ops@exämple.org")
    for (const [limit, retryAfter] of [
      [60, 5],
      [60, 6],
      [600, 5],
      [60, 5]
    ] as const) {
      const quota = { limit, remaining: -1, reset: 1_700_000_000 + retryAfter, retryAfter }
      const { body, headers, status } = GateResponses.tooMany(quota, "1a-2", "ops@exämple.org")
      const sent = prepared(quota)
      assert.strictEqual(sent.status, status)
      assert.strictEqual(body._tag === "Uint8Array" ? body.text : undefined, sent.content("1a-2"))
      const list = sent.headers("1a-2", quota)
      for (const [name, value] of Object.entries(headers)) assert.strictEqual(list[list.indexOf(name) + 1], value, name)
      assert.strictEqual(list[list.indexOf("retry-after") + 1], String(retryAfter))
    }
  })
})
