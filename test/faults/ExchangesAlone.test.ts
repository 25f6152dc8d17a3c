// Exchanges whose pairs make the prices of coins, over the sandbox: what every endpoint has of them, and how old it is.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { atOneTime, onlyNaira, withoutNews } from "../RunningService.ts"
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
  readonly updated: string
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
  rule("are the same to the digit in every endpoint and at most 30 s old, while tickers arrive", function* (simulated) {
    const ask = asking(simulated)
    const { time } = simulated
    yield* time.pass("40 seconds")
    const pages = yield* Effect.forEach([1, 2], (page) => rowsAt(ask, `/v1/coins?limit=250&page=${page}`))
    assert.isAbove(pages.flat().filter(({ source }) => source.includes(" + ")).length, 150)
    const ids = pages.flat().flatMap(({ id }, n) => (n % 80 === 0 || n < 3 ? id : []))
    const lists = [
      "/v1/coins?limit=250",
      "/v1/coins?limit=250&page=2",
      `/v1/coins?ids=${ids.join(",")}`,
      `/v1/prices?ids=${ids.join(",")}`,
      `${COMPAT}/coins/markets?vs_currency=usd&per_page=250`,
      `${COMPAT}/coins/markets?vs_currency=usd&ids=${ids.join(",")}`
    ]
    const pricesOf = Effect.fnUntraced(function* (id: string) {
      return [
        (yield* ask(`/v1/coins/${id}`)).data.price,
        (yield* ask(`/v1/price/${id}/usd`)).data.price,
        (yield* ask(`/v1/convert?from=coin:${id}&to=usd`)).data.rate,
        (yield* ask(`/v1/why/${id}`)).data.price_usd,
        (yield* ask(`${COMPAT}/coins/${id}`)).market_data.current_price.usd
      ]
    })
    for (let n = 0; n < 2; n++) {
      const { rows, simple, singles } = yield* atOneTime(
        Effect.all({
          rows: Effect.forEach(lists, (path) => rowsAt(ask, path)),
          simple: ask(`${COMPAT}/simple/price?ids=${ids.join(",")}&vs_currencies=usd`),
          singles: Effect.forEach(ids, pricesOf)
        })
      )
      for (const [n, id] of ids.entries()) {
        const listed = rows.flat().filter((row) => row.id === id)
        const prices = [
          ...listed.map(({ current_price, price }) =>
            typeof price === "object" ? price["USD"] : (current_price ?? price)
          ),
          simple[id].usd,
          ...(singles[n] ?? [])
        ]
        assert.isAtLeast(prices.length, 10, id)
        assert.strictEqual(new Set(prices).size, 1, `${id}: ${prices.join()}`)
      }
      yield* time.pass("7 seconds")
    }
    for (let n = 0; n < 9; n++) {
      yield* time.pass("7 seconds")
      const ages = (yield* rowsAt(ask, "/v1/coins?limit=250")).flatMap(({ source, updated }) =>
        source.includes(" + ") ? [(time.now() - Date.parse(updated)) / 1000] : []
      )
      assert.isAbove(ages.length, 100)
      assert.isAtMost(Math.max(...ages), 30)
    }
  })
})
