// How to use a panel's data elsewhere: by a formula in a spreadsheet, by an AI agent through MCP, and in programs made for
// CoinGecko.

import { serverNow } from "./Clock.ts"
import { isQuotedFiat } from "./Fiats.ts"

/** The base address of programs made for CoinGecko, relative to that of the page. */
export const COINGECKO = "compat/coingecko/api/v3"

type Texts = Readonly<Record<string, string>>

const csvOf = (url: URL): string => {
  const csv = new URL(url)
  csv.searchParams.set("format", "csv")
  return `IMPORTDATA("${csv.href}")`
}

/** The column of the price in the CSV of `/v1/prices`. */
const PRICE = 5

/** A formula for one price, from the CSV of `/v1/prices`, for endpoints without CSV. */
const priceOf = (base: string, query: Texts): string =>
  `INDEX(${csvOf(new URL(`v1/prices?${new URLSearchParams(query)}`, base))}, 2, ${PRICE})`

const isPrice = ({ from = "", to = "" }: Texts): boolean =>
  !isQuotedFiat(from) && !from.includes(":") && isQuotedFiat(to)

/** A formula for an amount of a coin in a quoted fiat; `null` for other conversions. */
const conversionOf = (base: string, { amount = "", basis, ...assets }: Texts): string | null => {
  const from = (assets["from"] ?? "").replace("coin:", "")
  const to = (assets["to"] ?? "").replace("fiat:", "")
  return isPrice({ from, to }) && /^\d+(\.\d+)?$/.test(amount)
    ? `${amount}*${priceOf(base, { ids: from, fiats: to, ...(basis !== undefined && { basis }) })}`
    : null
}

/** The days of a history that ends now. */
const daysOf = ({ from, interval }: Texts): string => {
  if (from === undefined) return interval === "hour" ? "1" : "30"
  return String(Math.max(1, Math.ceil((serverNow() - Date.parse(from)) / 86_400_000)))
}

const chartOf = (id: string, fiat: string, query: Texts): string =>
  `/coins/${encodeURIComponent(id)}/market_chart?${new URLSearchParams({ vs_currency: fiat.toLowerCase(), days: daysOf(query) })}`

const quoteOf = (id: string, fiat: string): string =>
  `/simple/price?${new URLSearchParams({ ids: id, vs_currencies: fiat.toLowerCase() })}`

const asCsv = (_base: string, _input: Texts, url: URL): string => csvOf(url)

interface Endpoint {
  /** A segment with `:` is an argument. */
  readonly path: string
  readonly tool: string
  /** Omitted if only JSON has the answer. */
  readonly formula?: (base: string, input: Texts, url: URL) => string | null
  /** Omitted if CoinGecko has no counterpart. */
  readonly coinGecko?: (input: Texts) => string | null
}

export const endpoints: ReadonlyArray<Endpoint> = [
  {
    path: "v1/naira",
    tool: "naira",
    formula: (base) => priceOf(base, { ids: "tether", fiats: "NGN" }),
    coinGecko: () => quoteOf("tether", "ngn")
  },
  {
    path: "v1/naira/history",
    tool: "naira_history",
    formula: asCsv,
    coinGecko: (input) => chartOf("tether", "ngn", input)
  },
  { path: "v1/p2p", tool: "p2p_markets" },
  { path: "v1/p2p/:fiat", tool: "p2p" },
  { path: "v1/p2p/:fiat/history", tool: "p2p_history", formula: asCsv },
  {
    path: "v1/price/:id/:fiat/history",
    tool: "history",
    formula: asCsv,
    coinGecko: ({ fiat = "", id = "", ...query }) => chartOf(id, fiat, query)
  },
  {
    path: "v1/convert",
    tool: "convert",
    formula: conversionOf,
    coinGecko: ({ basis, from = "", to = "" }) => {
      const [coin, fiat] = [from.replace("coin:", ""), to.replace("fiat:", "")]
      return isPrice({ from: coin, to: fiat }) && basis === undefined ? quoteOf(coin, fiat) : null
    }
  },
  { path: "v1/coins/:id", tool: "coin" },
  { path: "v1/why", tool: "movers" },
  { path: "v1/why/:id", tool: "why" },
  { path: "v1/global", tool: "market", coinGecko: () => "/global" },
  {
    path: "v1/coins",
    tool: "coins",
    formula: asCsv,
    coinGecko: ({ limit = "", page = "" }) =>
      `/coins/markets?${new URLSearchParams({ vs_currency: "usd", per_page: limit, page })}`
  }
]

/** Finds the arguments in a path of the endpoint. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]*)")}$`)

/**
 * The uses of a path's data: a spreadsheet formula (Power Query if only JSON has the data), the MCP tool with its arguments, and the
 * absolute URL of CoinGecko's counterpart. `base`: an absolute URL. `null` if the path is no known endpoint.
 */
export const usesOf = (base: string, path: string) => {
  const url = new URL(path, base)
  for (const { coinGecko = () => null, formula = () => null, path: pattern, tool } of endpoints) {
    const match = patternOf(pattern).exec(path.replace(/\?.*/s, ""))
    if (match === null) continue
    const named = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
    const input: Texts = Object.fromEntries([...named, ...url.searchParams])
    const csv = formula(base, input, url)
    const counterpart = coinGecko(input)
    return {
      formula: csv === null ? `=Json.Document(Web.Contents("${url.href}"))` : `=${csv}`,
      program: csv === null ? "Excel, Power Query" : "Google Sheets",
      tool,
      input: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, numbered(name, value)])),
      coinGecko: counterpart === null ? null : base + COINGECKO + counterpart
    }
  }
  return null
}

const numbered = (name: string, value: string): string | number =>
  name === "limit" || name === "page" ? Number(value) : value
