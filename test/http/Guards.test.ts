// Every answer that guards look at notes what they check. What they decide is in `response/Guards.test.ts`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { get, sharedFriday } from "../RunningService.ts"
import { Price } from "../../src/api/MarketApi.ts"
import { Naira } from "../../src/api/P2pApi.ts"
import { answerAt, read } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const price = "/v1/price/bitcoin/ngn"
const convert = "/v1/convert?from=bitcoin&to=usd&amount=3"
const aged = [`${price}?`, "/v1/prices?ids=bitcoin,tether&fiats=usd&", `${convert}&`, "/v1/naira?", "/v1/fx?"]
const rated = [`${price}?`, `${convert}&`]

const rateAt = (path: string) =>
  Effect.map(get(path), ({ text }): number => {
    const { data } = JSON.parse(text)
    return data.price ?? data.rate
  })

/** An answer is the one without the guard. */
const leaves = Effect.fnUntraced(function* (path: string, guard: string) {
  const [plain, guarded] = [yield* get(path), yield* get(path + guard)]
  assert.deepStrictEqual([guarded.status, guarded.text], [200, plain.text], path + guard)
  assert.strictEqual(guarded.headers.etag, plain.headers.etag, path)
})

const refused = Effect.fnUntraced(function* (path: string, status: number, code: string) {
  const problem = JSON.parse((yield* answerAt(path, status)).text)
  assert.strictEqual(problem.code, code, path)
  return problem
})

rulesIn(sharedFriday)("guards", (rule) => {
  rule("leave an answer unchanged that passes", function* () {
    for (const path of aged) yield* leaves(path, "max_age=1000000")
    for (const path of rated) yield* leaves(path, `expect=${(yield* rateAt(path)).toFixed(8)}`)
  })

  rule("bound how long caches elsewhere may reuse the answer", function* () {
    // A stale answer may be used for so long after its max-age, RFC 5861.
    const lifetime = ({ "cache-control": text }: Readonly<Record<string, unknown>>) => {
      const [fresh = 0, ...stale] = Array.from(String(text).matchAll(/=(\d+)/g), ([, n]) => Number(n))
      return fresh + Math.max(...stale)
    }
    assert.isAbove(lifetime((yield* get("/v1/naira")).headers), 100)
    const guarded = yield* get("/v1/naira?max_age=100")
    assert.strictEqual(guarded.status, 200)
    assert.isAtMost(lifetime(guarded.headers), 100)
    const expected = yield* get("/v1/convert?from=usd&to=ngn&expect=1500&tolerance=100")
    assert.match(expected.headers["cache-control"] ?? "", /^public, max-age=\d+, stale-.*=0, stale-if-error=0$/)
  })

  rule("apply to HEAD, If-None-Match and encodings as to GET, and are no part of the kept answer", function* () {
    for (const path of rated) {
      const rate = yield* rateAt(path)
      const expecting = (times: number) => `${path}max%5Fage=100000&expect=${(rate * times).toFixed(8)}`
      const { headers } = yield* get(expecting(1))
      for (const [times, plain, conditional] of [
        [3, 409, 409],
        [1, 200, 304],
        [3, 409, 409]
      ] as const) {
        for (const [init, status] of [
          [{}, plain],
          [{ method: "HEAD" }, plain],
          [{ headers: { "if-none-match": headers.etag ?? "" } }, conditional],
          [{ headers: { "accept-encoding": "br" } }, plain]
        ] as const) {
          const answer = yield* get(expecting(times), init)
          assert.strictEqual(answer.status, status, `${path} ${times}`)
          if (status === 409) assert.strictEqual(answer.headers["cache-control"], "no-store")
        }
      }
    }
  })

  rule("are compared with the side that the basis chooses", function* () {
    const { data } = yield* read("/v1/naira", Naira)
    const path = "/v1/price/tether/ngn"
    assert.strictEqual((yield* read(path, Price)).data.price, data.mid)
    const sell = (data.sell ?? 0).toFixed(6)
    yield* refused(`${path}?expect=${sell}&tolerance=0.01`, 409, "rate_moved")
    yield* leaves(`${path}?basis=customer&`, `expect=${sell}&tolerance=0.01`)
    yield* leaves("/v1/convert?from=tether&to=ngn&basis=customer&", `expect=${sell}&tolerance=0.01`)
  })

  rule("see that two aggregators agree on a coin which no exchange has: medium", function* () {
    for (const path of [
      "/v1/coins/bitcoin?",
      "/v1/price/bitcoin/usd?",
      "/v1/prices?ids=bitcoin&",
      `${price}?`,
      "/v1/prices?ids=bitcoin,tether&fiats=usd,ngn&",
      "/v1/prices?ids=bitcoin&fiats=ngn&format=csv&",
      "/v1/convert?from=usd&to=ngn&"
    ]) {
      yield* leaves(path, "min_confidence=medium")
      const { detail } = yield* refused(`${path}min_confidence=high`, 503, "too_uncertain")
      assert.match(detail, /^The confidence of the rate is medium/, path)
    }
  })

  rule(
    "see that markets are certain, that rates of fiats alone have no confidence, and what is not followed",
    function* () {
      for (const path of [
        "/v1/price/tether/ngn?basis=customer&",
        "/v1/convert?from=kes&to=ngn&basis=p2p&",
        "/v1/convert?from=usd&to=ngn&basis=official&",
        "/v1/convert?from=usd&to=eur&",
        "/v1/convert?from=usd&to=ves&basis=official&",
        "/v1/naira?",
        "/v1/p2p/ngn?"
      ]) {
        yield* leaves(path, "min_confidence=high")
      }
      const { detail } = yield* refused("/v1/convert?from=usd&to=ves&min_confidence=medium", 503, "too_uncertain")
      assert.match(detail, /is low, .*you get the official rate\.$/)
    }
  )
})
