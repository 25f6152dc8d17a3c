// The tokens of the page.
import { assert, it } from "@effect/vitest"
import { make } from "../../src/access/PageTokens.ts"

it("a token is of one process, one address and one time", () => {
  const tokens = make()
  const token = tokens.issue("ip:1.2.3.4", 1000)
  assert.isTrue(tokens.isValid(token, "ip:1.2.3.4", 1000))
  assert.isTrue(tokens.isValid(token, "ip:1.2.3.4", 600_999))
  assert.isFalse(tokens.isValid(token, "ip:1.2.3.4", 601_000))
  assert.isFalse(tokens.isValid(token, "ip:1.2.3.5", 1000))
  assert.isFalse(make().isValid(token, "ip:1.2.3.4", 1000))
})
