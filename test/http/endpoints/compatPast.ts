// Figures of the past in CoinGecko's shapes: those of the histories of `/v1`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import type { It } from "../../api/endpoints.ts"
import { friday, get, pass, until } from "../../RunningService.ts"
import { rulesOf } from "../../rulesOf.ts"
import { conversion, fiats, jsonAt } from "../support.ts"

const compat = (path: string) => jsonAt(`${COINGECKO_BASE}${path}`)

/** Over a service with a record of the past. */
export const compatPast = (it: It) => {
  const rule = rulesOf(it, Effect.void)

  rule("figures of the past in CoinGecko's shapes are those of the histories of /v1", function* () {
    const history = "/v1/price/ethereum/eur/history?from=2026-10-01&to=2026-11-20"
    yield* until(Effect.map(get(history), ({ text }) => JSON.parse(text).data.points.length > 45))
    // The record is still being filled: the two are compared when nothing came in between.
    const chart = "/coins/ethereum/market_chart?vs_currency=eur&days=40&interval=daily"
    const [points, prices] = yield* Effect.gen(function* () {
      yield* pass("1 second")
      const before = yield* get(history)
      const { prices } = yield* compat(chart)
      const isSame = (yield* get(history)).text === before.text
      return [JSON.parse(before.text).data.points, prices, isSame] as const
    }).pipe(Effect.repeat({ until: ([, , isSame]) => isSame, times: 100 }))
    const closes = new Map<number, number>()
    for (const { close, date } of points) closes.set(Date.parse(date) + 86_400_000, close)
    const [last, price] = prices.at(-1)
    assert.isAbove(last, Date.UTC(2026, 10, 20))
    assert.strictEqual(price, points.at(-1).close)
    assert.isAtLeast(prices.length, 40)
    for (const [stamp, price] of prices.slice(0, -1)) assert.strictEqual(price, closes.get(stamp), String(stamp))

    const hourly = yield* compat("/coins/ethereum/market_chart?vs_currency=usd&days=1")
    const { data } = yield* jsonAt("/v1/price/ethereum/usd/history?interval=hour&from=2026-11-20")
    assert.strictEqual(hourly.prices.at(-1)[1], data.points.at(-1).close)
    const candles = yield* compat("/coins/ethereum/ohlc?vs_currency=usd&days=1")
    // As soon as hours are held there are candles, of their closes where no more is recorded.
    const [stamp, ...figures] = candles.at(-1)
    assert.strictEqual(stamp, hourly.prices.at(-1)[0])
    assert.strictEqual(figures.at(-1), data.points.at(-1).close)
    for (const figure of figures) assert.isTrue(figure >= figures[2] && figure <= figures[1])
    const inNaira = yield* compat("/coins/ethereum/ohlc?vs_currency=ngn&days=1")
    const naira = yield* jsonAt("/v1/price/ethereum/ngn/history?interval=hour&from=2026-11-20")
    assert.strictEqual(inNaira.at(-1)?.at(-1), naira.data.points.at(-1)?.close)

    const day = yield* compat("/coins/ethereum/history?date=12-11-2026")
    for (const fiat of [...fiats, "kes", "chf"]) {
      const then = yield* get(`${conversion("ethereum", fiat)}&at=2026-11-11`)
      const expected = then.status === 200 ? JSON.parse(then.text).data.rate : undefined
      assert.strictEqual(day.market_data.current_price[fiat], expected, fiat)
    }
    const inBitcoin = yield* compat("/coins/ethereum/market_chart?vs_currency=btc&days=5&interval=daily")
    const then = yield* jsonAt(`${conversion("ethereum", "bitcoin")}&at=2026-11-18`)
    assert.deepInclude(inBitcoin.prices, [Date.UTC(2026, 10, 19), then.data.rate])
    const future = "/coins/ethereum/market_chart/range?vs_currency=usd&from=1900000000&to=1900003600"
    const { headers } = yield* get(`${COINGECKO_BASE}${future}`)
    assert.isAtMost(Date.parse(String(headers["x-updated"])), friday + 1_000_000)
  })
}
