// Lists in the orders that CoinGecko has, tokens by their contracts, and parts of a bitcoin.
import { assert } from "@effect/vitest"

import { COINGECKO_BASE } from "../../../src/api/coingecko/CoinGeckoDialect.ts"
import { untilAnswered, sharedFriday } from "../../RunningService.ts"
import { jsonAt } from "../support.ts"
import { rulesIn } from "../../rulesOf.ts"

interface Row {
  readonly id: string
  readonly market_cap: number | null
  readonly total_volume: number | null
}

const USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7"

rulesIn(sharedFriday)("lists", (rule) => {
  const compat = (path: string, status?: number) => jsonAt(`${COINGECKO_BASE}${path}`, status)

  rule("of some coins are in every order of CoinGecko's, unknown figures last; of all by market cap", function* () {
    const orders: Readonly<Record<string, (a: Row, b: Row) => boolean>> = {
      market_cap_asc: (a, b) => (a.market_cap ?? Infinity) <= (b.market_cap ?? Infinity),
      volume_desc: (a, b) => (a.total_volume ?? -1) >= (b.total_volume ?? -1),
      volume_asc: (a, b) => (a.total_volume ?? Infinity) <= (b.total_volume ?? Infinity),
      id_asc: (a, b) => a.id < b.id,
      id_desc: (a, b) => a.id > b.id
    }
    const largest: ReadonlyArray<Row> = yield* compat("/coins/markets?vs_currency=usd&per_page=100&page=2")
    const ids = largest.map(({ id }) => id)
    for (const [order, isBefore] of Object.entries(orders)) {
      const path = `/coins/markets?vs_currency=usd&order=${order}`
      const some = `${path}&ids=${ids.join(",")}`
      const all: ReadonlyArray<Row> = yield* compat(`${some}&per_page=250`)
      assert.sameMembers(
        all.map(({ id }) => id),
        ids
      )
      for (const [n, row] of all.slice(1).entries()) assert.isTrue(isBefore(all[n] as Row, row), `${order} ${row.id}`)
      assert.deepStrictEqual(yield* compat(`${some}&per_page=7&page=3`), all.slice(14, 21))
      assert.deepStrictEqual(yield* compat(`${some}&per_page=250&page=2`), [])
    }
  })

  rule("a contract is its coin on CoinGecko's paths", function* () {
    yield* untilAnswered(`${COINGECKO_BASE}/coins/list`)
    const contract = `/coins/ethereum/contract/${USDT}`
    for (const rest of ["", "?localization=false"]) {
      assert.deepStrictEqual(yield* compat(contract + rest), yield* compat(`/coins/tether${rest}`), rest)
    }
    const platforms: ReadonlyArray<{ readonly id: string }> = yield* compat("/asset_platforms?filter=")
    assert.includeMembers(
      platforms.map(({ id }) => id),
      ["ethereum"]
    )
  })

  rule("bits and sats are parts of a bitcoin wherever a currency is asked for", function* () {
    yield* untilAnswered(`${COINGECKO_BASE}/coins/list`)
    const parts = { bits: 1e6, sats: 1e8 }
    assert.includeMembers(yield* compat("/simple/supported_vs_currencies"), Object.keys(parts))
    const { rates } = yield* compat("/exchange_rates")
    const { ethereum } = yield* compat(
      "/simple/price?ids=ethereum&vs_currencies=btc,BITS,sats,&include_24hr_change=true&include_market_cap=true"
    )
    const { market_data } = yield* compat("/coins/ethereum")
    for (const [code, count] of Object.entries(parts)) {
      const isPart = (value: number, whole: number) => assert.closeTo(value / whole / count, 1, 1e-9, code)
      assert.strictEqual(rates[code].value, count)
      assert.strictEqual(rates[code].type, "crypto")
      isPart(ethereum[code], ethereum.btc)
      isPart(ethereum[`${code}_market_cap`], ethereum.btc_market_cap)
      assert.strictEqual(ethereum[`${code}_24h_change`], ethereum.btc_24h_change)
      isPart(market_data.current_price[code], market_data.current_price.btc)
      const [row] = yield* compat(`/coins/markets?vs_currency=${code}&ids=ethereum`)
      isPart(row.current_price, ethereum.btc)
    }
  })

  rule("tokens have the prices of their coins, by their addresses; contracts of no coin are left out", function* () {
    yield* untilAnswered(`${COINGECKO_BASE}/coins/list`)
    const query =
      "vs_currencies=usd,ngn,kes&include_24hr_change=true&include_market_cap=true&include_last_updated_at=true"
    const found = yield* compat(`/simple/token_price/ethereum?contract_addresses=${USDT},0x00&${query}`)
    const { tether } = yield* compat(`/simple/price?ids=tether&${query}`)
    assert.deepStrictEqual(found, { [USDT.toLowerCase()]: tether })
  })

  rule("too many prices at once are a 400 that names the parameter", function* () {
    const supported: ReadonlyArray<string> = yield* compat("/simple/supported_vs_currencies")
    const ids = Array.from({ length: 400 }, (_, n) => `coin-${n}`)
    const { error } = yield* compat(`/simple/price?ids=${ids.join()}&vs_currencies=${supported.join()}`, 400)
    assert.match(error, /^invalid ids: .*5000/)
  })
})
