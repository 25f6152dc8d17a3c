// What each simulated upstream answers at one moment, word for word: what users try out must not change unnoticed. A change that
// is meant is recorded anew with `npx vitest run test/sandbox/Recorded.test.ts -u`.
import { assert, expect, it } from "@effect/vitest"
import { hourMs } from "../../src/sandbox/Calendar.ts"
import { type SimulatedName, wires } from "../../src/sandbox/Wires.ts"
import * as World from "../../src/sandbox/World.ts"
import { recordedText } from "../recordedText.ts"
import { bitget, bybit, friday } from "./support.ts"

const day = friday / 1000 - 86_400

const requests: ReadonlyArray<readonly [name: SimulatedName, path: string, body?: unknown]> = [
  ["KRAKEN", "/0/public/AssetPairs"],
  ["KRAKEN", "/0/public/Ticker"],
  ["BITSTAMP", "/api/v2/ticker/"],
  ["BITFINEX", "/v2/tickers?symbols=ALL"],
  ["BINANCE", "/api/v3/ticker/24hr"],
  ["OKX_SPOT", "/api/v5/market/tickers?instType=SPOT"],
  ["KUCOIN_SPOT", "/api/v1/market/allTickers"],
  ["CRYPTO_COM", "/exchange/v1/public/get-tickers"],
  ["GATE", "/api/v4/spot/tickers"],
  ["BITSTAMP", `/api/v2/ohlc/btcusd/?step=86400&limit=1000&end=${day}`],
  ["BITFINEX", `/v2/candles/trade:1D:tBTCUSD/hist?limit=50&sort=-1&end=${friday}`],
  ["BINANCE", `/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=50&endTime=${friday}`],
  ["KUCOIN_SPOT", `/api/v1/market/candles?symbol=BTC-USDT&type=1day&startAt=0&endAt=${day}`],
  ["COINGECKO", "/coins/markets?vs_currency=usd&per_page=250&sparkline=true&price_change_percentage=1h,7d"],
  ["COINGECKO", "/coins/markets?vs_currency=usd&per_page=250&page=2"],
  ["COINGECKO", "/coins/markets?vs_currency=usd&per_page=250&page=3"],
  ["COINGECKO", "/coins/markets?vs_currency=usd&ids=solana,bitcoin,nope"],
  ["COINGECKO", "/coins/markets?vs_currency=xxx"],
  ["COINGECKO", "/global"],
  ["COINGECKO", "/coins/list?include_platform=true"],
  ["COINGECKO", "/coins/bitcoin/market_chart?vs_currency=usd&days=20"],
  ["COINGECKO", "/coins/bitcoin/market_chart?vs_currency=usd&days=20&interval=daily"],
  ["COINGECKO", "/coins/bitcoin/market_chart?vs_currency=usd&days=366"],
  ["COINGECKO", "/coins/nonsuch/market_chart?vs_currency=usd&days=1"],
  ["COINGECKO", "/coins/zama/market_chart?vs_currency=usd&days=365&interval=daily"],
  ["COINPAPRIKA", "/global"],
  ["COINPAPRIKA", "/tickers"],
  ["COINPAPRIKA", "/tickers/btc-bitcoin/historical?start=2026-10-01&end=2026-11-01&interval=1d"],
  ["DEFILLAMA", "/hacks"],
  ["FRANKFURTER", "/v2/rates?base=USD"],
  ["FRANKFURTER", "/v2/rates?base=USD&providers=CBN&quotes=NGN&from=2026-11-02"],
  ["FRANKFURTER", "/v2/rates?base=USD&quotes=EUR,AED,NGN&from=2026-11-13&to=2026-11-20"],
  ["FRANKFURTER", "/v2/rates?base=USD&quotes=EUR,XXX"],
  ["FRANKFURTER", "/v2/rates?base=USD&symbols=EUR"],
  ["FRANKFURTER", "/v2/rates?base=USD&from=2019-01-01"],
  ["CURRENCY_API", "/currency-api@latest/v1/currencies/usd.min.json"],
  ["CURRENCY_API", "/currency-api@2026-11-21/v1/currencies/usd.min.json"],
  ["CBN", "/api/GetAllNFEM_Rates"],
  ["CBN", "/api/GetAllExchangeRates"],
  ["BYBIT_P2P", "/fiat/p2p/config/initial"],
  ["BYBIT_P2P", "/fiat/otc/configuration/queryAllPaymentList", {}],
  ["BYBIT_P2P", "/fiat/otc/item/online"],
  ...[{ currencyId: "RUB" }, { side: 1 }, { size: "5", page: "2" }].map(
    (more) => ["BYBIT_P2P", "/fiat/otc/item/online", bybit("1", more)] as const
  ),
  ["BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", {}],
  ["BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", bitget(1, { fiatCode: "RUB" })],
  ...["0", "1"].map((side) => ["BYBIT_P2P", "/fiat/otc/item/online", bybit(side)] as const),
  ...[1, 2].map((side) => ["BITGET_P2P", "/v1/p2p/pub/adv/queryAdvList", bitget(side)] as const),
  ...["BUY", "SELL"].map(
    (side) =>
      ["BINANCE_P2P", `/bapi/c2c/v1/public/c2c/agent/ad-list?fiat=KES&asset=USDT&tradeType=${side}&limit=20`] as const
  ),
  ["QUIDAX", "/markets/tickers/usdtngn"],
  ["QUIDAX", "/markets/usdtngn/k?period=60&limit=48"],
  ["QUIDAX", "/markets/usdtngn/k?period=1440&limit=730"],
  ["QUIDAX", "/markets/usdtngn/k?period=7&limit=5"],
  ["LUNO", "/api/1/ticker?pair=USDTNGN"],
  ["LUNO", "/api/1/ticker?pair=XBTNGN"],
  ["VALR", "/v1/public/USDTZAR/marketsummary"],
  ["OKX", "/api/v5/support/announcements"],
  ["KUCOIN", "/api/v3/announcements?pageSize=50"],
  ["BITGET", "/api/v2/public/annoucements"],
  ["BYBIT", "/v5/announcements/index?locale=en-US&limit=50"],
  ["NEWS", "/coin-wire.xml"]
]

const answers = (world: World.World, at: number) =>
  requests.map(([name, target, body]) => {
    const { pathname, search, searchParams } = new URL(target, "http://upstream.test")
    const method = body === undefined ? "GET" : "POST"
    const reply = wires[name]({
      world,
      at,
      method,
      path: pathname,
      query: searchParams,
      body,
      ifNoneMatch: undefined,
      isInverted: false
    })
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body)
    return { name, text, asked: `${name} ${method} ${pathname}${search}\n${reply.status}` }
  })

it("each simulated upstream answers as it is recorded", async () => {
  const replies = answers(World.make(1), friday).map(({ asked, text }) => `${asked} ${recordedText(text, 300)}\n`)
  await expect(replies.join("\n")).toMatchFileSnapshot("replies.txt")
})

it("each simulated upstream answers the same for the same seed and time, and something else later", () => {
  const world = World.make(1)
  const [first, later] = [answers(world, friday), answers(world, friday + 96 * hourMs)]
  assert.deepStrictEqual(answers(world, friday), first)
  assert.deepStrictEqual(answers(World.make(1), friday), first)
  const moving = new Set(first.flatMap(({ name, text }, n) => (later[n]?.text === text ? [] : [name])))
  assert.sameMembers([...moving], Object.keys(wires))
})
