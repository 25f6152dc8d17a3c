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
        altname: krakenBase(book) + book.quote,
        wsname: `${krakenBase(book)}/${book.quote}`,
        base: krakenBase(book),
        quote: book.quote === "USD" ? "ZUSD" : book.quote,
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
      p: [last, last],
      t: [1200, 2400],
      l: [last, last],
      h: [last, last],
      o: last
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
      market: `${book.base}/${book.quote}`,
      timestamp: String(Math.floor(book.at / 1000)),
      open: text(book.last),
      high: text(book.last * 1.01),
      low: text(book.last * 0.99),
      last: text(book.last),
      volume: text(book.volume),
      vwap: text(book.last),
      bid: text(book.bid),
      ask: text(book.ask),
      side: "0",
      open_24: text(book.last),
      percent_change_24: "0.10",
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
      priceChange: "0",
      priceChangePercent: "0.100",
      weightedAvgPrice: text(book.last),
      lastPrice: text(book.last),
      lastQty: "0.1",
      bidPrice: text(book.bid),
      bidQty: "1.0",
      askPrice: text(book.ask),
      askQty: "1.0",
      openPrice: text(book.last),
      highPrice: text(book.last * 1.01),
      lowPrice: text(book.last * 0.99),
      volume: text(book.volume),
      quoteVolume: text(turnoverOf(book)),
      openTime: book.at - 86_400_000,
      closeTime: book.at,
      firstId: 1,
      lastId: 77,
      count: 76
    }))
  )
}

const okx: Wire = (request) => {
  if (request.path !== "/api/v5/market/tickers") return failed(404, { code: "404", msg: "Not found", data: [] })
  const data = booksOf(request, "okx").map((book) => ({
    instType: "SPOT",
    instId: dashed(book),
    last: text(book.last),
    lastSz: "0.1",
    askPx: text(book.ask),
    askSz: "1",
    bidPx: text(book.bid),
    bidSz: "1",
    open24h: text(book.last),
    high24h: text(book.last * 1.01),
    low24h: text(book.last * 0.99),
    volCcy24h: text(turnoverOf(book)),
    vol24h: text(book.volume),
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
    changeRate: "0.001",
    high: text(book.last * 1.01),
    low: text(book.last * 0.99),
    vol: text(book.volume),
    volValue: text(turnoverOf(book)),
    last: text(book.last),
    averagePrice: text(book.last),
    takerFeeRate: "0.001",
    makerFeeRate: "0.001"
  }))
  return at(request, { code: "200000", data: { time: request.at - (request.at % 2000), ticker } })
}

const cryptocom: Wire = (request) => {
  if (request.path !== "/exchange/v1/public/get-tickers") return failed(404, { code: 40_401, message: "NOT_FOUND" })
  const data = booksOf(request, "cryptocom").map((book) => ({
    i: `${book.base}_${book.quote}`,
    h: text(book.last * 1.01),
    l: text(book.last * 0.99),
    a: text(book.last),
    v: text(book.volume),
    vv: text(turnoverOf(book)),
    c: "0.0010",
    b: text(book.bid),
    k: text(book.ask),
    t: book.at
  }))
  const [bitcoin] = data
  const perpetual = { ...bitcoin, i: "BTCUSD-PERP", oi: "1000.5" }
  const untraded = {
    i: "XYZ_USD",
    h: null,
    l: null,
    a: null,
    v: "0",
    vv: "0",
    c: null,
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
    lowest_size: "1",
    highest_bid: text(book.bid),
    highest_size: "1",
    change_percentage: "0.1",
    base_volume: text(book.volume),
    quote_volume: text(turnoverOf(book)),
    high_24h: text(book.last * 1.01),
    low_24h: text(book.last * 0.99)
  }))
  const leveraged = {
    ...rows[0],
    currency_pair: "BTC3L_USDT",
    etf_net_value: "0.0271",
    etf_pre_net_value: "0.0264",
    etf_pre_timestamp: Math.floor(request.at / 1000),
    etf_leverage: "3.02"
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
