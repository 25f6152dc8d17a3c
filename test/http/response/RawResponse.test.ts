// Responses are made without Effect's constructors, which copy the headers: they must be what those make.
import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { toResponse } from "../../../src/http/response/RawResponse.ts"

const headers = { "content-type": "application/json", "content-length": "14", "x-request-id": "a" }

describe("RawResponse", () => {
  it("is for Effect the response that its constructors make of text, bytes and nothing", async () => {
    const text = '{"name":"naïf"}'
    const bytes = new TextEncoder().encode(text)
    const made = [
      HttpServerResponse.text(text, { status: 400, headers, contentType: "application/json" }),
      HttpServerResponse.uint8Array(bytes, { status: 200, headers, contentType: "application/json" }),
      HttpServerResponse.empty({ status: 304, headers: { etag: "W/" } })
    ]
    const own = [
      toResponse({ status: 400, headers: { ...headers, "content-length": "16" }, content: text }),
      toResponse({ status: 200, headers: { ...headers, "content-length": "16" }, content: bytes }),
      toResponse({ status: 304, headers: { etag: "W/" }, content: undefined })
    ]
    for (const [n, response] of own.entries()) {
      const expected = made[n]
      assert.isTrue(HttpServerResponse.isHttpServerResponse(response))
      assert.isDefined(expected)
      if (expected === undefined) continue
      assert.sameMembers(
        Object.keys(response),
        Object.keys(expected).filter((key) => key !== "statusText")
      )
      const [ours, theirs] = [HttpServerResponse.toWeb(response), HttpServerResponse.toWeb(expected)]
      assert.deepStrictEqual([ours.status, ...ours.headers], [theirs.status, ...theirs.headers])
      assert.strictEqual(await ours.text(), await theirs.text())
    }
  })
})
