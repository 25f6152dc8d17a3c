import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedRoutes from "./ScriptedRoutes.ts"
import { problemOf } from "./support.ts"
import { rulesOf } from "../rulesOf.ts"

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
  describe(contact === undefined ? "without OPERATOR_CONTACT" : `OPERATOR_CONTACT=${contact}`, () => {
    layer(ScriptedRoutes.layerOf({ ...(contact !== undefined && { contact }) }))((it) => {
      const rule = rulesOf(it, Effect.void)

      rule("/ and /llms.txt say where keys come from", function* () {
        const { text } = yield* get("/")
        assert.include(text, link === undefined ? sentence : sentence.replace(/\(.*\)/, `(${link})`))
        assert.include((yield* get("/llms.txt")).text, sentence)
      })

      rule("info.contact of the OpenAPI document says it", function* () {
        const { info } = JSON.parse((yield* get("/openapi.json")).text)
        assert.deepStrictEqual(info.contact, { name: "Operator of this service", ...member })
        assert.include(info.description, "API keys come from the operator of this service.")
      })

      rule("the details of a 401 and of a 429 say it", function* () {
        const refused = yield* get("/v1/fx", { "x-api-key": "nonsense" })
        assert.strictEqual(refused.status, 401)
        assert.include((yield* problemOf(refused)).detail, sentence)
        const answers = yield* Effect.replicateEffect(get("/v1/fx"), LIMIT)
        const last = answers.at(-1)
        assert.strictEqual(last?.status, 429)
        if (last !== undefined) assert.include((yield* problemOf(last)).detail, sentence)
      })
    })
  })
}
