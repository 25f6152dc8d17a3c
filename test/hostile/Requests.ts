// Requests that try to change what other requests answer: to every endpoint of both contracts, with every parameter that it declares:
// values that mean something, values that say nothing and values that are refused, with conditions, formats and keys of every plan, each
// written in every way that some part of a server may read differently from another. A new endpoint is attacked without being listed here.
import { Api } from "../../src/api/Api.ts"
import { CoinGeckoApi } from "../../src/api/coingecko/CoinGeckoApi.ts"
import { endpointsOf, parametersOf } from "../../src/api/Parameter.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import type { Init } from "../RunningService.ts"

export interface Attack {
  readonly target: string
  readonly init: Init
  /** Requests that mean something else, or the same, and must answer as if the attack had not been. */
  readonly victims: ReadonlyArray<string>
}

/** Values beside those that the documents show. The naira often: its answers differ by `basis`. */
const more: Readonly<Record<string, ReadonlyArray<string>>> = {
  at: ["2026-11-01", "2026-11-19T10:30:00Z", "2026-11-20T12:00:00+01:00"],
  max_age: ["1", "600", "100000000"],
  expect: ["1", "1e3", "80000", "0.000001"],
  tolerance: ["100", "0.000001"],
  ids: ["bitcoin", "tether,bitcoin", "bitcoin,no-such-coin"],
  amount: ["1", "1.0", "0.1", "7.25", "1000000000000000"],
  from: ["ngn", "fiat:usd", "coin:tether", "2026-11-01"],
  to: ["USD", "eur", "ngn", "2026-11-19"],
  quotes: ["NGN", "ngn,eur"],
  fiat: ["usd", "NGN", "ngn", "ngn", "eur"],
  fiats: ["ngn", "eur,ngn"],
  limit: ["1", "25", "100", "0100"],
  page: ["1", "2", "01"],
  days: ["1", "max"],
  vs_currency: ["ngn", "btc"],
  vs_currencies: ["ngn,usd", "usd,ngn", "btc"]
}

/** What every schema of a parameter refuses, or some do. */
const refused = ["", "%00", "-1", "NaN", "%ff", "9".repeat(40), "x".repeat(3000), "__proto__", "null", ",", "%2c%2c"]

const declaredIn = (declared: Parameters<typeof parametersOf>[0]) =>
  Array.from(parametersOf(declared), ([name, { isRequired, shape }]) => {
    const { default: fallback, enum: literals = [], examples = [] } = shape
    const shown = [literals, examples, [fallback ?? []]].flat(2).map(String)
    return { name, isRequired, values: [...shown, ...(more[name] ?? [])] }
  })

const endpoints = [...endpointsOf(Api), ...endpointsOf(CoinGeckoApi)].map(({ params, path, query }) => ({
  path,
  inPath: declaredIn(params),
  inQuery: declaredIn(query)
}))

/** Endpoints that are MCP's tools too. */
const tools: Readonly<Record<string, string>> = {
  "/v1/price/:id/:fiat": "price",
  "/v1/prices": "prices",
  "/v1/coins/:id": "coin",
  "/v1/convert": "convert",
  "/v1/fx": "fx"
}

const guards = new Set(["max_age", "expect", "tolerance"])

type Pair = readonly [name: string, value: string]

/** Attacks of this seed. `keys`: valid ones, of different plans. `ids`: coins whose prices are there; each is asked for first by an attack. */
export const attacks = function* (
  seed: number,
  keys: ReadonlyArray<string>,
  ids: ReadonlyArray<string>
): Generator<Attack> {
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

  /** Some that are refused are written percent-encoded already. */
  const written = (value: string) => (value.includes("%") ? value : encodeURIComponent(value).replaceAll("%2C", ","))

  const escaped = (text: string): string =>
    text.replaceAll(/[a-z0-9]/gi, (character) =>
      sometimes(0.1) ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}` : character
    )

  /** A name and a value as some parser may read them and another not. */
  const disguised = ([name, value]: Pair): string => {
    const pair = `${name}=${written(value)}`
    // A second question mark ends the query for some parsers, and belongs to a name for others.
    if (sometimes(0.4)) return sometimes(0.8) ? `${name}?` : `${name}?=${written(value)}`
    return one([
      escaped(pair),
      `?${pair}`,
      `${pair}&${name}?&${pair}`,
      name,
      `${name.toUpperCase()}=${written(value)}`,
      `${name}[]=${written(value)}`,
      `+${pair}`,
      `${pair}&${pair}`,
      `#${pair}`,
      `;${pair}`,
      `${pair};`,
      `${pair}%00`,
      `%zz=1&${pair}`,
      `${pair}%`
    ])
  }

  const asked = (path: string, pairs: ReadonlyArray<string>): string =>
    pairs.length === 0 ? path : `${path}?${pairs.join("&")}`

  /** The same written oddly. */
  const oddly = (path: string, pairs: ReadonlyArray<string>): string => {
    const from = sometimes(0.1) ? escaped(path).replaceAll(/%2f/gi, "/") : path
    const whole = sometimes(0.05) ? `http://other.example${from}` : sometimes(0.05) ? `${from}/` : from
    const begin = sometimes(0.9) ? "?" : one([";", "#?", "??", "?&"])
    return pairs.length === 0 ? whole : `${whole}${begin}${pairs.join(sometimes(0.95) ? "&" : one(["&&", ";"]))}`
  }

  for (let n = 0; ; n++) {
    const { inPath, inQuery, path } = one(endpoints)
    const fresh = ids[n % ids.length] ?? ""
    const valueOf = (name: string, values: ReadonlyArray<string>) =>
      /^(id|ids|from)$/.test(name) && sometimes(0.5) ? fresh : one(values)
    const placed = inPath.map(
      ({ name, values }) => [name, sometimes(0.9) ? valueOf(name, values) : one(refused)] as const
    )
    const place = placed.reduce((whole, [name, value]) => whole.replace(`:${name}`, written(value) || "%20"), path)
    const sent = inQuery
      .filter(({ isRequired }) => (isRequired ? sometimes(0.97) : sometimes(0.35)))
      .map(({ name, values }): Pair => {
        const isTaken = values.length > 0 && sometimes(0.85)
        return [name, isTaken ? valueOf(name, values) : one(refused)]
      })
    const plain = (pairs: ReadonlyArray<Pair>) =>
      asked(
        place,
        pairs.map(([name, value]) => `${name}=${written(value)}`)
      )
    const unguarded = sent.filter(([name]) => !guards.has(name))
    const changed = unguarded.map(([name, value]): Pair => {
      const { values = [] } = inQuery.find((declared) => declared.name === name) ?? {}
      return [name, values.length > 0 && sometimes(0.5) ? one(values) : value]
    })
    const victims = [plain(unguarded), plain(unguarded.filter(() => sometimes(0.6))), plain(changed.toReversed())]
    const tool = tools[path]
    if (tool !== undefined && sometimes(0.3)) {
      const params = { name: tool, arguments: Object.fromEntries([...placed, ...sent]) }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      const type = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      yield { target: "/mcp", init: { method: "POST", headers: { ...headers(), ...type }, body }, victims }
      continue
    }
    const noise: Pair = [one(["at", "basis", "format", "amount", "page", "ref", "_", "api_key", "callback"]), "1"]
    const all = sometimes(0.3) ? [noise, ...sent] : sent
    const pairs = all.map((pair) => (sometimes(0.3) ? disguised(pair) : `${pair[0]}=${written(pair[1])}`))
    yield {
      // A blank ends the target in the request line.
      target: oddly(place, sometimes(0.5) ? pairs : pairs.toReversed()).replaceAll(" ", "%20"),
      init: { method: sometimes(0.85) ? "GET" : one(["HEAD", "OPTIONS", "POST"]), headers: headers() },
      victims
    }
  }
}
