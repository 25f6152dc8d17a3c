// The body of many prices, written without the schemas of the contract, which take longer for 2,250 cells than everything
// else together.
import { DateTime, Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Caller } from "../../api/Caller.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import type { Missing, Price, Prices } from "../../services/Conversions.ts"
import type { MissingThen } from "../../services/history/Past.ts"
import { csv } from "../response/Csv.ts"
import * as Format from "../response/Format.ts"
import { type Ledger, priceDirectives } from "../response/PriceDirectives.ts"
import { joined, type Stamp, stampOf } from "./Answer.ts"
import { missingCoin } from "./missingCoin.ts"

interface Found {
  readonly prices: ReadonlyArray<Prices>
  readonly missing: ReadonlyArray<Missing | MissingThen>
}

const figure = (value: number | null | undefined) => (value === null || value === undefined ? null : jsonFigure(value))

const pricedCells = ({ cells }: Prices): ReadonlyArray<Price> => cells.flatMap(([, cell]) => cell ?? [])

/** A row with the stamp of its prices; one without prices has that of its coin. */
const stamped = (row: Prices) => ({ row, stamp: joined(pricedCells(row)) ?? stampOf(row.coin) })

const rowOf = ({ row, stamp }: ReturnType<typeof stamped>) => {
  const { id, name, symbol } = row.coin.value
  return {
    id,
    symbol,
    name,
    price: Object.fromEntries(row.cells.map(([fiat, cell]) => [fiat, figure(cell?.price)])),
    change_24h: Object.fromEntries(row.cells.map(([fiat, cell]) => [fiat, figure(cell?.change_24h)])),
    updated: DateTime.formatIso(stamp.updated)
  }
}

const COLUMNS = ["id", "symbol", "name", "fiat", "price", "change_24h", "updated", "source"]

/** A row for each fiat; a cell without a price has the stamp of its coin. */
const csvRowsOf = ({ cells, coin }: Prices) =>
  cells.map(([fiat, cell]) => ({
    id: coin.value.id,
    symbol: coin.value.symbol,
    name: coin.value.name,
    fiat,
    price: figure(cell?.price),
    change_24h: figure(cell?.change_24h),
    updated: DateTime.formatIso(cell?.updated ?? coin.observedAt),
    source: cell?.source ?? coin.source
  }))

/** The prices for a ledger. Of several coins that share a symbol only the first has one there. */
const directivesOf = (ledger: Ledger, prices: ReadonlyArray<Prices>): string => {
  const owners = new Map<string, string>()
  for (const { coin } of prices) if (!owners.has(coin.value.symbol)) owners.set(coin.value.symbol, coin.value.id)
  const isFirst = ({ coin }: Prices) => owners.get(coin.value.symbol) === coin.value.id
  const others = prices
    .filter((row) => !isFirst(row))
    .map(({ coin }) => `; left out: ${coin.value.id} shares its symbol\n`)
  const dated = prices.filter(isFirst).flatMap(({ cells, coin }) =>
    cells.flatMap(([fiat, cell]) =>
      cell === null
        ? []
        : [
            {
              date: DateTime.formatIsoDateUtc(cell.updated),
              symbol: coin.value.symbol,
              price: jsonFigure(cell.price),
              fiat
            }
          ]
    )
  )
  return others.join("") + priceDirectives(ledger, dated)
}

/** `{ data, meta }` for the current caller. `otherwise` is the stamp where no coin has a row. */
export const pricesBody = (
  { missing, prices }: Found,
  otherwise: Effect.Effect<Stamp>,
  format: Format.Format = "json"
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function* () {
    const { tier } = yield* Caller
    const rows = prices.map(stamped)
    const { source, updated } = joined(rows.map(({ stamp }) => stamp)) ?? (yield* otherwise)
    const stamp = { source, updated: DateTime.formatIso(updated) }
    if (format === "csv") return Format.text(format, csv(COLUMNS, prices.flatMap(csvRowsOf)), stamp)
    if (format !== "json") return Format.text(format, directivesOf(format, prices), stamp)
    return Format.json({
      data: { prices: rows.map(rowOf), missing: missing.map(missingCoin) },
      meta: { ...stamp, tier }
    })
  })
