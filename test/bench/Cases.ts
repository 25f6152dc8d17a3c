// What is asked for, and what it has to show: issue 6's table.

/** How a figure is judged: by its ratio to a peer's. `least` for rates, where more is better. */
export interface Target {
  readonly peer: "fastify" | "encoded"
  readonly least: number
  readonly stretch?: number
}

/** One kind of request. */
export interface Case {
  readonly name: string
  /** `all`: every coin in every fiat, in random order. An `{n}` is another number in each request. */
  readonly path: string
  readonly callers: "keys" | "addresses" | "flood"
  readonly status: number
  /** One more header; `tag` stands for the `ETag` that the server gave for the path. */
  readonly header?: readonly [name: string, value: string]
  readonly targets: ReadonlyArray<Target>
}

const againstFastify = (least: number, stretch?: number): Target => ({
  peer: "fastify",
  least,
  ...(stretch !== undefined && { stretch })
})
const againstEncoded = (least: number): Target => ({ peer: "encoded", least })

/** The single address that others are compared with. */
export const PRICE = "/v1/price/bitcoin/usd"

const usual = { callers: "keys", status: 200 } as const

export const cases: ReadonlyArray<Case> = [
  { ...usual, name: "price", path: PRICE, targets: [againstFastify(1.45, 1.65), againstEncoded(0.8)] },
  { ...usual, name: "price by address", path: PRICE, callers: "addresses", targets: [] },
  { ...usual, name: "price, 1,000 x 9 in random order", path: "all", targets: [] },
  { ...usual, name: "coin", path: "/v1/coins/bitcoin", targets: [againstFastify(1.35, 1.55), againstEncoded(0.75)] },
  {
    ...usual,
    name: "list of 250",
    path: "/v1/coins?limit=250",
    targets: [againstFastify(10, 12), againstEncoded(0.88)]
  },
  {
    ...usual,
    name: "list of 250, gzip",
    path: "/v1/coins?limit=250",
    header: ["accept-encoding", "gzip"],
    targets: [againstFastify(80, 90)]
  },
  {
    ...usual,
    name: "price, 304",
    path: PRICE,
    status: 304,
    header: ["if-none-match", "tag"],
    targets: [againstFastify(1.3, 1.5), againstEncoded(0.75)]
  },
  {
    ...usual,
    name: "convert, each amount new",
    path: "/v1/convert?from=bitcoin&to=ngn&amount={n}.25",
    targets: [againstFastify(0.85, 1)]
  },
  { ...usual, name: "flood, 429", path: PRICE, callers: "flood", status: 429, targets: [againstFastify(2, 2.4)] },
  { ...usual, name: "unknown path, 404", path: "/v1/nothing/here", status: 404, targets: [againstFastify(1.1, 1.2)] },
  {
    ...usual,
    name: "bad parameter, 400",
    path: "/v1/coins?limit=9999",
    status: 400,
    targets: [againstFastify(0.9, 1)]
  }
]

/** Everything that is asked at random has at least this share of the single address's rate. */
export const RANDOM_LEAST = 0.85
