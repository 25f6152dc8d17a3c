// Each parameter is one value: how it is read, its rule, its default and its JSON Schema. The document, the key of a cached response,
// and what a handler gets follow from it.
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema, SchemaAST } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { compatApis } from "../../src/api/compat/compatApis.ts"
import { ownDialect } from "../../src/api/Dialect.ts"
import { document } from "../../src/api/OpenApiDocument.ts"
import { Amount, Limit, Page } from "../../src/api/Parameters.ts"
import { isJson } from "../../src/api/OpenApiSchemas.ts"
import { defaulted, endpointsOf, parametersIn, parametersOf, wholeNumber } from "../../src/api/Parameter.ts"
import { endpointRoute } from "../../src/http/request/Routes.ts"
import cases from "../http/cases.json" with { type: "json" }

/** Every parameter of every contract, with its schema where it is in the query. */
const declared = [...endpointsOf(Api), ...compatApis.flatMap(({ endpoints }) => endpoints)].flatMap(
  ({ params, path, query }) =>
    [...parametersOf(params), ...parametersOf(query)].map(([name, parameter]) => {
      const { ast } = query ?? {}
      const type =
        ast !== undefined && SchemaAST.isObjects(ast)
          ? ast.propertySignatures.find((one) => one.name === name)?.type
          : undefined
      const [example = undefined] = Array.isArray(parameter.shape["examples"]) ? parameter.shape["examples"] : []
      const schema = type && Schema.Struct({ [name]: Schema.make<Schema.Codec<unknown>>(type) })
      return {
        ...parameter,
        name,
        where: `${name} of ${path}`,
        example,
        decode: schema && Schema.decodeUnknownSync(schema)
      }
    })
)

/** A contract with one endpoint, whose parameter has this default. */
const contractWith = (fallback: number) =>
  HttpApi.make("one").add(
    HttpApiGroup.make("group").add(
      HttpApiEndpoint.get("rows", "/rows", {
        query: {
          limit: defaulted(wholeNumber(250), "a whole number from 1 to 250", { type: "integer", default: fallback })
        },
        success: Schema.Struct({})
      })
    )
  )

const defaultsIn = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.flatMap(defaultsIn)
  if (!isJson(value)) return []
  const mine = value["in"] === "query" && isJson(value["schema"]) ? [value["schema"]["default"]] : []
  return [...mine, ...Object.values(value).flatMap(defaultsIn)]
}

describe("a default", () => {
  it("that is changed changes what the handler gets, the key and the document", () => {
    for (const fallback of [100, 50]) {
      const api = contractWith(fallback)
      const [endpoint] = endpointsOf(api)
      assert(endpoint?.query !== undefined)
      const decode = Schema.decodeUnknownSync(Schema.make<Schema.Codec<unknown>>(endpoint.query.ast))
      assert.deepStrictEqual(decode({}), { limit: fallback })
      const { parameters } = endpointRoute(endpoint, ownDialect)
      assert.strictEqual(parameters.get("limit")?.fallback?.text, String(fallback))
      const { components, info, ...others } = OpenApi.fromApi(api)
      const written = document({ ...others, info, components }, parametersIn(api))
      assert.deepStrictEqual(defaultsIn(written), [fallback])
    }
  })

  it("of every parameter is decoded as if it was sent", () => {
    const all = declared.filter(({ fallback }) => fallback !== undefined)
    assert.isAbove(all.length, 30)
    for (const { decode, fallback, isRequired, name, where } of all) {
      assert.isFalse(isRequired, where)
      assert.deepStrictEqual(decode?.({}), decode?.({ [name]: fallback?.text }), where)
    }
  })
})

describe("an amount", () => {
  const read = (text: string) => Schema.decodeUnknownOption(Amount)(text)

  it.each(["1", "0.5", "0.000000000000000001", "1000000000000000", "1000000000000000.000", "007", "1.10"])(
    "may be %s",
    (text) => assert.isTrue(Option.isSome(read(text)))
  )

  it.each([...cases.refusedAmounts, "9".repeat(300)])("may not be %j", (text) => {
    assert.isTrue(Option.isNone(read(text)))
  })
})

describe("a number of rows or a page", () => {
  it.each(cases.refusedLimits)("of rows may not be %j", (text) => {
    assert.isTrue(Option.isNone(Schema.decodeUnknownOption(Limit)(text)))
  })

  it.each(["0", "-1", "1.5", "1e2", "two", "", "+2"])("of a page may not be %j", (text) => {
    assert.isTrue(Option.isNone(Schema.decodeUnknownOption(Page)(text)))
  })
})

it("a list of every endpoint reads blanks around its commas as nothing", () => {
  const lists = declared.filter(
    ({ example, rule }) => rule.includes("separated by commas") && typeof example === "string"
  )
  assert.isAbove(lists.length, 10)
  for (const { decode, example, name, where } of lists) {
    const spaced = ` ${example.replaceAll(",", " ,  ")} `
    assert.deepStrictEqual(decode?.({ [name]: spaced }), decode?.({ [name]: example }), where)
  }
})

it("a parameter that names coins or currencies refuses the spellings of other units, alone and among others", () => {
  const named = declared.filter(
    ({ example = "usd", read, rule }) => /coin|fiat|currenc|\busd\b/i.test(rule) && read(example) !== undefined
  )
  assert.isAbove(named.length, 40)
  for (const { example = "usd", name, read, rule, where } of named) {
    for (const code of ["GBp", "GBX", "ZAc", "ZAC", "ILA", "USX", "IRT", "CNH", "XBT"]) {
      const one = name === "currencyPairs" ? `BTC_${code}` : code
      const values = [one, rule.includes("separated by commas") ? `${example}, ${one}` : ` ${one}`]
      for (const value of values) assert.isUndefined(read(value), `${where}=${value}`)
    }
  }
})

it("a parameter takes no text that is longer than anything it could mean, on any path", () => {
  const long = ["x", "1", "0", "é"].map((letter) => letter.repeat(5000))
  const taken = declared.filter(({ name, read }) => name !== "storeId" && long.some((text) => read(text) !== undefined))
  assert.deepStrictEqual(
    taken.map(({ where }) => where),
    []
  )
})

it("a guard takes no other decimals than an amount does", () => {
  for (const { name, read } of declared.filter(({ name }) => ["expect", "tolerance", "max_age"].includes(name))) {
    const texts = [...cases.refusedDecimals, "9".repeat(31), name === "tolerance" ? "100.0000001" : "-5", "1_0", "۵"]
    for (const text of texts) assert.isUndefined(read(text), `${name}=${text}`)
  }
})
