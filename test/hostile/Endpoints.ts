// Requests to every endpoint of both contracts, with every parameter that it declares: values that mean something, values that say
// nothing and values that are refused, with conditions, formats and keys of every plan. A new endpoint is attacked without being
// listed here.
import { Api } from "../../src/api/Api.ts"
import { CoinGeckoApi } from "../../src/api/coingecko/CoinGeckoApi.ts"
import { endpointsOf, parametersOf } from "../../src/api/Parameter.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import type { Attack } from "./Requests.ts"

interface Declared {
  readonly name: string
  readonly isRequired: boolean
  /** What is taken. */
  readonly values: ReadonlyArray<string>
}

interface Endpoint {
  readonly path: string
  readonly inPath: ReadonlyArray<Declared>
  readonly inQuery: ReadonlyArray<Declared>
}

/** Values beside those that the documents show. */
const more: Readonly<Record<string, ReadonlyArray<string>>> = {
  at: ["2026-11-01", "2026-11-19T10:30:00Z", "2026-11-20T12:00:00+01:00"],
  max_age: ["1", "600", "100000000"],
  expect: ["1", "1e3", "80000", "0.000001"],
  tolerance: ["100", "0.000001"],
  id: ["bitcoin", "Ethereum", "tether", "no-such-coin"],
  ids: ["bitcoin", "tether,bitcoin", "bitcoin,no-such-coin"],
  amount: ["1", "1.0", "0.1", "1000000000000000"],
  from: ["ngn", "fiat:usd", "coin:tether", "2026-11-01"],
  to: ["USD", "eur", "2026-11-19"],
  quotes: ["NGN", "ngn,eur"],
  fiat: ["usd", "NGN", "eur"],
  fiats: ["ngn", "eur,ngn"],
  limit: ["1", "25", "100", "0100"],
  page: ["1", "2", "01"],
  days: ["1", "max"],
  vs_currency: ["ngn", "btc"],
  vs_currencies: ["ngn,usd", "usd,ngn", "btc"]
}

/** What every schema of a parameter refuses, or some do. */
const refused = ["", "%00", "-1", "NaN", "%ff", "9".repeat(40), "x".repeat(3000), "__proto__", "null", ",", "%2c%2c"]

const declaredIn = (declared: Parameters<typeof parametersOf>[0]): ReadonlyArray<Declared> =>
  Array.from(parametersOf(declared), ([name, { isRequired, shape }]) => {
    const { default: fallback, enum: literals = [], examples = [] } = shape
    const shown = [literals, examples, [fallback ?? []]].flat(2).map(String)
    return { name, isRequired, values: [...shown, ...(more[name] ?? [])] }
  })

const endpoints: Array<Endpoint> = []

for (const { params, path, query } of [...endpointsOf(Api), ...endpointsOf(CoinGeckoApi)]) {
  endpoints.push({ path, inPath: declaredIn(params), inQuery: declaredIn(query) })
}

/** Endpoints that are MCP's tools too. */
const tools: Readonly<Record<string, string>> = {
  "/v1/price/:id/:fiat": "price",
  "/v1/prices": "prices",
  "/v1/coins/:id": "coin",
  "/v1/convert": "convert",
  "/v1/fx": "fx"
}

const guards = new Set(["max_age", "expect", "tolerance"])

/** Attacks of this seed. `keys`: valid ones, of different plans. */
export const attacks = function* (seed: number, keys: ReadonlyArray<string>): Generator<Attack> {
  const random = mulberry32(seed)
  const one = <A>(items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)] as A
  const sometimes = (share: number) => random() < share

  const headers = (): Readonly<Record<string, string>> => ({
    ...(sometimes(0.3) && { "x-api-key": one([...keys, ...keys, "cda_x", ""]) }),
    ...(sometimes(0.1) && { "x-cg-pro-api-key": one([...keys, "CG-x"]) }),
    ...(sometimes(0.3) && {
      accept: one(["text/csv", "text/csv;q=0.9, application/json;q=0.1", "*/*", ",;q=", "TEXT/CSV"])
    }),
    ...(sometimes(0.3) && { "accept-encoding": one(["gzip", "br", "identity;q=0", "*", "gzip;q=0, br;q=0.1", "x,,"]) }),
    ...(sometimes(0.2) && { "if-none-match": one(["*", 'W/"x", "y"', '"', "W/", 'W/"x"-br, *']) })
  })

  const encoded = (text: string) => encodeURIComponent(text).replaceAll("%2C", ",")
  /** Some that are refused are written percent-encoded already. */
  const written = (value: string) => (value.includes("%") ? value : encoded(value))

  for (;;) {
    const { inPath, inQuery, path } = one(endpoints)
    const placed = inPath.map(({ name, values }) => [name, sometimes(0.9) ? one(values) : one(refused)] as const)
    const place = placed.reduce((whole, [name, value]) => whole.replace(`:${name}`, written(value) || "%20"), path)
    const sent = inQuery
      .filter(({ isRequired }) => (isRequired ? sometimes(0.97) : sometimes(0.35)))
      .map(({ name, values }) => [name, values.length > 0 && sometimes(0.85) ? one(values) : one(refused)] as const)
    const target = (pairs: typeof sent) =>
      pairs.length === 0 ? place : `${place}?${pairs.map(([name, value]) => `${name}=${written(value)}`).join("&")}`
    const unguarded = sent.filter(([name]) => !guards.has(name))
    const without = unguarded.filter(() => sometimes(0.6))
    const changed = unguarded.map(([name, value]): (typeof sent)[number] => {
      const { values = [] } = inQuery.find((declared) => declared.name === name) ?? {}
      return [name, values.length > 0 && sometimes(0.5) ? one(values) : value]
    })
    const noise = sometimes(0.3)
      ? [[one(["at", "basis", "format", "amount", "page", "_", "callback"]), "1"] as const]
      : []
    const victims = [target(unguarded), target(without), target(changed.toReversed())]
    const tool = tools[path]
    if (tool !== undefined && sometimes(0.3)) {
      const params = { name: tool, arguments: Object.fromEntries([...placed, ...sent]) }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      const more = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      yield { target: "/mcp", init: { method: "POST", headers: { ...headers(), ...more }, body }, victims }
      continue
    }
    yield {
      target: target(sometimes(0.5) ? [...sent, ...noise] : [...noise, ...sent].toReversed()),
      init: { method: sometimes(0.85) ? "GET" : one(["HEAD", "OPTIONS", "POST"]), headers: headers() },
      victims
    }
  }
}
