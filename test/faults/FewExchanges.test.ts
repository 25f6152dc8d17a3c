// A host that most exchanges refuse, over the sandbox: whose prices it serves with two exchanges, and what three are enough for.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { type ExchangeName, listed } from "../../src/sandbox/ExchangeBooks.ts"
import { onlyNaira, withoutNews } from "../RunningService.ts"
import * as SimulatedService from "../SimulatedService.ts"
import type { Simulated } from "../SimulatedService.ts"
import { rulesWithin } from "../rulesOf.ts"

interface Row {
  readonly id: string
  readonly volume_24h: number
  readonly source: string
}

interface Ticker {
  readonly quote: string
  readonly used: boolean
  readonly reason: string | null
}

/** The coins that an exchange lists. */
const coinsOf = (exchange: ExchangeName): ReadonlySet<string> => new Set(listed(exchange).map(({ id }) => id))

const asking =
  ({ service, time }: Simulated) =>
  (path: string) =>
    Effect.map(time.serving(service.get(path)), ({ status, text }) => {
      assert.strictEqual(status, 200, `${path} ${text}`)
      return JSON.parse(text.replaceAll(" (sandbox)", ""))
    })

const rowsAt = (ask: ReturnType<typeof asking>): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(ask("/v1/coins?limit=250"), ({ data }) => data.coins)

const tickersAt = (ask: ReturnType<typeof asking>, id: string): Effect.Effect<ReadonlyArray<Ticker>> =>
  Effect.map(ask(`/v1/coins/${id}/tickers`), ({ data }) => data.tickers)

const rule = rulesWithin(<A, E>(use: (simulated: Simulated) => Effect.Effect<A, E>) =>
  SimulatedService.inTime(use, {
    config: { ...withoutNews, ...onlyNaira },
    fault: [["BITFINEX", "BINANCE", "OKX_SPOT", "KUCOIN_SPOT", "GATE", "CRYPTO_COM"], { fault: "refuse" }]
  })
)

describe("where other exchanges refuse", () => {
  rule(
    "two are enough for stablecoins only, and aggregators are named; with three most coins have a price of the three",
    function* (simulated) {
      yield* simulated.time.pass("90 seconds")
      const ask = asking(simulated)
      const rows = yield* rowsAt(ask)
      assert.lengthOf(rows, 250)
      const ofExchanges = rows.filter(({ source }) => /Kraken|Bitstamp/.test(source))
      assert.sameMembers(
        ofExchanges.map(({ id }) => id),
        ["tether", "usd-coin"]
      )
      for (const { source } of rows) assert.match(source, /^(CoinGecko|CoinPaprika|Kraken \+ Bitstamp)$/)
      assert.match((yield* ask("/v1/price/bitcoin/usd")).meta.source, /^(CoinGecko|CoinPaprika)$/)
      const { data } = yield* ask("/v1/coins/bitcoin")
      assert.deepStrictEqual([data.venues, data.low, data.high], [null, null, null])
      const tickers = yield* tickersAt(ask, "bitcoin")
      assert.isNotEmpty(tickers)
      for (const { reason, used } of tickers) {
        assert.isFalse(used)
        assert.include(["too_few_exchanges", "prices_fiat"], reason)
      }

      yield* simulated.set(["CRYPTO_COM"], null)
      yield* simulated.time.pass("90 seconds")
      const most = (yield* rowsAt(ask)).toSorted((a, b) => b.volume_24h - a.volume_24h).slice(0, 40)
      const without = most.filter(({ source }) => !source.includes("Kraken"))
      const three = (["kraken", "bitstamp", "cryptocom"] as const).map(coinsOf)
      assert.deepStrictEqual(
        without.map(({ id }) => id),
        most.flatMap(({ id }) => (three.every((coins) => coins.has(id)) ? [] : [id]))
      )
      for (const { id } of without) {
        assert.match(id, /wrapped|weth|bridged|peg/)
        assert.deepStrictEqual(yield* tickersAt(ask, id), [], id)
      }
      assert.isAtMost(without.length, 4)
      for (const { source } of most.filter((row) => !without.includes(row))) {
        assert.sameMembers(source.split(" + "), ["Kraken", "Bitstamp", "Crypto.com"])
      }
    }
  )
})
