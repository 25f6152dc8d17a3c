// Requests that try to change what other requests answer: targets written in every way that some part of a server may read
// differently from another, with guards, formats, days, keys and conditions.
import { mulberry32 } from "../domain/syntheticBooks.ts"
import type { Init } from "./TwinServices.ts"

export interface Attack {
  readonly target: string
  readonly init: Init
  /** Requests that mean something else, or the same, and must answer as if the attack had not been. */
  readonly victims: ReadonlyArray<string>
}

/** The naira often: its answers differ by `basis`. */
const FIATS = [...Array.from({ length: 8 }, () => "ngn"), "usd", "eur", "gbp", "inr", "zar", "aed", "cad", "jpy"]

type Parameter = readonly [name: string, value: string]

/** Parameters that change the answer of some endpoint, or say nothing. */
const changing: Readonly<Record<string, ReadonlyArray<Parameter>>> = {
  price: [
    ["basis", "customer"],
    ["basis", "customer"],
    ["basis", "customer"],
    ["at", "2026-11-01"]
  ],
  convert: [
    ["basis", "customer"],
    ["basis", "customer"],
    ["amount", "7.25"],
    ["to", "usd"]
  ],
  prices: [
    ["format", "csv"],
    ["format", "hledger"],
    ["fiats", "eur"]
  ],
  list: [
    ["format", "csv"],
    ["limit", "3"],
    ["page", "2"]
  ],
  fx: [["format", "csv"]],
  compat: [
    ["precision", "2"],
    ["vs_currencies", "eur"]
  ],
  other: [
    ["unknown", "1"],
    ["ref", "https://shop.example/pay?amount=10&at=2026-11-01"],
    ["api_key", "cda_x"]
  ]
}

const guards: ReadonlyArray<Parameter> = [
  ["max_age", "100000000"],
  ["max_age", "100000000"],
  ["max_age", "1"],
  ["expect", "1"],
  ["expect", "1"],
  ["expect", "x"],
  ["expect", "1&tolerance=100"]
]

const headers: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  {},
  {},
  { accept: "text/csv" },
  { accept: "application/json;q=0.1, text/csv" },
  { "accept-encoding": "gzip" },
  { "accept-encoding": "br" },
  { "if-none-match": "*" },
  { "x-api-key": "cda_x" },
  { "x-cg-demo-api-key": "CG-x" }
]

/** Attacks of this seed, each on coins that none before was on. `ids`: coins whose prices are held. */
export const attacks = function* (seed: number, ids: ReadonlyArray<string>): Generator<Attack> {
  const random = mulberry32(seed)
  const one = <A>(items: ReadonlyArray<A>): A => items[Math.floor(random() * items.length)] as A
  const sometimes = (share: number) => random() < share

  const encoded = (text: string): string =>
    text.replaceAll(/[a-z0-9]/gi, (character) =>
      sometimes(0.1) ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}` : character
    )

  /** A name or value as some parser may read it and another not. */
  const disguised = ([name, value]: Parameter, plainly = 0.5): string => {
    const pair = `${name}=${value}`
    if (sometimes(plainly)) return pair
    // A second question mark ends the query for some parsers, and belongs to a name for others.
    if (sometimes(0.5)) return sometimes(0.8) ? `${name}?` : `${name}?=${value}`
    const forms = [
      () => encoded(pair),
      () => `?${pair}`,
      () => `${name}`,
      () => `${name.toUpperCase()}=${value}`,
      () => `${name}[]=${value}`,
      () => ` ${pair}`.replace(" ", "+"),
      () => `${pair}&${name}=${value}`,
      () => `#${pair}`,
      () => `;${pair}`,
      () => `${pair};`,
      () => `${name}=${value}%00`,
      () => `%zz=1&${pair}`,
      () => `${pair}%`
    ]
    return one(forms)()
  }

  const written = (path: string, pairs: ReadonlyArray<string>): string => {
    const from = sometimes(0.1) ? encoded(path).replaceAll(/%2f/gi, "/") : path
    const whole = sometimes(0.05) ? `http://other.example${from}` : sometimes(0.05) ? `${from}/` : from
    const begin = sometimes(0.9) ? "?" : one([";", "#?", "??", "?&"])
    return pairs.length === 0 ? whole : `${whole}${begin}${pairs.join(sometimes(0.95) ? "&" : one(["&&", ";"]))}`
  }

  const bases = (id: string, other: string, fiat: string, amount: string) =>
    [
      ["price", `/v1/price/${id}/${fiat}`, "", [`/v1/price/${id}/${fiat}`, `/v1/price/${id}/${fiat}?basis=customer`]],
      [
        "convert",
        "/v1/convert",
        `from=${id}&to=${fiat}&amount=${amount}`,
        [`/v1/convert?from=${id}&to=${fiat}&amount=${amount}`, `/v1/convert?from=${id}&to=${fiat}&amount=0.${amount}`]
      ],
      [
        "prices",
        "/v1/prices",
        `ids=${id},${other}&fiats=${fiat}`,
        [`/v1/prices?ids=${id},${other}&fiats=${fiat}`, `/v1/prices?ids=${id},${other}&fiats=${fiat}&format=csv`]
      ],
      ["list", "/v1/coins", `ids=${id},${other}`, [`/v1/coins?ids=${id},${other}`]],
      ["other", `/v1/coins/${id}`, "", [`/v1/coins/${id}`]],
      ["fx", "/v1/fx", "", []],
      ["other", "/v1/naira", "", []],
      [
        "compat",
        "/compat/coingecko/api/v3/simple/price",
        `ids=${id}&vs_currencies=${fiat}`,
        [`/compat/coingecko/api/v3/simple/price?ids=${id}&vs_currencies=${fiat}`]
      ],
      ["other", one(["/healthz", "/docs", "/v1/global", "/nope", "/compat/coingecko/api/v3/ping"]), "", []]
    ] as const

  for (let n = 0; ; n++) {
    const id = ids[n % ids.length] ?? ""
    const all = bases(id, one(ids), one(FIATS), String(n + 2))
    // The first three have the most to lose.
    const [kind, path, query, victims] = sometimes(0.6) ? one(all.slice(0, 3)) : one(all)
    const guard = one(guards)
    const parameters = [...(changing[kind] ?? []), ...(sometimes(0.2) ? (changing["other"] ?? []) : [])]
    const said = query === "" ? [] : query.split("&")
    const added = [
      ...(sometimes(0.8) ? [sometimes(0.7) ? guard.join("=") : disguised(guard)] : []),
      ...(sometimes(0.6) ? [disguised(sometimes(0.7) ? guard : one(guards), 0.2)] : []),
      ...(sometimes(0.9) ? [disguised(one(parameters), 0.7)] : []),
      ...(sometimes(0.3) ? [disguised(one(parameters))] : [])
    ]
    const pairs = sometimes(0.2)
      ? [...added, ...said]
      : sometimes(0.2)
        ? [...said, ...added.toReversed()]
        : [...said, ...added]
    yield {
      // A blank ends the target in the request line.
      target: written(path, pairs).replaceAll(" ", "%20"),
      init: { method: sometimes(0.85) ? "GET" : one(["HEAD", "OPTIONS", "POST"]), headers: one(headers) },
      victims
    }
  }
}
