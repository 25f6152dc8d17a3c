// `/v1/prices`. The body is written without the contract's schemas, which would take longer for 2,250 cells than everything
// else together.
import { Clock, DateTime, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { coinAt } from "../../api/HistoryParameters.ts"
import type { Basis } from "../../domain/Conversion.ts"
import { jsonFigure } from "../../domain/JsonNumber.ts"
import { leastConfidence } from "../../domain/P2pRate.ts"
import { dayOf } from "../../history/model/Interval.ts"
import { endOf, type Moment, momentOf, startOf } from "../../history/model/Moment.ts"
import { Coins } from "../../services/Coins.ts"
import { type AllPrices, byId, Conversions, type Missing, type Prices } from "../../services/Conversions.ts"
import { type CoinAt, Past } from "../../services/history/Past.ts"
import { type Cell, csv, inert } from "../response/Csv.ts"
import { type DatedPrice, leftOut, type Ledger, priceDirectives } from "../response/PriceDirectives.ts"
import { atMoment, notePast } from "./atMoment.ts"
import { missingCoin } from "./Envelope.ts"
import { figure } from "./figure.ts"
import { InvalidQuery, refusing } from "./refusing.ts"
import { joined, ownRecordAt, type Stamp, stampOf } from "./Stamp.ts"
import { note } from "../response/Notes.ts"
import { type Format, formatted } from "./Format.ts"

export const PricesHandlers = HttpApiBuilder.group(
  Api,
  "prices",
  Effect.fn(function* (handlers) {
    const coins = yield* Coins
    const conversions = yield* Conversions
    const past = yield* Past

    /** The stamp of an answer without rows: that of the coin list, or now if there is no list yet. */
    const stampOfNothing = Effect.matchEffect(coins.list, {
      onSuccess: (list) => Effect.succeed(stampOf(list)),
      onFailure: () => Effect.map(DateTime.now, (updated) => ({ source: "crypto-data-api", updated }))
    })

    /** The answers for coins of which some have a time of their own. */
    const eachAt = Effect.fnUntraced(function* (
      items: ReadonlyArray<Item>,
      fiats: ReadonlyArray<string>,
      basis: Basis
    ) {
      const time = yield* Clock.currentTimeMillis
      const then = items.filter(isPast)
      if (then.some(({ moment }) => startOf(moment) > time)) {
        return yield* new InvalidQuery({ parameter: "ids", detail: "must not have a time in the future" })
      }
      if (then.length === items.length)
        yield* notePast(
          then.map(({ moment }) => moment),
          time
        )
      const current = items.filter((item) => !isPast(item)).map(({ id }) => id)
      const live = current.length === 0 ? { prices: [], missing: [] } : yield* conversions.prices(current, fiats, basis)
      const each = yield* past.pricesEach(then, fiats, basis)
      const found = byId(live)
      return items.flatMap((item) => answered(item, isPast(item) ? each.get(item) : found.get(item.id)))
    })

    return handlers.handleAll({
      prices: Effect.fnUntraced(function* ({ query }) {
        const { basis, fiats, format, ids } = query
        const items = ids.map(itemOf)
        const inOrder = (all: AllPrices, moment?: Moment) => {
          const found = byId(all)
          return items.flatMap((item) => answered({ ...item, moment }, found.get(item.id)))
        }
        if (items.some(({ moment }) => moment !== undefined)) {
          const otherwise = Effect.map(Clock.currentTimeMillis, ownRecordAt)
          return yield* pricesBody({ found: yield* eachAt(items, fiats, basis), fiats, otherwise }, format)
        }
        const now = Effect.map(conversions.prices(ids, fiats, basis), (all): FoundPrices => ({
          found: inOrder(all),
          fiats,
          otherwise: stampOfNothing
        }))
        const found = yield* atMoment(query, now, (moment) =>
          Effect.map(past.prices(moment, ids, fiats, basis), (all): FoundPrices => ({
            found: inOrder(all, moment),
            fiats,
            otherwise: Effect.succeed(ownRecordAt(startOf(moment)))
          }))
        )
        return yield* pricesBody(found, format)
      }, refusing)
    })
  })
)

/** A coin that is asked for. `at`: the text of its own time, if it has one. `moment`: the time of its price; now without it. */
interface Item {
  readonly id: string
  readonly at: string | undefined
  readonly moment: Moment | undefined
}

const isPast = (item: Item): item is Item & CoinAt => item.moment !== undefined

type Found = Item &
  ({ readonly row: Prices; readonly stamp: Stamp } | { readonly row?: never; readonly missing: Missing })

interface FoundPrices {
  /** In the order asked for. */
  readonly found: ReadonlyArray<Found>
  readonly fiats: ReadonlyArray<string>
  /** The stamp if no coin has a row. */
  readonly otherwise: Effect.Effect<Stamp>
}

const itemOf = (text: string): Item => {
  const { at, id } = coinAt(text)
  return { id, at, moment: at === undefined ? undefined : Option.getOrUndefined(momentOf(at)) }
}

const answered = (item: Item, answer: Prices | Missing | undefined): ReadonlyArray<Found> => {
  if (answer === undefined) return []
  if ("failure" in answer) return [{ ...item, missing: answer }]
  // The stamp of its prices, or of its coin if it has no price.
  return [
    { ...item, row: answer, stamp: joined(answer.cells.flatMap(([, cell]) => cell ?? [])) ?? stampOf(answer.coin) }
  ]
}

/** Of a row with a time of its own: that time, and where its figures are from. */
const evidenceOf = (at: string | undefined, cells: Prices["cells"], { source }: Stamp) => {
  if (at === undefined) return {}
  const markets = cells.flatMap(([, cell]) => cell?.market ?? [])
  const confidence = leastConfidence(markets.map((market) => market.confidence)) ?? null
  return { at, source, kind: markets[0]?.kind ?? null, confidence, method: markets[0]?.method ?? null }
}

const rowOf = ({ at, row: { cells, coin }, stamp }: Extract<Found, { readonly stamp: Stamp }>) => {
  const { id, name, symbol } = coin.value
  return {
    id,
    symbol,
    name,
    price: Object.fromEntries(cells.map(([fiat, cell]) => [fiat, figure(cell?.price)])),
    change_24h: Object.fromEntries(cells.map(([fiat, cell]) => [fiat, figure(cell?.change_24h)])),
    updated: DateTime.formatIso(stamp.updated),
    ...evidenceOf(at, cells, stamp)
  }
}

const COLUMNS = ["id", "symbol", "name", "fiat", "price", "change_24h", "updated", "source"]

/** Further columns if a coin has a time of its own. */
const EVIDENCE = ["at", "kind", "confidence", "method"]

/**
 * A row for each coin and fiat, in the order asked for, so that each keeps its place in a sheet. A coin without prices has rows with empty
 * cells; a cell without a price has the stamp of its coin.
 */
const csvRowsOf = ({ fiats, found }: FoundPrices): ReadonlyArray<Readonly<Record<string, Cell>>> =>
  found.flatMap((one): ReadonlyArray<Readonly<Record<string, Cell>>> => {
    const at = one.at ?? null
    if (one.row === undefined) {
      const { failure, id } = one.missing
      return fiats.map((fiat) => ({ id: failure._tag === "UnknownCoin" ? inert(id) : id, fiat, at }))
    }
    const { cells, coin } = one.row
    return cells.map(([fiat, cell]) => ({
      ...evidenceOf(one.at, [[fiat, cell]], one.stamp),
      id: coin.value.id,
      symbol: coin.value.symbol,
      name: coin.value.name,
      fiat,
      price: figure(cell?.price),
      change_24h: figure(cell?.change_24h),
      updated: DateTime.formatIso(cell?.updated ?? coin.observedAt),
      source: cell?.source ?? coin.source
    }))
  })

const reasons = {
  unknown_coin: "is no coin's id",
  no_price: "has no price",
  source_unavailable: "has no price now",
  no_data: "was not observed then"
}

/**
 * The prices in a ledger's format. The date is that of the coin's price, even if the fiat's rate is older, and not after the end of the
 * requested moment, because a day's close may be observed some seconds into the next day. Of coins with the same symbol only the first is
 * listed. What is left out has a comment.
 */
const directivesOf = (ledger: Ledger, { found }: FoundPrices): string => {
  const owners = new Map<string, string>()
  const comments: Array<string> = []
  const dated: Array<DatedPrice> = []
  for (const one of found) {
    if (one.row === undefined) {
      comments.push(leftOut(one.missing.id, reasons[missingCoin(one.missing).code]))
      continue
    }
    const { cells, coin } = one.row
    const { id, symbol } = coin.value
    const owner = owners.get(symbol) ?? id
    owners.set(symbol, owner)
    if (owner !== id) {
      comments.push(leftOut(id, "shares its symbol"))
      continue
    }
    const until = one.moment === undefined ? Infinity : endOf(one.moment)
    const date = dayOf(Math.min(coin.observedAt.epochMilliseconds, until))
    for (const [fiat, cell] of cells) {
      if (cell === null) comments.push(leftOut(id, `has no price in ${fiat} now`))
      else dated.push({ date, symbol, price: jsonFigure(cell.price), fiat })
    }
  }
  return priceDirectives(ledger, dated, comments)
}

const pricesBody = Effect.fnUntraced(function* (all: FoundPrices, format: Format) {
  const { found, otherwise } = all
  const rows = found.flatMap((one) => (one.row === undefined ? [] : [one]))
  const confidence = leastConfidence(rows.flatMap(({ row }) => row.cells.map(([, cell]) => cell?.confidence)))
  yield* note({ confidence })
  const columns = found.some(({ at }) => at !== undefined) ? [...COLUMNS, ...EVIDENCE] : COLUMNS
  const missing = () =>
    found.flatMap((one) =>
      one.row !== undefined ? [] : [{ ...missingCoin(one.missing), ...(one.at !== undefined && { at: one.at }) }]
    )
  return yield* formatted(
    format,
    joined(rows.map(({ stamp }) => stamp)) ?? (yield* otherwise),
    () => ({ prices: rows.map(rowOf), missing: missing() }),
    (other) => (other === "csv" ? csv(columns, csvRowsOf(all)) : directivesOf(other, all))
  )
})
