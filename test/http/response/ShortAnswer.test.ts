import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HttpBody } from "effect/http"
import type { PlanName } from "../../../src/access/Plan.ts"
import { CachedResponse } from "../../../src/http/response/CachedResponse.ts"
import { Representation } from "../../../src/http/response/Representation.ts"
import { make } from "../../../src/http/response/ResponseCache.ts"
import { ShortAnswer } from "../../../src/http/response/ShortAnswer.ts"
import { Dependencies, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"

const plans: ReadonlyArray<PlanName> = ["free", "developer", "business"]

const bodyFor = (plan: PlanName, data: unknown) => JSON.stringify({ data, meta: { source: "coingecko", tier: plan } })

const answerOf = (body: string, headers?: Readonly<Record<string, string>>, reads = new Dependencies()) =>
  new CachedResponse("/v1/price/:id/:fiat", new Representation(HttpBody.text(body, "application/json"), headers), reads)

const sentOf = (answer: CachedResponse) => ({
  route: answer.route,
  content: answer.representation.identity.content,
  headers: answer.representation.identity.list(),
  cacheControl: answer.cacheControl(true, 0)
})

describe("a short answer", () => {
  it.prop(
    "made for one plan is sent to the others as if it had been made for them, to the byte",
    { data: Schema.String, made: Schema.Literals(plans), asked: Schema.Literals(plans) },
    ({ asked, data, made }) => {
      const short = ShortAnswer.of(made, answerOf(bodyFor(made, data.slice(0, 100))))
      const expected = sentOf(answerOf(bodyFor(asked, data.slice(0, 100))))
      assert.deepStrictEqual(short && sentOf(short.answerFor(asked, 0)), expected)
    }
  )

  it("is one that names the plan at its end and has neither encodings nor headers of its own", () => {
    const long = bodyFor("free", "x".repeat(2000))
    assert.isUndefined(ShortAnswer.of("free", answerOf(long)))
    assert.isUndefined(ShortAnswer.of("free", answerOf(`{"tier":"free","data":1}`)))
    assert.isUndefined(ShortAnswer.of("business", answerOf(bodyFor("free", 1))))
    assert.isUndefined(ShortAnswer.of("free", answerOf(bodyFor("free", 1), { link: "</v1/coins>" })))
    assert.isDefined(ShortAnswer.of("free", answerOf(bodyFor("free", 1))))
  })

  it("is made for each request, and held where it is asked for many times a second", () => {
    const short = ShortAnswer.of("free", answerOf(bodyFor("free", 1)))
    const [rare, often] = [1000, 0].map((gap) =>
      Array.from({ length: 20 }, (_, n) => short?.answerFor("free", 10_000 + n * gap))
    )
    assert.strictEqual(new Set(rare).size, 20)
    assert.isBelow(new Set(often).size, 20)
    assert.strictEqual(often?.at(-1), often?.at(-2))
  })

  it("is no answer for any plan once a snapshot is replaced that it was built from", () => {
    const cache = make(100_000)
    const origin = new VersionedRef(1)
    const reads = new Dependencies()
    reads.note(origin, 0)
    cache.keep("free", "/", answerOf(bodyFor("free", 1), undefined, reads))
    for (let n = 0; n < 20; n++) {
      assert.strictEqual(cache.find("business", "/", n)?.representation.asText(), bodyFor("business", 1))
    }
    origin.replace(2)
    for (const plan of plans) assert.isUndefined(cache.find(plan, "/", 20))
  })
})
