// Titles of the page: of the document, and of the tab, which begins with the figure of the view.
import type { Figure } from "./Answers.ts"
import { coins, money } from "./Figures.ts"
import type { Asset, Route } from "./Route.ts"

/** The title of a page. `name`: of the fiat or the coin, or the symbols of a conversion such as `BTC to NGN`, if known. */
export const titleOf = (route: Route, name?: string): string => {
  switch (route.view) {
    case "home":
      return "P2P rates, coin prices, and why coins moved"
    case "market":
      return `USDT/${route.fiat}: the P2P rate of the ${name ?? route.fiat}`
    case "coin":
      return `${name ?? route.id}: price, venues and history`
    case "convert":
      return `${name ?? symbolsOf(route.from.toUpperCase(), route.to.toUpperCase())}: converter`
  }
}

/** The name of a conversion. */
export const symbolsOf = (from: string, to: string): string => `${from} to ${to}`

/** A sum of money or of a coin, such as `₦1,601.03` and `0.25 BTC`. */
export const sumOf = ({ asked, symbol }: Asset, figure: Figure): string =>
  asked.startsWith("fiat:") ? money(symbol)(figure) : `${coins(figure)} ${symbol}`

/** What the view shows, as far as it is known. */
interface Shown {
  /** The chosen market, in units of `fiat` for 1 USDT. */
  readonly market?: { readonly fiat: string; readonly mid: Figure | null } | undefined
  readonly coin?: { readonly name: string } | undefined
  /** The conversion that the address names, with its mid-market rate. */
  readonly conversion?: { readonly from: Asset; readonly to: Asset; readonly rate: Figure | undefined } | undefined
  /** The name of the chosen market's fiat. */
  readonly fiatName: string
}

/** The title of the tab, for users who keep the page in the background. A view whose figure is not known has none. */
export const tabTitle = (route: Route, { coin, conversion, fiatName, market }: Shown): string => {
  if (route.view === "coin") return titleOf(route, coin?.name)
  if (route.view !== "convert") {
    const title = titleOf(route, fiatName)
    return market === undefined || market.mid === null ? title : `${money(market.fiat)(market.mid)} · ${title}`
  }
  if (conversion === undefined) return titleOf(route)
  const { from, rate, to } = conversion
  const title = titleOf(route, symbolsOf(from.symbol, to.symbol))
  return rate === undefined ? title : `${sumOf(to, rate)} · ${title}`
}
