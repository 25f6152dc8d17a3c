// The page: the panels of each address, the title, and the notices for the whole page.
import { useEffect } from "preact/hooks"
import { connection, useRedraw } from "./Answer.ts"
import { useAsset } from "./Assets.ts"
import { CoinsPanel } from "./Coins.tsx"
import { CoinView, useCoin, Venues, Why } from "./CoinView.tsx"
import { Converter, useConversions } from "./Converter.tsx"
import { quotedFiats } from "./Fiats.ts"
import { nameOf } from "./Figures.ts"
import { Health, Totals } from "./Health.tsx"
import { History } from "./History.tsx"
import { Movers } from "./Movers.tsx"
import { useEvents, useRoute } from "./Navigation.ts"
import { ProblemView } from "./Panel.tsx"
import { Rate, useMarkets } from "./Rate.tsx"
import { firstConversion, type Route, USUAL } from "./Route.ts"
import { tabTitle } from "./Title.ts"

const REMEMBERED = "market"

/** `undefined` if the browser blocks storage. */
const storage = (): Storage | undefined => {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

/** The market that the address names: in the path, of a conversion, or in `?market=`. Else the one of the last visit. */
const useFiat = (route: Route): string => {
  const markets = useMarkets().data?.markets
  const named = new URLSearchParams(location.search).get("market") ?? storage()?.getItem(REMEMBERED) ?? USUAL
  const converted = route.view === "convert" ? [route.to, route.from] : []
  const wanted = [...converted, named].map((code) => code.toUpperCase())
  const fiat =
    route.view === "market"
      ? route.fiat
      : (wanted.find((code) => markets?.some((row) => row.fiat === code)) ??
        (markets === undefined ? wanted.at(-1) : USUAL))
  useEffect(() => {
    if (route.view === "market") storage()?.setItem(REMEMBERED, route.fiat)
  }, [route])
  return fiat ?? USUAL
}

/** The conversion that the address names, with its mid-market rate. */
const useConversion = (route: Route) => {
  const named = route.view === "convert" ? route : { from: "", to: "" }
  const [from, to] = [useAsset(named.from).asset, useAsset(named.to).asset]
  const { data } = useConversions(from, to, undefined).answers.mid
  return from && to && { from, to, rate: data?.rate }
}

const useTitle = (route: Route, fiat: string): void => {
  const market = useMarkets().data?.markets.find((each) => each.fiat === fiat)
  const { data: coin } = useCoin(route.view === "coin" ? route.id : null)
  const title = tabTitle(route, { market, coin, conversion: useConversion(route), fiatName: nameOf(fiat) })
  useEffect(() => {
    document.title = title
  }, [title])
  // Addresses change without a load, and links to parts of the page must follow.
  useEffect(() => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(".skip, .top [href*='#']")) {
      link.href = `${location.pathname}${link.hash}`
    }
  }, [route])
}

const codes: ReadonlySet<string> = new Set(quotedFiats)

/** Writes fiat codes in upper case and leaves coins unchanged. */
const written = (asset: string): string => (codes.has(asset.toUpperCase()) ? asset.toUpperCase() : asset)

const conversionOf = (route: Route, fiat: string) => {
  const { amount, from, to } = firstConversion(route, fiat)
  return { amount, from: written(from), to: written(to) }
}

/** What the whole page lacks: the connection, or the server. */
const Away = () => {
  useEvents("online", "offline")
  useRedraw(connection.watchers)
  if (!navigator.onLine) {
    return (
      <p class="notice" role="status">
        <strong>You are offline.</strong> The figures are those of the last load, with their ages. They refresh when the
        connection is back.
      </p>
    )
  }
  return (
    connection.problem !== undefined && (
      <div class="notice" id="away" role="status">
        <ProblemView answer={connection} />
      </div>
    )
  )
}

const Rates = ({ fiat }: { readonly fiat: string }) => (
  <div class="column">
    <Rate fiat={fiat} />
    <History key={fiat} market={fiat} />
  </div>
)

const Coin = ({ id }: { readonly id: string }) => (
  <div class="column">
    <CoinView key={id} id={id} />
    <History key={id} coin={id} />
    <Venues key={id} id={id} />
  </div>
)

export const App = () => {
  const route = useRoute()
  const fiat = useFiat(route)
  const { meta } = useMarkets()
  useTitle(route, fiat)
  const converter = (
    <div class="column">
      <Converter {...conversionOf(route, fiat)} isAddressed={route.view === "convert"} />
      {route.view === "coin" && <Why id={route.id} />}
      <Totals />
    </div>
  )
  return (
    <>
      <Away />
      {meta?.source.includes("(sandbox)") === true && (
        <p class="notice" id="sandbox" role="note">
          <strong>Simulated data.</strong> This server runs the sandbox: no figure on this page is real.
        </p>
      )}
      <div class={`first of-${route.view}`}>
        {route.view === "convert" && converter}
        {route.view === "coin" ? <Coin id={route.id} /> : <Rates fiat={fiat} />}
        {route.view !== "convert" && converter}
      </div>
      <CoinsPanel />
      <Movers />
      <Health />
    </>
  )
}
