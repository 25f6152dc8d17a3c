// The page's own quota: who gets it, how much it is, and that it takes nothing from the usual one.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { PAGE_LIMIT } from "../../../src/access/PageTokens.ts"
import type { It } from "../../api/endpoints.ts"
import { get } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"

const here = { "x-forwarded-for": "203.0.113.10" }
const browser = { "sec-fetch-site": "same-origin" }

const tokenAt = Effect.fnUntraced(function* (address: Readonly<Record<string, string>>) {
  const { headers, text } = yield* get("/page/token", { headers: { ...address, ...browser } })
  assert.strictEqual(headers["cache-control"], "no-store")
  const { seconds, token } = JSON.parse(text)
  assert.strictEqual(seconds, 600)
  return String(token)
})

const limitOf = (headers: Readonly<Record<string, string>>) =>
  Effect.map(get("/v1/naira", { headers }), (answer) => Number(answer.headers["x-ratelimit-limit"]))

export const quota = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("the page's quota counts requests of a page of this origin, with its address's token, apart", function* () {
    const token = yield* tokenAt(here)
    const usual = yield* get("/v1/naira", { headers: here })
    for (let asked = 1; asked <= PAGE_LIMIT; asked++) {
      const { headers, status } = yield* get("/v1/naira", {
        headers: { ...here, ...browser, "x-page-token": token }
      })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["x-ratelimit-remaining"], String(PAGE_LIMIT - asked))
    }
    const over = yield* get("/v1/naira", { headers: { ...here, ...browser, "x-page-token": token } })
    assert.strictEqual(over.status, 429)
    // Another tab, with a token of its own, counts in the same bucket.
    const other = yield* tokenAt(here)
    assert.strictEqual((yield* get("/v1/fx", { headers: { ...here, ...browser, "x-page-token": other } })).status, 429)
    const after = yield* get("/v1/naira", { headers: here })
    const left = (answer: typeof usual) => Number(answer.headers["x-ratelimit-remaining"])
    // The second token was a usual request.
    assert.strictEqual(left(after), left(usual) - 2)
  })

  rule("the page's quota is not for other sites, other addresses, other tokens, or callers with a key", function* () {
    const address = { "x-forwarded-for": "203.0.113.11" }
    const token = yield* tokenAt(address)
    const sent = { ...address, ...browser, "x-page-token": token }
    assert.strictEqual(yield* limitOf(sent), PAGE_LIMIT)
    for (const site of ["cross-site", "same-site", "none", ""]) {
      assert.strictEqual(yield* limitOf({ ...sent, "sec-fetch-site": site }), 60, site)
      const refused = yield* get("/page/token", { headers: { ...address, "sec-fetch-site": site } })
      assert.deepStrictEqual([refused.status, refused.text], [204, ""], site)
    }
    assert.strictEqual(yield* limitOf({ ...sent, "x-forwarded-for": "203.0.113.12" }), 60)
    for (const forged of ["", "x", `zzzzzzzz.${token.split(".")[1]}`, `${token}=`, token.slice(0, -1)]) {
      assert.strictEqual(yield* limitOf({ ...sent, "x-page-token": forged }), 60, forged)
    }
    assert.strictEqual((yield* get("/v1/naira", { headers: { ...sent, "x-api-key": "cda_x" } })).status, 401)
  })
}
