// The addresses of the page, relative to its base. The server uses this file too, so both write the same titles.
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

/** The paths of the API, without the leading slash. */
export const api = {
  market: (fiat: string) => `v1/${marketPath(fiat)}`,
  marketPast: (fiat: string, query = "") => `v1/${marketPath(fiat)}/history${query}`,
  coin: (id: string) => `v1/coins/${encoded(id)}`,
  coinPast: (id: string, fiat: string, query = "") => `v1/price/${encoded(id)}/${fiat.toLowerCase()}/history${query}`,
  why: (id: string) => `v1/why/${encoded(id)}`,
  search: (word: string) => `v1/search?${new URLSearchParams({ q: word, limit: "6" })}`,
  convert: (query: Readonly<Record<string, string>>) => `v1/convert?${new URLSearchParams(query)}`
}

/** The title of a page. `name`: of the fiat or the coin, if known. */
export const titleOf = (route: Route, name?: string): string => {
  switch (route.view) {
    case "home":
      return "P2P rates, coin prices, and why coins moved"
    case "market":
      return `USDT/${route.fiat}: the P2P rate of the ${name ?? route.fiat}`
    case "coin":
      return `${name ?? route.id}: price, venues and history`
    case "convert":
      return `${route.from.toUpperCase()} to ${route.to.toUpperCase()}: converter`
  }
}
