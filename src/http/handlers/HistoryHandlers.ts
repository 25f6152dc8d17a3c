// `/v1/price/{id}/{fiat}/history`, `/v1/naira/history` and `/v1/fx/history`.
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { type HistoryQuery, rangeOf } from "../../domain/history/HistoryRange.ts"
import { Histories, type HistoryRequest } from "../../services/history/Histories.ts"
import { formatOf } from "../response/Format.ts"
import { type InvalidQuery, orInvalid, refusing } from "./Answer.ts"
import { using } from "./HandlerLayer.ts"
import { fxPoint, historyBody, nairaPoint, pricePoint } from "./HistoryBody.ts"

interface Query {
  readonly from?: string
  readonly to?: string
  readonly interval?: HistoryQuery["interval"]
  readonly fill?: "none" | "previous"
}

/** The range that a query asks for, or what is wrong with it. */
const requestOf = ({ fill, from, interval = "day", to }: Query): Effect.Effect<HistoryRequest, InvalidQuery> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) => orInvalid(rangeOf({ from, to, interval }, now))),
    Effect.map((range) => ({ range, isFilled: fill === "previous" }))
  )

const stamp = ["date", "time", "final", "observed", "source"]

const priceTable = (symbol: string, fiat: string) => ({
  columns: [...stamp, "open", "high", "low", "close", "revised"],
  rows: (row: ReturnType<typeof pricePoint>) => [row],
  prices: ({ close, date }: ReturnType<typeof pricePoint>) => ({ date, symbol, price: close, fiat })
})

const nairaFigures = ["buy", "sell", "mid", "low", "high", "official", "official_date", "premium", "confidence", "kind"]

const nairaTable = {
  columns: [...stamp, ...nairaFigures, "revised"],
  rows: (row: ReturnType<typeof nairaPoint>) => [row]
}

const fxTable = {
  columns: [...stamp, "base", "quote", "rate", "revised"],
  rows: ({ rates, ...rest }: ReturnType<typeof fxPoint>) =>
    Object.entries(rates).map(([quote, rate]) => ({ ...rest, base: "USD", quote, rate }))
}

export const HistoryHandlers = HttpApiBuilder.group(
  Api,
  "history",
  Effect.fn(function* (handlers) {
    const histories = yield* Histories
    return handlers.handleAll({
      priceHistory: Effect.fnUntraced(function* ({ params: { fiat, id }, query }) {
        const { range, ...request } = yield* requestOf(query)
        const history = yield* histories.prices(id, fiat, { range, ...request })
        const subject = { id, symbol: history.symbol, fiat }
        const format = yield* formatOf(query.format)
        return yield* historyBody(
          { subject, range, history, row: pricePoint },
          format,
          priceTable(history.symbol, fiat)
        )
      }, refusing),
      nairaHistory: Effect.fnUntraced(function* ({ query }) {
        const request = yield* requestOf(query)
        const history = yield* histories.naira(request)
        const answered = { subject: { pair: "USDT/NGN" }, range: request.range, history, row: nairaPoint }
        return yield* historyBody(answered, yield* formatOf(query.format), nairaTable)
      }, refusing),
      fxHistory: Effect.fnUntraced(function* ({ query }) {
        const quotes = query.quotes.toUpperCase().split(",")
        const request = yield* requestOf(query)
        const history = yield* histories.fx(quotes, request)
        const answered = { subject: { base: "USD", quotes }, range: request.range, history, row: fxPoint }
        return yield* historyBody(answered, yield* formatOf(query.format), fxTable)
      }, refusing)
    })
  })
).pipe(using(Histories))
