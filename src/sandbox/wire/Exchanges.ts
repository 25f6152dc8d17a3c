// The tickers of all spot pairs of eight exchanges, each in its own names, units and places.
import { type ExchangeName, impostorBook, type SpotBook, spotBooks } from "../ExchangeBooks.ts"
import { failed, significant, type Wire, type WireRequest } from "../Wire.ts"
import type { CandleExchange } from "../ExchangeCandles.ts"
import { candles } from "./ExchangeCandles.ts"
import { at, bitfinexName, dashed, krakenBase, krakenKey, text } from "./exchangeNames.ts"

/** The books of a request, with swapped sides under the fault `inverted`. */
const booksOf = ({ at, isInverted, world }: WireRequest, exchange: ExchangeName): ReadonlyArray<SpotBook> => {
  const books = spotBooks(world, exchange, at)
  return isInverted ? books.map((book) => ({ ...book, bid: book.ask, ask: book.bid })) : books
}

const turnoverOf = ({ last, volume }: SpotBook): number => last * volume

const kraken: Wire = (request) => {
  const books = booksOf(request, "kraken")
  if (request.path === "/0/public/AssetPairs") {
    const names = books.map((book) => [
      krakenKey(book),
      {
        wsname: `${krakenBase(book)}/${book.quote}`,
        status: "online"
      }
    ])
    return at(request, { error: [], result: Object.fromEntries(names) })
  }
  if (request.path !== "/0/public/Ticker") return at(request, { error: ["EGeneral:Unknown method"] })
  const rows = books.map((book) => {
    const [ask, bid, last] = [book.ask, book.bid, book.last].map(text)
    const volume = text(book.volume)
    const row = {
      a: [ask, "1", "1.000"],
      b: [bid, "2", "2.000"],
      c: [last, "0.01"],
      v: [text(book.volume / 2), volume],
      p: [last, last]
    }
    return [krakenKey(book), row]
  })
  return at(request, { error: [], result: Object.fromEntries(rows) })
}

const bitstamp: Wire = (request) => {
  if (request.path !== "/api/v2/ticker/") return failed(404, { status: "error", reason: "Not found" })
  return at(
    request,
    booksOf(request, "bitstamp").map((book) => ({
      pair: `${book.base}/${book.quote}`,
      timestamp: String(Math.floor(book.at / 1000)),
      last: text(book.last),
      volume: text(book.volume),
      vwap: text(book.last),
      bid: text(book.bid),
      ask: text(book.ask),
      market_type: "SPOT"
    }))
  )
}

const bitfinex: Wire = (request) => {
  if (request.path !== "/v2/tickers") return failed(404, ["error", 10_000, "unknown endpoint"])
  const figure = (value: number | null) => (value === null ? null : significant(value, 9))
  const lending = ["fUSD", 0.0002, 0.0001, 30, 7e5, 0.0002, 2, 1e6, 0, 0, 0.0002, 9e6, 0.0003, 0.0001, null, null, 1e7]
  const rows = booksOf(request, "bitfinex").map((book) => [
    bitfinexName(book),
    ...[book.bid, 10, book.ask, 10, 0, 0, book.last, book.volume, book.last * 1.01, book.last * 0.99].map(figure)
  ])
  return at(request, [...rows, lending])
}

const binance: Wire = (request) => {
  if (request.path !== "/api/v3/ticker/24hr") return failed(404, { code: -1, msg: "Not found" })
  return at(
    request,
    booksOf(request, "binance").map((book) => ({
      symbol: `${book.base}${book.quote}`,
      lastPrice: text(book.last),
      bidPrice: text(book.bid),
      askPrice: text(book.ask),
      quoteVolume: text(turnoverOf(book)),
      closeTime: book.at
    }))
  )
}

const okx: Wire = (request) => {
  if (request.path !== "/api/v5/market/tickers") return failed(404, { code: "404", msg: "Not found", data: [] })
  const data = booksOf(request, "okx").map((book) => ({
    instId: dashed(book),
    last: text(book.last),
    askPx: text(book.ask),
    bidPx: text(book.bid),
    volCcy24h: text(turnoverOf(book)),
    ts: String(book.at)
  }))
  return at(request, { code: "0", msg: "", data })
}

const kucoin: Wire = (request) => {
  if (request.path !== "/api/v1/market/allTickers") return failed(404, { code: "404", msg: "Not found" })
  const ticker = [...booksOf(request, "kucoin"), impostorBook(request.at)].map((book) => ({
    symbol: dashed(book),
    symbolName: dashed(book),
    buy: text(book.bid),
    sell: text(book.ask),
    volValue: text(turnoverOf(book)),
    last: text(book.last)
  }))
  return at(request, { code: "200000", data: { time: request.at - (request.at % 2000), ticker } })
}

const cryptocom: Wire = (request) => {
  if (request.path !== "/exchange/v1/public/get-tickers") return failed(404, { code: 40_401, message: "NOT_FOUND" })
  const data = booksOf(request, "cryptocom").map((book) => ({
    i: `${book.base}_${book.quote}`,
    a: text(book.last),
    v: text(book.volume),
    b: text(book.bid),
    k: text(book.ask),
    t: book.at
  }))
  const [bitcoin] = data
  const perpetual = { ...bitcoin, i: "BTCUSD-PERP" }
  const untraded = {
    i: "XYZ_USD",
    a: null,
    v: "0",
    b: null,
    k: null,
    t: request.at
  }
  return at(request, {
    id: -1,
    method: "public/get-tickers",
    code: 0,
    result: { data: [...data, perpetual, untraded] }
  })
}

const gate: Wire = (request) => {
  if (request.path !== "/api/v4/spot/tickers") return failed(404, { label: "NOT_FOUND", message: "Not found" })
  const rows = booksOf(request, "gate").map((book) => ({
    currency_pair: `${book.base}_${book.quote}`,
    last: text(book.last),
    lowest_ask: text(book.ask),
    highest_bid: text(book.bid),
    quote_volume: text(turnoverOf(book))
  }))
  const leveraged = {
    ...rows[0],
    currency_pair: "BTC3L_USDT",
    etf_net_value: "0.0271"
  }
  return at(request, [...rows, leveraged])
}

/** Answers requests for candles, and passes all others on. */
const withCandles =
  (exchange: CandleExchange, others: Wire): Wire =>
  (request) =>
    candles[exchange](request) ?? others(request)

export const exchanges = {
  KRAKEN: kraken,
  BITSTAMP: withCandles("bitstamp", bitstamp),
  BITFINEX: withCandles("bitfinex", bitfinex),
  BINANCE: withCandles("binance", binance),
  OKX_SPOT: okx,
  KUCOIN_SPOT: withCandles("kucoin", kucoin),
  CRYPTO_COM: cryptocom,
  GATE: gate
}
