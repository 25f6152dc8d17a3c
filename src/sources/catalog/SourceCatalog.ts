// Every source but the operator's own feeds (`NewsFeeds.ts`), one record each. Settings, budgets, stamps, `/v1/sources`, the doctor and the
// tables in `docs/sources.md` derive from these records; `Sources.ts` maps them to adapters.
import { exchangeSources } from "./exchangeSources.ts"
import { marketSources } from "./marketSources.ts"
import { newsSources } from "./newsSources.ts"
import { rateSources } from "./rateSources.ts"
import type { DataSetName, SourceRecord } from "./SourceRecord.ts"

export const catalog = { ...exchangeSources, ...marketSources, ...rateSources, ...newsSources }

/** The records in the order of display and of fallback. */
export const sourceCatalog: ReadonlyArray<SourceRecord> = Object.values(catalog)

/** The URLs where a source of coins shows a coin and the market. `source`: the name in stamps. */
export const figurePages = (source: string, id: string): { readonly coinUrl: string; readonly marketUrl: string } => {
  const {
    coinPage,
    link,
    marketPage = link
  }: SourceRecord = sourceCatalog.find(({ dataSets, name }) => dataSets.includes("coins") && source.startsWith(name)) ??
  catalog.COINGECKO
  return { coinUrl: (coinPage ?? link).replace("{id}", encodeURIComponent(id)), marketUrl: marketPage }
}

const questions: ReadonlyArray<readonly [question: string, ...dataSets: ReadonlyArray<DataSetName>]> = [
  ["what exchanges agree on", "tickers"],
  ["coins and prices", "coins"],
  ["the market as a whole", "global"],
  ["P2P markets", "p2p"],
  ["P2P markets, order books: check and fallback", "order_book"],
  ["naira, official", "nfem", "official_rate"],
  ["fiat rates", "fx"],
  ["evidence for `/v1/why`: announcements of exchanges", "announcements"],
  ["evidence: news feeds", "news"],
  ["evidence: incidents", "hacks"]
]

/** The rows of the Markdown tables in `docs/sources.md`, by the names of their markers. */
export const tables = {
  questions: questions
    .map(([question, ...wanted]) => {
      const names = sourceCatalog
        .filter(({ dataSets }) => wanted.some((name) => dataSets.includes(name)))
        .map(({ name }) => name)
      return `| ${question} | ${names.join(", ")} |\n`
    })
    .join(""),
  sources: Array.from(
    Map.groupBy(sourceCatalog, ({ licence, redistribution }) => `${licence} | ${redistribution}`),
    ([terms, records]) =>
      `| ${records.map(({ id, link, name }) => `[${name}](${link}) \`${id}\``).join(", ")} | ${terms} |\n`
  ).join("")
}
