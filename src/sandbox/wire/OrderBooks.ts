// The naira order books of Quidax and Luno. Quidax: strings, the time in seconds, and now and then an absurd tick in the
// day's high. Luno: strings, the time in milliseconds.
import { dayOf } from "../Calendar.ts"
import { keyOf, pick } from "../Noise.ts"
import { quote } from "../NairaBooks.ts"
import { failed, ok, type Wire } from "../Wire.ts"

const sided = (bid: number, ask: number, isInverted: boolean): readonly [number, number] =>
  isInverted ? [ask, bid] : [bid, ask]

/** Quidax below `/api/v1`: the customer sells at `buy` and buys at `sell`. */
export const quidax: Wire = ({ world, at, method, path, isInverted }) => {
  const market = method === "GET" ? /^\/markets\/tickers\/([a-z]+)$/.exec(path)?.[1] : undefined
  if (market !== "usdtngn") return failed(404, { status: "error", message: "Market not found", data: null })
  const book = quote(world.seed, "quidax", at)
  const [buy, sell] = sided(book.bid, book.ask, isInverted)
  const isSpiked = pick(keyOf(world.seed, "quidax"), dayOf(at), 6) === 0
  return ok({
    status: "success",
    message: "Successful",
    data: {
      at: Math.floor(book.observedAt / 1000),
      ticker: {
        buy: buy.toFixed(2),
        sell: sell.toFixed(2),
        low: (book.bid * 0.997).toFixed(2),
        high: isSpiked ? "729000.0" : (book.ask * 1.003).toFixed(2),
        open: (book.last * 1.001).toFixed(2),
        last: book.last.toFixed(2),
        vol: book.volume.toFixed(16)
      },
      market
    }
  })
}

/** api.luno.com. */
export const luno: Wire = ({ world, at, method, path, query, isInverted }) => {
  if (method !== "GET" || path !== "/api/1/ticker")
    return failed(404, { error: "Not found", error_code: "ErrNotFound" })
  if (query.get("pair") !== "USDTNGN") return failed(400, { error: "Invalid pair", error_code: "ErrInvalidPair" })
  const book = quote(world.seed, "luno", at)
  const [bid, ask] = sided(book.bid, book.ask, isInverted)
  return ok({
    pair: "USDTNGN",
    timestamp: book.observedAt,
    bid: bid.toFixed(4),
    ask: ask.toFixed(4),
    last_trade: book.last.toFixed(4),
    rolling_24_hour_volume: book.volume.toFixed(2),
    status: "ACTIVE"
  })
}
