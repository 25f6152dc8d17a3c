// Every endpoint of every contract, with requests made from the examples in its OpenAPI document. What tests say of all endpoints they
// say of these, so that a new one is tested as soon as it is declared.
import type { Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { compatApis } from "../../src/api/compat/compatApis.ts"
import { type Dialect, ownDialect } from "../../src/api/Dialect.ts"
import { isJson, objectOf } from "../../src/api/OpenApiSchemas.ts"
import { friday, RunningService, withoutEvidence, untilAnswered } from "../RunningService.ts"

export interface Endpoint {
  readonly id: string
  /** As in the document, such as `/v1/coins/{id}`. */
  readonly template: string
  readonly dialect: Dialect
  /** A request with the example of each required parameter. */
  readonly path: string
  /** Names of the query's parameters. */
  readonly parameters: ReadonlyArray<string>
  /** Values of `format`; empty where there is no choice. */
  readonly formats: ReadonlyArray<string>
}

/** The first example of a parameter, else its first value. */
const exampleOf = (schema: unknown): string => {
  const { default: usual, enum: values, examples } = objectOf(schema)
  const [first] = [examples, values].flatMap((list: unknown) => (Array.isArray(list) ? list : []))
  return String(first ?? usual)
}

/** The path with one parameter more. */
export const withQuery = (path: string, query: string): string => `${path}${path.includes("?") ? "&" : "?"}${query}`

const endpointsOf = (document: unknown, dialect: Dialect): ReadonlyArray<Endpoint> =>
  Object.entries(objectOf(objectOf(document)["paths"])).map(([template, methods]) => {
    const { operationId, parameters } = objectOf(objectOf(methods)["get"])
    const declared = (Array.isArray(parameters) ? parameters : []).filter(isJson)
    let path = template
    for (const { in: place, name, required, schema } of declared) {
      const example = encodeURIComponent(exampleOf(schema)).replaceAll("%2C", ",")
      if (place === "path") path = path.replace(`{${String(name)}}`, example)
      else if (required === true) path = withQuery(path, `${String(name)}=${example}`)
    }
    const inQuery = declared.filter((one) => one["in"] === "query")
    const format = objectOf(inQuery.find(({ name }) => name === "format")?.["schema"])["enum"]
    return {
      id: String(operationId),
      template,
      dialect,
      path,
      parameters: inQuery.map(({ name }) => String(name)),
      formats: Array.isArray(format) ? format.map(String) : []
    }
  })

export const endpoints: ReadonlyArray<Endpoint> = [
  { dialect: ownDialect, describe: () => OpenApi.fromApi(Api) },
  ...compatApis
].flatMap(({ describe, dialect }) => endpointsOf(JSON.parse(JSON.stringify(describe())), dialect))

/** Every endpoint as it is asked first, at a past moment, and in each other format. */
export const requests: ReadonlyArray<readonly [path: string, endpoint: Endpoint]> = endpoints.flatMap((endpoint) =>
  [
    endpoint.path,
    ...(endpoint.parameters.includes("at") ? [withQuery(endpoint.path, "at=2026-11-20")] : []),
    ...endpoint.formats.slice(1).map((format) => withQuery(endpoint.path, `format=${format}`))
  ].map((path) => [path, endpoint] as const)
)

/** Endpoints that answer without a source: they need none, or say of each coin or market by itself that it is not known now. */
const sourceless: ReadonlySet<string> = new Set([
  "listSources",
  "listMethods",
  "getPrices",
  "listP2pMarkets",
  "ping",
  "vsCurrencies",
  "currencies"
])

export const needsSource = ({ id }: Pick<Endpoint, "id">): boolean => !sourceless.has(id)

/** The status of a refused parameter: some programs expect another one than 400. */
export const refusalStatus = ({ dialect }: Endpoint): number =>
  dialect.write({ status: 400, code: "invalid_parameter", detail: "", instance: "", errors: [] }, "")[0]

/** Whether it finds coins in the registry, which comes after the lists. */
export const needsRegistry = ({ id }: Endpoint): boolean => registryIds.has(id)

const registryIds: ReadonlySet<string> = new Set([
  "getContract",
  "tokenPrice",
  "list",
  "contract",
  "contractChart",
  "contractChartRange",
  "platforms"
])

/** Whether its answers come from the record of the past. */
export const isPast = ({ template }: Endpoint): boolean =>
  /\/(history|fixings?|statement|market_chart|range|ohlc)$/.test(template)

/** Whether its answers change with every request: ages of sources. */
export const isAlwaysNew = (path: string): boolean => path === "/v1/sources"

/** A service whose endpoints all answer once it is {@link ready}: with a record of the past, and sources that are asked for it. */
export const everything = {
  at: friday,
  hasPast: true,
  kept: "state",
  config: { HISTORY: "on", ...withoutEvidence }
} as const

/** Adds tests to the service with {@link everything}. */
export type It = Vitest.MethodsNonLive<RunningService>

/** Waits until every request is answered: searches need the registry of coins, histories the record. */
export const ready = Effect.forEach(requests, ([path]) => untilAnswered(path), { discard: true })
