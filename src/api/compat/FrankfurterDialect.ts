// Problems in Frankfurter's shape, `{ "status", "message" }`, of which its version 1 reads the message; and its parameters.
import { Schema, SchemaGetter } from "effect"
import { type Dialect, type Problem, parametersOf } from "../Dialect.ts"
import { listOf, ruleOf, schemaOf } from "../Parameters.ts"
import type { Texts } from "./CompatDocument.ts"
import { asciiUpper } from "../../domain/asciiCase.ts"

export const FRANKFURTER_BASE = "/compat/frankfurter"

const MOST_CODES = 250

const write = ({ code, detail, errors = [], status: own }: Problem): readonly [number, object] => {
  if (code === "invalid_parameter") {
    const message = errors.map((error) => `invalid ${error.parameter}: ${error.detail}`).join("; ")
    return [422, { status: 422, message }]
  }
  const message = own === 404 ? "not found" : detail
  return [own, { status: own, message }]
}

const code = ["a fiat's code", { type: "string", minLength: 3, maxLength: 3, examples: ["USD"] }] as const
const codes = ["fiats' codes separated by commas", { type: "string", minLength: 3, examples: ["EUR,KES"] }] as const
const day = [
  "a day of the calendar as YYYY-MM-DD",
  { type: "string", format: "date", examples: ["2026-11-20"] }
] as const
const absent = (why: string) => [`left out: ${why}`, { type: "string", maxLength: 0 }] as const

const { ruleOf: rule, schemaOf: schema } = parametersOf({
  amount: [ruleOf("", "amount") ?? "", schemaOf("", "amount") ?? {}],
  base: code,
  quote: code,
  symbols: codes,
  quotes: codes,
  date: day,
  from: code,
  to: codes,
  "v2 from": day,
  "v2 to": day,
  group: absent("days are not grouped here"),
  providers: absent("rates are of the sources of /v1/fx"),
  expand: absent("rates are of the sources of /v1/fx")
})

/** `from` and `to` are days in version 2. */
const nameAt = (path: string, name: string): string =>
  path.includes("/v2/") && (name === "from" || name === "to") ? `v2 ${name}` : name

export const frankfurter: Dialect = {
  base: FRANKFURTER_BASE,
  document: `${FRANKFURTER_BASE}/openapi.json`,
  keyHeaders: [],
  contentType: "application/json",
  write,
  ruleOf: (path, name) => rule(path, nameAt(path, name)),
  schemaOf: (path, name) => schema(path, nameAt(path, name))
}

const CODE = /^[a-z]{3}$/i

/** A code in upper case. It may be that of no currency. */
export const Code = Schema.String.check(Schema.isPattern(CODE)).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(asciiUpper),
    encode: SchemaGetter.passthrough()
  })
)

export const Codes = listOf(Schema.String, MOST_CODES, (text) =>
  text.split(",").map((item) => (CODE.test(item) ? asciiUpper(item) : undefined))
)

/** What changes the question in a way that this service does not know. */
export const Unsupported = Schema.Literal("")

export const documentedErrors: Pick<Texts, "errors" | "errorSchemas"> = {
  errors: [
    ["401", "The key is not valid", "Error"],
    ["404", "No rate of this currency is known then", "Error"],
    ["405", "The path has no such method", "Error"],
    ["422", "A parameter is not allowed as it is, or not supported here; the text names it", "Error"],
    ["429", "The quota of the minute is used up", "Error"],
    ["500", "An error of this service", "Error"],
    ["503", "Data unavailable", "Error"]
  ],
  errorSchemas: {
    Error: {
      type: "object",
      properties: { status: { type: "integer" }, message: { type: "string" } },
      required: ["status", "message"]
    }
  }
}
