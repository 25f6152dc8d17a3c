// Exchanges whose pairs make the prices of coins, over the sandbox: what every endpoint has of them, and what is left without any
// aggregator.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { onlyNaira, withoutNews } from "../RunningService.ts"
import * as SimulatedService from "../SimulatedService.ts"
import type { Simulated } from "../SimulatedService.ts"
import { rulesWithin } from "../rulesOf.ts"

/** What is read of a row of any list. */
interface Row {
  readonly id: string
  readonly price?: number | Readonly<Record<string, number>>
  readonly current_price?: number
  readonly market_cap: number | null
  readonly volume_24h: number
  readonly source: string
}

const inTime = <A, E>(use: (simulated: Simulated) => Effect.Effect<A, E>) =>
  SimulatedService.inTime(use, { config: { ...withoutNews, ...onlyNaira } })

const asking =
  ({ service, time }: Simulated) =>
  (path: string) =>
    Effect.map(time.serving(service.get(path)), ({ status, text }) => {
      assert.strictEqual(status, 200, `${path} ${text}`)
      return JSON.parse(text)
    })

const rowsAt = (ask: ReturnType<typeof asking>, path: string): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(ask(path), (json) => json.data?.coins ?? json.data?.prices ?? json)

const COMPAT = "/compat/coingecko/api/v3"

const rule = rulesWithin(inTime)

describe("prices of exchanges", () => {
  rule("are the same to the digit in every endpoint, while tickers arrive", function* (simulated) {
    const ask = asking(simulated)
    yield* simulated.time.pass("40 seconds")
    const pages = yield* Effect.forEach([1, 2], (page) => rowsAt(ask, `/v1/coins?limit=250&page=${page}`))
    assert.isAbove(pages.flat().filter(({ source }) => source.includes(" + ")).length, 150)
    const ids = pages.flat().flatMap(({ id }, n) => (n % 40 === 0 || n < 5 ? id : []))
    const lists = [
      "/v1/coins?limit=250",
      "/v1/coins?limit=250&page=2",
      `/v1/coins?ids=${ids.join(",")}`,
      `/v1/prices?ids=${ids.join(",")}`,
      `${COMPAT}/coins/markets?vs_currency=usd&per_page=250`,
      `${COMPAT}/coins/markets?vs_currency=usd&ids=${ids.join(",")}`
    ]
    for (let n = 0; n < 3; n++) {
      const rows = (yield* Effect.forEach(lists, (path) => rowsAt(ask, path))).flat()
      const simple = yield* ask(`${COMPAT}/simple/price?ids=${ids.join(",")}&vs_currencies=usd`)
      for (const id of ids) {
        const { price } = (yield* ask(`/v1/coins/${id}`)).data
        const listed = rows.filter((row) => row.id === id).map((row) => row.current_price ?? row.price)
        const others = [
          ...listed.map((one) => (typeof one === "object" ? one["USD"] : one)),
          (yield* ask(`/v1/price/${id}/usd`)).data.price,
          (yield* ask(`/v1/convert?from=coin:${id}&to=usd`)).data.rate,
          simple[id].usd,
          (yield* ask(`/v1/why/${id}`)).data.price_usd,
          (yield* ask(`${COMPAT}/coins/${id}`)).market_data.current_price.usd
        ]
        assert.isAtLeast(others.length, 9, id)
        assert.deepStrictEqual([...new Set(others)], [price], id)
      }
      yield* simulated.time.pass("7 seconds")
    }
  })

  rule("go on without any aggregator, at the true price", function* (simulated) {
    const ask = asking(simulated)
    const { service, set, time } = simulated
    yield* time.pass("40 seconds")
    const before = yield* rowsAt(ask, "/v1/coins?limit=250")
    const traded = before
      .filter(({ source }) => source.includes(" + "))
      .toSorted((a, b) => b.volume_24h - a.volume_24h)
      .slice(0, 100)
    yield* set(["COINGECKO", "COINPAPRIKA"], { fault: "refuse" })
    yield* time.skip("62 minutes")
    yield* time.pass("1 minute")
    const { market } = service.sandbox.world
    const after = new Map((yield* rowsAt(ask, "/v1/coins?limit=250")).map((row) => [row.id, row]))
    for (const { id } of traded) {
      assert.isNull(after.get(id)?.market_cap, id)
      assert.closeTo(Number(after.get(id)?.price) / (market.price(id, time.now()) ?? 0), 1, 0.0015, id)
    }
    assert.lengthOf(traded, 100)
    const { data, meta } = yield* ask("/v1/price/bitcoin/ngn")
    assert.isAbove(data.price, 0)
    assert.include(meta.source, "Bybit P2P")
  })
})
