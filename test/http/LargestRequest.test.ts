// No limit makes another one unreachable: the largest request that each endpoint's document allows is answered.
import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { compatApis } from "../../src/api/compat/compatApis.ts"
import registry from "../../src/domain/coinRegistry.json" with { type: "json" }
import { get, sharedFriday } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query"]),
  required: Schema.optionalKey(Schema.Boolean),
  description: Schema.String,
  schema: Schema.Struct({ examples: Schema.optionalKey(Schema.Array(Schema.Unknown)) })
})
const Document = Schema.Struct({
  paths: Schema.Record(
    Schema.String,
    Schema.Struct({
      get: Schema.optionalKey(Schema.Struct({ parameters: Schema.optionalKey(Schema.Array(Parameter)) }))
    })
  )
})
const decode = Schema.decodeUnknownSync(Document)

const ids = registry.map(([id]) => String(id)).toSorted((a, b) => b.length - a.length)
const addresses = Array.from({ length: 1000 }, (_, n) => `0x${String(n).padStart(64, "0")}`)

/** The longest value that the words of a parameter allow; `undefined` where it is no list. */
const longest = (description: string): string | undefined => {
  const [, most, what] = /1 to (\d+) (coins' ids|contract addresses)/i.exec(description) ?? []
  return most === undefined ? undefined : (what === "coins' ids" ? ids : addresses).slice(0, Number(most)).join(",")
}

const requestsOf = (document: unknown) =>
  Object.entries(decode(document).paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters ?? []
    if (!parameters.some(({ description }) => longest(description) !== undefined)) return []
    let target = path
    const query = new URLSearchParams()
    for (const { description, in: place, name, required, schema } of parameters) {
      const value = longest(description) ?? (required === true ? String(schema.examples?.[0]) : undefined)
      if (value === undefined) continue
      if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value))
      else query.set(name, value)
    }
    return [`${target}?${query}`]
  })

rulesIn(sharedFriday)("the largest lawful request", (rule) => {
  rule("of every endpoint is answered", function* () {
    const own: unknown = JSON.parse((yield* get("/openapi.json")).text)
    const requests = [own, ...compatApis.map(({ describe }) => describe())].flatMap(requestsOf)
    assert.isAtLeast(requests.length, 5)
    assert.isAbove(Math.max(...requests.map(({ length }) => length)), 30_000)
    for (const path of requests) assert.strictEqual((yield* get(path)).status, 200, path.slice(0, 200))
  })
})
