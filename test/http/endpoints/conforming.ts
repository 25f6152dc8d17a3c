// Answers over a real socket, compared with the document that the same service serves.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { compatApis } from "../../../src/api/compat/compatApis.ts"
import { dialectOf } from "../../../src/http/request/Routes.ts"
import { type Init, RunningService, get } from "../../RunningService.ts"
import cases from "../cases.json" with { type: "json" }
import * as Conformance from "../../api/Conformance.ts"
import { endpoints, type It } from "../../api/endpoints.ts"
import { rulesOf } from "../../rulesOf.ts"

type Conforms = ReturnType<typeof Conformance.make>

/** The documents that each service serves, by path, compiled once. */
const documents = new WeakMap<RunningService["Service"], Map<string, Conforms>>()

/** The served document of a path. */
export const documentOf = Effect.fnUntraced(function* (path: string) {
  const service = yield* RunningService
  const { base } = dialectOf(path)
  const at = compatApis.find(({ dialect }) => dialect.base === base)?.dialect.document ?? "/openapi.json"
  const known = documents.get(service) ?? new Map<string, Conforms>()
  documents.set(service, known)
  const conforms = known.get(at) ?? Conformance.make(JSON.parse((yield* service.get(at)).text))
  known.set(at, conforms)
  return conforms
})

/** An answer, which has to have this status and to be what the document says. */
export const ask = Effect.fnUntraced(function* (path: string, status: number, init: Init = {}) {
  const answer = yield* get(path, init)
  assert.strictEqual(answer.status, status, `${path}: ${answer.text.slice(0, 200)}`)
  const conforms = yield* documentOf(path)
  conforms(path, answer, init.method)
  return answer
})

const refusals = Object.entries(cases.refused).flatMap(([status, paths]) =>
  paths.map((path) => [path, Number(status)] as const)
)

/** Every endpoint of a service with everything, with answers that depend on more than the example of each parameter. */
export const conforming = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  it.effect.each(cases.answered)("200 %s", (path) => ask(path, 200))

  it.effect.each(refusals)("%s is %i", ([path, status]) =>
    Effect.andThen(ask(path, status), ask(path, status, { method: "HEAD" }))
  )

  rule("429 of every endpoint", function* () {
    const headers = { "x-forwarded-for": "203.0.113.77" }
    for (let n = 0; n < 60; n++) yield* get("/v1/fx", { headers })
    for (const { path } of endpoints) yield* ask(path, 429, { headers })
  })
}
