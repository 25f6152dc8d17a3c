// What is asked for, and what it has to show. The standard caller is behind a trusted proxy, one of 50,000 addresses in rotation.

/** How a figure is judged: by its ratio to a peer's. `least` for rates, where more is better. */
export interface Target {
  readonly peer: "fastify"
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
  /** Asked of the service alone: the peers have no such path. */
  readonly isOwn?: true
}

const againstFastify = (least: number, stretch?: number): Target => ({
  peer: "fastify",
  least,
  ...(stretch !== undefined && { stretch })
})

/** The single address that others are compared with. */
export const PRICE = "/v1/price/bitcoin/usd"

const usual = { callers: "addresses", status: 200 } as const
const own = { ...usual, isOwn: true, targets: [] } as const

/** The ids of the largest coins of the world, as many as asked for. `{ids:n}` in a path stands for them. */
export const idsIn = (path: string): number => Number(/\{ids:(\d+)\}/.exec(path)?.[1] ?? 0)

const FIATS = "usd,ngn,eur,gbp,inr,zar,aed,cad,jpy"

export const cases: ReadonlyArray<Case> = [
  { ...usual, name: "price", path: PRICE, targets: [againstFastify(1.3, 1.65)] },
  { ...usual, name: "price by key, direct", path: PRICE, callers: "keys", targets: [] },
  { ...usual, name: "price, 1,000 x 9 in random order", path: "all", targets: [] },
  { ...usual, name: "coin", path: "/v1/coins/bitcoin", targets: [againstFastify(1.3, 1.55)] },
  {
    ...usual,
    name: "list of 250",
    path: "/v1/coins?limit=250",
    targets: [againstFastify(8)]
  },
  {
    ...usual,
    name: "list of 250, gzip",
    path: "/v1/coins?limit=250",
    header: ["accept-encoding", "gzip"],
    targets: [againstFastify(70)]
  },
  {
    ...usual,
    name: "list of 250, br",
    path: "/v1/coins?limit=250",
    header: ["accept-encoding", "br"],
    targets: [againstFastify(130)]
  },
  {
    ...usual,
    name: "price, 304",
    path: PRICE,
    status: 304,
    header: ["if-none-match", "tag"],
    targets: [againstFastify(1.4, 1.5)]
  },
  {
    ...usual,
    name: "convert, same amount",
    path: "/v1/convert?from=bitcoin&to=ngn&amount=3",
    targets: [againstFastify(1.2)]
  },
  {
    ...usual,
    name: "convert, each amount new",
    path: "/v1/convert?from=bitcoin&to=ngn&amount={n}.25",
    targets: [againstFastify(0.75)]
  },
  { ...usual, name: "flood, 429", path: PRICE, callers: "flood", status: 429, targets: [againstFastify(1.3)] },
  { ...usual, name: "unknown path, 404", path: "/v1/nothing/here", status: 404, targets: [againstFastify(0.9)] },
  {
    ...usual,
    name: "bad parameter, 400",
    path: "/v1/coins?limit=9999",
    status: 400,
    targets: [againstFastify(0.8)]
  },
  { ...own, name: "prices, 50 x 2", path: "/v1/prices?ids={ids:50}&fiats=usd,ngn" },
  { ...own, name: "prices, 250 x 9", path: `/v1/prices?ids={ids:250}&fiats=${FIATS}` },
  { ...own, name: "history of 365 days", path: "/v1/price/bitcoin/usd/history?from={day:364}&to={day:0}" },
  { ...own, name: "search", path: "/v1/search?q=bit" },
  {
    ...own,
    name: "coins/markets as CoinGecko has it",
    path: "/compat/coingecko/api/v3/coins/markets?vs_currency=usd&per_page=100&page=1"
  }
]

/** Everything that is asked at random has at least this share of the single address's rate. */
export const RANDOM_LEAST = 0.8
