// Answers member for member against CoinGecko's: the recordings beside the repository where they are there, and fixtures of
// the same shape everywhere. A member may lack a value only where the OpenAPI document says that it is not known here.
import { assert, describe, it, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { CoinGeckoApi } from "../../../src/api/coingecko/CoinGeckoApi.ts"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { get, sharedFriday } from "../../RunningService.ts"
import { make } from "../../api/Conformance.ts"
import { hasRecordings, recording } from "../../sources/ScriptedUpstream.ts"
import { rulesIn } from "../../rulesOf.ts"

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, "shapes", `${name}.json`), "utf8"))

const recorded = (name: string): unknown => JSON.parse(recording(`coingecko/${name}.json`))

const document: Json = JSON.parse(JSON.stringify(OpenApi.fromApi(CoinGeckoApi)))

const conforms = make(document)

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce((within, key) => (isJson(within) ? within[key] : undefined), value)

/** The schema behind a reference. */
const resolved = (schema: unknown): unknown => {
  const reference = at(schema, "$ref")
  return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : schema
}

/** The schema of a member or an item. */
const within = (schema: unknown, key: string): unknown => {
  const known = resolved(schema)
  return resolved(at(known, "properties", key) ?? at(known, "additionalProperties") ?? at(known, "items"))
}

const isUnknown = (schema: unknown): boolean => String(at(schema, "description")).startsWith("Not known here")

/** Objects whose members are named by currency, coin or chain. */
const maps =
  /^simple-price$|\.(rates|platforms|detail_platforms|total_market_cap|market_cap_percentage)$|\.data\.total_volume$|\.market_data\.\w+$/

const kindOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

const isBare = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0)

/** What differs between an answer and what CoinGecko answers. */
const differences = (where: string, answer: unknown, theirs: unknown, schema: unknown): ReadonlyArray<string> => {
  if (isBare(answer) && isUnknown(schema)) return []
  if (theirs === null) return kindOf(answer) === "object" ? [`${where}: an object, null there`] : []
  if (kindOf(answer) !== kindOf(theirs)) return [`${where}: ${kindOf(answer)}, ${kindOf(theirs)} there`]
  if (Array.isArray(answer) && Array.isArray(theirs)) {
    if (theirs.length > 0 && answer.length === 0) return [`${where}: empty`]
    if (theirs.length === 0) return []
    return answer.flatMap((item) => differences(`${where}[]`, item, theirs[0], within(schema, "items")))
  }
  if (!isJson(answer) || !isJson(theirs)) return []
  if (maps.test(where)) {
    const [first] = Object.values(theirs)
    return Object.entries(answer).flatMap(([key, value]) =>
      differences(`${where}.*`, value, theirs[key] ?? first, within(schema, key))
    )
  }
  const names = [...new Set([...Object.keys(answer), ...Object.keys(theirs)])]
  return names.flatMap((name) => {
    if (!(name in theirs)) return [`${where}.${name}: not there`]
    if (!(name in answer)) return [`${where}.${name}: missing`]
    return differences(`${where}.${name}`, answer[name], theirs[name], within(schema, name))
  })
}

const all = "1h,24h,7d,14d,30d,200d,1y"

const asked: ReadonlyArray<readonly [name: string, template: string, path: string, status: number]> = [
  ["ping", "/ping", "/ping", 200],
  [
    "simple-price",
    "/simple/price",
    "/simple/price?ids=bitcoin&vs_currencies=usd&include_market_cap=true&include_24hr_vol=true&include_24hr_change=true&include_last_updated_at=true",
    200
  ],
  ["supported-vs-currencies", "/simple/supported_vs_currencies", "/simple/supported_vs_currencies", 200],
  ["coins-list", "/coins/list", "/coins/list?include_platform=true", 200],
  [
    "coins-markets",
    "/coins/markets",
    `/coins/markets?vs_currency=usd&ids=bitcoin&sparkline=true&price_change_percentage=${all}`,
    200
  ],
  ["coins-id", "/coins/{id}", "/coins/bitcoin?localization=false", 200],
  ["search", "/search", "/search?query=ethereum", 200],
  ["global", "/global", "/global", 200],
  ["exchange-rates", "/exchange_rates", "/exchange_rates", 200],
  ["error-400-invalid-vs-currency", "/coins/markets", "/coins/markets?vs_currency=xau", 400],
  ["error-404-coin-not-found", "/coins/{id}", "/coins/no-such-coin", 404],
  ["error-429", "/ping", "/ping", 429]
]

/** Uses the quota of an address up. */
const exhausted = Effect.fnUntraced(function* (address: string) {
  for (let n = 0; n < 60; n++) yield* get("/v1/fx", { headers: { "x-forwarded-for": address } })
})

const schemaOf = (template: string, status: number) =>
  at(
    document,
    "paths",
    `${COINGECKO_BASE}${template}`,
    "get",
    "responses",
    String(status),
    "content",
    "application/json",
    "schema"
  )

layer(sharedFriday)("answers in CoinGecko's shape", (it) => {
  for (const [n, [name, template, path, status]] of asked.entries()) {
    for (const [kind, isThere, theirs] of [
      ["fixture", true, fixture],
      ["recording", hasRecordings, recorded]
    ] as const) {
      it.effect.skipIf(!isThere)(`${name}, as the ${kind}`, () =>
        Effect.gen(function* () {
          const headers = { "x-forwarded-for": `203.0.113.${2 * n + Number(kind === "fixture")}` }
          if (status === 429) yield* exhausted(headers["x-forwarded-for"])
          const answer = yield* get(`${COINGECKO_BASE}${path}`, { headers })
          assert.strictEqual(answer.status, status, answer.text)
          conforms(`${COINGECKO_BASE}${path}`, answer)
          assert.deepStrictEqual(
            differences(name, JSON.parse(answer.text), theirs(name), schemaOf(template, status)),
            []
          )
        })
      )
    }
  }
})

describe.skipIf(!hasRecordings)("the fixtures", () => {
  it.each(asked)("%s has the recorded shape", (name, template, _, status) => {
    assert.deepStrictEqual(differences(name, fixture(name), recorded(name), schemaOf(template, status)), [])
  })
})

rulesIn(sharedFriday)("the document of these endpoints", (rule) => {
  rule("is what is served, and says of every answer what it is", function* () {
    const served = JSON.parse((yield* get("/compat/coingecko/openapi.json")).text)
    assert.deepStrictEqual(served.paths, document["paths"])
    const validated = yield* Effect.promise(() => new Validator().validate(structuredClone(served)))
    assert.isTrue(validated.valid, JSON.stringify(validated))
    for (const path of [
      "/coins/markets?vs_currency=ngn&per_page=250&sparkline=true",
      "/coins/markets?vs_currency=btc&per_page=20",
      "/coins/markets?vs_currency=krw&ids=bitcoin,tether&order=volume_desc",
      "/simple/token_price/ethereum?contract_addresses=0xdac17f958d2ee523a2206206994597c13d831ec7&vs_currencies=usd",
      "/coins/list",
      "/coins/tether",
      "/coins/bitcoin/tickers",
      "/coins/kadena?sparkline=true",
      "/simple/price?ids=bitcoin,kadena,no-such-coin&vs_currencies=eur,eth",
      "/search?query=nothing-is-spelled-so",
      "/coins/bitcoin?x_cg_pro_api_key=secret",
      "/coins/markets",
      "/coins/bitcoin/market_chart?vs_currency=usd&days=1"
    ]) {
      conforms(`${COINGECKO_BASE}${path}`, yield* get(`${COINGECKO_BASE}${path}`))
    }
  })
})
