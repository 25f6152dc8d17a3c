// Fiat codes that were replaced by another one. Callers still send them, so errors name the successor and the date. The table has the
// currencies of the euro area by the day on which the euro replaced them, and others with the day of the latest change.
import table from "./retiredCurrencies.json" with { type: "json" }

interface Retired {
  readonly successor: string
  /** The first day of the successor, `YYYY-MM-DD`. */
  readonly since: string
  /** The URL that documents it. */
  readonly source: string
}

const urls = new Map(Object.entries(table.sources))

/** By code in upper case. */
export const retiredCurrencies: ReadonlyMap<string, Retired> = new Map([
  ...Object.entries(table.euro).flatMap(([since, codes]) =>
    codes.map((code): [string, Retired] => [code, { successor: "EUR", since, source: table.sources.ECB }])
  ),
  ...Object.entries(table.others).map(([code, retired]): [string, Retired] => [
    code,
    { ...retired, source: urls.get(retired.source) ?? "" }
  ])
])
