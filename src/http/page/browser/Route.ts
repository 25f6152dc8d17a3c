// The addresses of the page, relative to its base. The server uses this file too.
export type Route =
  | { readonly view: "home" }
  | { readonly view: "market"; readonly fiat: string }
  | { readonly view: "coin"; readonly id: string }
  | { readonly view: "convert"; readonly from: string; readonly to: string }

/** The market with its own paths, such as `/naira`. */
export const USUAL = "NGN"

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The route of a path, relative to the base. */
export const routeOf = (path: string): Route => {
  const [view = "", first = "", second = ""] = path.split("/").map(decoded)
  if (view === "naira") return { view: "market", fiat: USUAL }
  if (view === "p2p" && first !== "") return { view: "market", fiat: first.toUpperCase() }
  if (view === "coin" && first !== "") return { view: "coin", id: first.toLowerCase() }
  if (view === "convert" && second !== "") return { view: "convert", from: first, to: second }
  return { view: "home" }
}

/** Apostrophes are encoded too: paths go into commands for a shell. */
const encoded = (segment: string): string => encodeURIComponent(segment).replaceAll("'", "%27")

export const marketPath = (fiat: string): string => (fiat === USUAL ? "naira" : `p2p/${fiat.toLowerCase()}`)
export const coinPath = (id: string): string => `coin/${encoded(id)}`

/** The address of a conversion. */
export const conversionPath = (from: string, to: string): string =>
  `convert/${[from, to].map((asset) => encoded(asset.toLowerCase())).join("/")}`

/** How many coins the table has. */
export const LISTED = 100

/** The paths of the API, without the leading slash. */
export const api = {
  markets: "v1/p2p",
  coins: `v1/coins?limit=${LISTED}`,
  weeks: "page/weeks",
  movers: "v1/why",
  global: "v1/global",
  sources: "v1/sources",
  market: (fiat: string) => `v1/${marketPath(fiat)}`,
  marketPast: (fiat: string, query = "") => `v1/${marketPath(fiat)}/history${query}`,
  coin: (id: string) => `v1/coins/${encoded(id)}`,
  tickers: (id: string) => `v1/coins/${encoded(id)}/tickers`,
  coinPast: (id: string, fiat: string, query = "") => `v1/price/${encoded(id)}/${fiat.toLowerCase()}/history${query}`,
  why: (id: string) => `v1/why/${encoded(id)}`,
  search: (word: string) => `v1/search?${new URLSearchParams({ q: word, limit: "6" })}`,
  convert: (query: Readonly<Record<string, string>>) => `v1/convert?${new URLSearchParams(query)}`
}

/** A coin or a fiat. */
export interface Asset {
  /** The unambiguous form for `/v1/convert`: `fiat:NGN`, `coin:bitcoin`. */
  readonly asked: string
  readonly symbol: string
  readonly name: string
}

/** An asset as addresses and fields name it: `NGN`, `bitcoin`. */
export const plainly = ({ asked }: Asset): string => asked.replace(/^\w+:/, "")

/** USDT as people write it, which the converter begins with. */
const USDT = "USDT"

/** What the converter begins with. One bitcoin is more naira than people advertise. */
export const firstConversion = (route: Route, fiat: string) => ({
  ...(route.view === "convert"
    ? { from: route.from, to: route.to }
    : { from: route.view === "coin" ? route.id : USDT, to: fiat }),
  amount: route.view === "coin" && route.id === "bitcoin" ? "0.1" : "1"
})

/** The conversions of a pair, written as `coin:tether` and `fiat:NGN`. With a P2P market the mid is that of the street rate. */
export const conversionPaths = (from: string, to: string, amount: string, hasMarket: boolean) => ({
  mid: api.convert({ from, to, ...(hasMarket && { basis: "p2p" }) }),
  ...(hasMarket && {
    // The rate that people get depends on the amount.
    customer: api.convert({ from, to, amount, basis: "customer" }),
    official: api.convert({ from, to, basis: "official" })
  })
})

/** The followed market of a conversion: of the currency converted to, else from. */
export const marketOf = (
  { from, to }: { readonly from: string; readonly to: string },
  isFollowed: (code: string) => boolean
): string | undefined => [to, from].map((code) => code.toUpperCase()).find(isFollowed)

/** The paths that a view shows first. `isFiat`, `isFollowed`: of a code in upper case. */
export const firstPaths = (
  route: Route,
  isFiat: (code: string) => boolean,
  isFollowed: (code: string) => boolean
): ReadonlyArray<string> => {
  const fiat = route.view === "market" ? route.fiat : USUAL
  const { amount, from, to } = firstConversion(route, fiat)
  const [source = "", target = ""] = [from, to].map((asset) => {
    if (isFiat(asset.toUpperCase())) return `fiat:${asset.toUpperCase()}`
    return asset === USDT ? "coin:tether" : `coin:${asset.toLowerCase()}`
  })
  const hasMarket = [from, to].some((asset) => isFollowed(asset.toUpperCase()))
  return [
    ...(route.view === "coin"
      ? [api.coin(route.id), api.coinPast(route.id, "USD"), api.why(route.id)]
      : [api.marketPast(route.view === "convert" ? (marketOf(route, isFollowed) ?? USUAL) : fiat)]),
    ...Object.values(conversionPaths(source, target, amount, hasMarket)),
    api.markets,
    api.coins,
    api.weeks,
    api.movers,
    api.global,
    api.sources
  ]
}
