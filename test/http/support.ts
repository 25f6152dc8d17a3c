// What the tests over HTTP share: reading an answer by the schema of its endpoint, and how numbers are written in a body.
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Meta } from "../../src/api/Envelope.ts"
import { type Answer, type Init, get } from "../RunningService.ts"

/** The nine fiats of the contract. */
export const fiats = ["usd", "ngn", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy"] as const

/** RFC 3339 with `Z`. */
export const Instant = Schema.String.check(Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/))

/** An RFC 9457 problem. */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.NonEmptyString,
  status: Schema.Int,
  detail: Schema.NonEmptyString,
  instance: Schema.NonEmptyString,
  code: Schema.String,
  errors: Schema.optionalKey(Schema.Array(Schema.Struct({ parameter: Schema.String, detail: Schema.String }))),
  suggestions: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, symbol: Schema.String, name: Schema.String }))
  ),
  coverage: Schema.optionalKey(Schema.Unknown)
})

const exact = { onExcessProperty: "error", errors: "all" } as const

/** An answer, which has to have this status. */
export const answerAt = Effect.fnUntraced(function* (path: string, status = 200, init?: Init) {
  const answer = yield* get(path, init)
  assert.strictEqual(answer.status, status, `${path}: ${answer.text.slice(0, 300)}`)
  return answer
})

/** Its JSON, whose members the test names. */
export const jsonAt = (path: string, status?: number) =>
  Effect.map(answerAt(path, status), ({ text }) => JSON.parse(text))

/** What a schema's encoded side is once it is parsed: a number that is written as raw JSON is a number then. */
export type Parsed<E> =
  E extends ReadonlyArray<infer A>
    ? ReadonlyArray<Parsed<A>>
    : E extends object
      ? object extends E
        ? never
        : { readonly [K in keyof E]: Parsed<E[K]> }
      : E

/** The data and the stamp of an answer, which has to be a 200 of exactly the contract's shape. */
export const read = Effect.fnUntraced(function* <Fields extends Schema.Struct.Fields>(
  path: string,
  data: Schema.Struct<Fields> & { readonly DecodingServices: never },
  init?: Init
) {
  const answer = yield* answerAt(path, 200, init)
  const body: { readonly data: Parsed<(typeof data)["Encoded"]>; readonly meta: Parsed<typeof Meta.Encoded> } =
    JSON.parse(answer.text)
  yield* Schema.decodeUnknownEffect(Schema.Struct({ data, meta: Meta }))(body, exact)
  return { ...body, answer }
})

/** The problem that an answer is, checked against the answer's status. */
export const problemOf = Effect.fnUntraced(function* (answer: Answer) {
  assert.strictEqual(answer.headers["content-type"], "application/problem+json", answer.text)
  const problem = yield* Schema.decodeUnknownEffect(Problem)(JSON.parse(answer.text), exact)
  assert.strictEqual(problem.status, answer.status)
  assert.strictEqual(problem.type, `/problems/${problem.code}`)
  return problem
})

/** Asks for a path that has to be refused with this status and code. */
export const refused = Effect.fnUntraced(function* (path: string, status: number, code: string, init?: Init) {
  const problem = yield* problemOf(yield* answerAt(path, status, init))
  assert.strictEqual(problem.code, code, path)
  return problem
})

/** A path of `/v1/convert`. */
export const conversion = (from: string, to: string, amount?: string): string =>
  `/v1/convert?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}${amount === undefined ? "" : `&amount=${encodeURIComponent(amount)}`}`

/** Every number of a JSON text, as it is written. */
export const numbersIn = (json: string): ReadonlyArray<string> =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/[-+.\w]*\d[-+.\w]*/g) ?? []

/** A number of a JSON object, as it is written. */
export const written = (json: string, member: string): string | undefined =>
  new RegExp(`"${member}":([^,}\\]]+)`).exec(json)?.[1]

/** Digits from the first that is not 0 to the last that is not 0. */
export const digitsOf = (number: string): number =>
  number.replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "").length
