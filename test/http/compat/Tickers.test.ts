// The pairs of a coin in CoinGecko's shape: its members, its ids of exchanges, and the figures of `/v1`.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { CoinGeckoApi } from "../../../src/api/coingecko/CoinGeckoApi.ts"
import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { make } from "../../api/Conformance.ts"
import { rulesIn } from "../../rulesOf.ts"
import { friday, onlyNaira, pass, RunningService, withoutNews } from "../../RunningService.ts"
import { answerAt } from "../support.ts"

interface Ticker {
  readonly base: string
  readonly target: string
  readonly market: { readonly name: string; readonly identifier: string }
  readonly last: number
  readonly volume: number
  readonly converted_last: Readonly<Record<"btc" | "eth" | "usd", number>>
  readonly converted_volume: Readonly<Record<"btc" | "eth" | "usd", number>>
  readonly bid_ask_spread_percentage: number
  readonly coin_id: string
  readonly target_coin_id: string | null
}

interface OwnTicker {
  readonly exchange: string
  readonly base: string
  readonly quote: string
  readonly price: number
  readonly turnover_usd: number
}

const theirs: { readonly tickers: readonly [Ticker] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "shapes", "coins-id.json"), "utf8")
)

const conforms = make(JSON.parse(JSON.stringify(OpenApi.fromApi(CoinGeckoApi))))

const ask = Effect.fnUntraced(function* (path: string) {
  const answer = yield* answerAt(path)
  if (path.startsWith(COINGECKO_BASE)) conforms(path, answer)
  return JSON.parse(answer.text)
})

const PATH = `${COINGECKO_BASE}/coins/bitcoin/tickers`

const service = RunningService.layer({ at: friday, config: { ...withoutNews, ...onlyNaira } })

rulesIn(service)("tickers in CoinGecko's shape", (rule) => {
  rule("have its members, its ids of exchanges, and the figures of /v1", function* () {
    yield* pass("40 seconds")
    const { name, tickers }: { readonly name: string; readonly tickers: ReadonlyArray<Ticker> } = yield* ask(PATH)
    assert.strictEqual(name, "Bitcoin")
    assert.sameMembers(
      [...new Set(tickers.map(({ market }) => market.identifier))],
      ["kraken", "bitstamp", "bitfinex", "binance", "okex", "kucoin", "crypto_com", "gate"]
    )
    const own: ReadonlyArray<OwnTicker> = (yield* ask("/v1/coins/bitcoin/tickers")).data.tickers
    assert.notProperty(own[0], "unit")
    const { ethereum } = yield* ask(`${COINGECKO_BASE}/simple/price?ids=ethereum&vs_currencies=btc`)
    assert.deepStrictEqual(
      tickers.map((one) => [one.market.name, one.base, one.target, one.converted_last.usd, one.converted_volume.usd]),
      own.map((one) => [one.exchange, one.base, one.quote, one.price, one.turnover_usd])
    )
    const [first] = theirs.tickers
    const targets: Readonly<Record<string, string>> = { USDT: "tether", USDC: "usd-coin" }
    for (const one of tickers) {
      assert.hasAllKeys(one, Object.keys(first))
      assert.hasAllKeys(one.market, Object.keys(first.market))
      assert.strictEqual(one.coin_id, "bitcoin")
      assert.strictEqual(one.target_coin_id, targets[one.target] ?? null)
      assert.closeTo(one.converted_last.btc, 1, 0.01)
      assert.closeTo(one.converted_last.btc / one.converted_last.eth / ethereum.btc, 1, 1e-6)
      assert.closeTo((one.volume * one.converted_last.usd) / one.converted_volume.usd, 1, 1e-9)
      assert.isAtLeast(one.bid_ask_spread_percentage, 0)
    }
    assert.includeMembers(
      tickers.map(({ target }) => target),
      ["USD", "USDT", "USDC", "EUR"]
    )
  })

  rule("are filtered by exchanges and sorted by volume or weight", function* () {
    const at = (query: string) => Effect.map(ask(`${PATH}?${query}`), ({ tickers }): ReadonlyArray<Ticker> => tickers)
    const all = yield* at("page=1")
    const some = yield* at("exchange_ids=OKEX,%20crypto_com,no-such")
    assert.deepStrictEqual([...new Set(some.map(({ market }) => market.identifier))].toSorted(), ["crypto_com", "okex"])
    const volumes = (yield* at("order=volume_desc")).map((one) => one.converted_volume.usd)
    assert.deepStrictEqual(
      volumes,
      volumes.toSorted((a, b) => b - a)
    )
    assert.deepStrictEqual(
      (yield* at("order=volume_asc")).map((one) => one.converted_volume.usd),
      volumes.toReversed()
    )
    assert.deepStrictEqual(yield* at("order=trust_score_asc"), all.toReversed())
    assert.deepStrictEqual(yield* at("page=2"), [])
  })
})
