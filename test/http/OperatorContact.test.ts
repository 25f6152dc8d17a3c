import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedRoutes from "./ScriptedRoutes.ts"
import { problemOf } from "./support.ts"
import { rulesIn } from "../rulesOf.ts"

const { get } = ScriptedRoutes

/** The requests of a minute without a key. */
const LIMIT = 60

const cases = [
  { contact: undefined, sentence: "API keys come from the operator of this service.", link: undefined, member: {} },
  {
    contact: "ops@example.com",
    sentence: "API keys come from the operator of this service (ops@example.com).",
    link: '<a href="mailto:ops@example.com">ops@example.com</a>',
    member: { email: "ops@example.com" }
  },
  {
    contact: "https://example.com/keys?a=b&c=%22",
    sentence: "API keys come from the operator of this service (https://example.com/keys?a=b&c=%22).",
    link: '<a href="https://example.com/keys?a=b&amp;c=%22">https://example.com/keys?a=b&amp;c=%22</a>',
    member: { url: "https://example.com/keys?a=b&c=%22" }
  }
] as const

for (const { contact, link, member, sentence } of cases) {
  const routes = ScriptedRoutes.layerOf({ ...(contact !== undefined && { contact }) })
  rulesIn(routes)(contact === undefined ? "without OPERATOR_CONTACT" : `OPERATOR_CONTACT=${contact}`, (rule) => {
    rule("/, /llms.txt, the OpenAPI document, a 401 and a 429 say where keys come from", function* () {
      const { text } = yield* get("/")
      assert.include(text, link === undefined ? sentence : sentence.replace(/\(.*\)/, `(${link})`))
      assert.include((yield* get("/llms.txt")).text, sentence)
      const { info } = JSON.parse((yield* get("/openapi.json")).text)
      assert.deepStrictEqual(info.contact, { name: "Operator of this service", ...member })
      const refused = yield* get("/v1/fx", { "x-api-key": "nonsense" })
      assert.strictEqual(refused.status, 401)
      const last = (yield* Effect.replicateEffect(get("/v1/fx"), LIMIT)).at(-1)
      assert(last?.status === 429)
      for (const answer of [refused, last]) assert.include((yield* problemOf(answer)).detail, sentence)
    })
  })
}
