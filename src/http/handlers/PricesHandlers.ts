// `/v1/prices`. The body is written without the contract's schemas, which would take longer for 2,250 cells than everything
// else together.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import { leastConfidence } from "../../domain/P2pRate.ts"
import { dayOf } from "../../history/model/Interval.ts"
import { endOf, startOf } from "../../history/model/Moment.ts"
import { Coins } from "../../services/Coins.ts"
import { Conversions, type Missing, type Prices } from "../../services/Conversions.ts"
import { Past } from "../../services/history/Past.ts"
import { type Cell, csv, inert } from "../response/Csv.ts"
import { type DatedPrice, leftOut, type Ledger, priceDirectives } from "../response/PriceDirectives.ts"
import { atMoment } from "./atMoment.ts"
import { missingCoin } from "./Envelope.ts"
import { figure } from "./figure.ts"
import { refusing } from "./refusing.ts"
import { joined, ownRecordAt, type Stamp, stampOf } from "./Stamp.ts"
import { note } from "../response/Notes.ts"
import { type Format, formatted } from "./Format.ts"

export const PricesHandlers = HttpApiBuilder.group(
  Api,
  "many",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const past = yield* Past

    /** The stamp of an answer without rows: that of the coin list, or now if there is no list yet. */
    const stampOfNothing = Effect.matchEffect(coins.list, {
      onSuccess: (list) => Effect.succeed(stampOf(list)),
      onFailure: () => Effect.map(DateTime.now, (updated) => ({ source: "crypto-data-api", updated }))
    })

    return handlers.handleAll({
      prices: Effect.fnUntraced(function* ({ query }) {
        const { basis, fiats, format, ids } = query
        const now: Effect.Effect<Found> = Effect.map(conversions.prices(ids, fiats, basis), (found) => ({
          ...found,
          until: Infinity,
          otherwise: stampOfNothing
        }))
        const found = yield* atMoment(query, now, (moment) =>
          Effect.map(past.prices(moment, ids, fiats, basis), (found) => ({
            ...found,
            until: endOf(moment),
            otherwise: Effect.succeed(ownRecordAt(startOf(moment)))
          }))
        )
        return yield* pricesBody({ ...found, ids, fiats }, format)
      }, refusing)
    })
  })
)

interface Found {
  readonly prices: ReadonlyArray<Prices>
  readonly missing: ReadonlyArray<Missing>
  /** The end of the requested moment, epoch milliseconds; `Infinity` for current prices. */
  readonly until: number
  /** The stamp if no coin has a row. */
  readonly otherwise: Effect.Effect<Stamp>
}

interface FoundPrices extends Found {
  readonly ids: ReadonlyArray<string>
  readonly fiats: ReadonlyArray<string>
}

/** A row with the stamp of its prices, or of its coin if it has no price. */
const stamped = (row: Prices) => ({
  row,
  stamp: joined(row.cells.flatMap(([, cell]) => cell ?? [])) ?? stampOf(row.coin)
})

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
const cellsOf = ({ cells, coin }: Prices): ReadonlyArray<Readonly<Record<string, Cell>>> =>
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

/** Rows in the order asked for, so that each keeps its place in a sheet. A coin without prices has rows with empty cells. */
const csvRowsOf = ({ fiats, ids, missing, prices }: FoundPrices) => {
  const priced = new Map(prices.map((row) => [row.coin.value.id, row]))
  const absent = new Map(missing.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = priced.get(id)
    if (row !== undefined) return cellsOf(row)
    const name = absent.get(id)?.failure._tag === "UnknownCoin" ? inert(id) : id
    return fiats.map((fiat) => ({ id: name, fiat }))
  })
}

const reasons = {
  unknown_coin: "is no coin's id",
  no_price: "has no price",
  source_unavailable: "has no price now",
  no_data: "was not observed then"
}

/**
 * The prices in a ledger's format. The date is that of the coin's price, even if the fiat's rate is older, and not after `until`,
 * because a day's close may be observed some seconds into the next day. Of coins with the same symbol only the first is listed. What
 * is left out has a comment.
 */
const directivesOf = (ledger: Ledger, { missing, prices, until }: FoundPrices): string => {
  const owners = new Set<string>()
  const comments = missing.map((row) => leftOut(row.id, reasons[missingCoin(row).code]))
  const dated: Array<DatedPrice> = []
  for (const { cells, coin } of prices) {
    const { id, symbol } = coin.value
    if (owners.has(symbol)) comments.push(leftOut(id, "shares its symbol"))
    else {
      owners.add(symbol)
      const date = dayOf(Math.min(coin.observedAt.epochMilliseconds, until))
      for (const [fiat, cell] of cells) {
        if (cell === null) comments.push(leftOut(id, `has no price in ${fiat} now`))
        else dated.push({ date, symbol, price: jsonFigure(cell.price), fiat })
      }
    }
  }
  return priceDirectives(ledger, dated, comments)
}

const pricesBody = Effect.fnUntraced(function* (found: FoundPrices, format: Format) {
  const { missing, otherwise, prices } = found
  const rows = prices.map(stamped)
  const confidence = leastConfidence(prices.flatMap(({ cells }) => cells.map(([, cell]) => cell?.confidence)))
  yield* note({ confidence })
  return yield* formatted(
    format,
    joined(rows.map(({ stamp }) => stamp)) ?? (yield* otherwise),
    () => ({ prices: rows.map(rowOf), missing: missing.map(missingCoin) }),
    (other) => (other === "csv" ? csv(COLUMNS, csvRowsOf(found)) : directivesOf(other, found))
  )
})
