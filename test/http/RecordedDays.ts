// A record of some days, of which statements are made, and the routes over it.
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { startOfDay } from "../../src/history/model/Interval.ts"
import * as History from "../../src/history/store/History.ts"
import * as SeriesName from "../../src/history/store/SeriesName.ts"
import type { Signer } from "../../src/http/response/Signature.ts"
import { Coins, UnknownCoin } from "../../src/services/Coins.ts"
import { Backfill } from "../../src/services/history/Backfill.ts"
import { Histories } from "../../src/services/history/Histories.ts"
import { Past } from "../../src/services/history/Past.ts"
import { Unavailable } from "../../src/services/refresh/Unavailable.ts"
import { observed, told } from "../history/records.ts"
import { get, layerOf } from "./ScriptedRoutes.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const FRIDAY = startOfDay("2026-11-20")
const [SATURDAY, MONDAY] = [FRIDAY + DAY, FRIDAY + 3 * DAY]
export const NOW = MONDAY + DAY + 12 * HOUR

/** What statements are made of, over a file, at a time: simulated time passes in no loop of the history's. */
export const recordAt = (filename: string, time: number) =>
  Layer.unwrap(
    Effect.as(
      TestClock.setTime(time),
      Layer.mergeAll(Histories.layerNoDeps, Past.layerNoDeps).pipe(
        Layer.provide([
          Coins.layerTest({
            coin: (id) =>
              Effect.fail(
                id === "btc"
                  ? new UnknownCoin({ id, suggestions: [] })
                  : new Unavailable({ question: id, retryAfter: 1 })
              ),
            suggest: (id) => Effect.succeed([{ id, symbol: "X", name: id }])
          }),
          Backfill.layerTest({ coin: () => Effect.succeed(false) })
        ]),
        Layer.provideMerge(Layer.fresh(History.layerSqlite(filename))),
        Layer.fresh
      )
    )
  )

/** Two days in Lagos, every five minutes, an order book's at night and last of all, and none of Saturday's hour of the fixing. */
const COUNT = (2 * DAY) / (5 * MINUTE)
const street = Array.from({ length: COUNT }, (_, n) => {
  const at = FRIDAY - HOUR + n * 5 * MINUTE + MINUTE
  const isNight = at % DAY < 3 * HOUR || n === COUNT - 1
  return observed(SeriesName.p2p("NGN"), at, 1500 + n / 7 + (isNight ? 100 : 0), {
    buy: 1510,
    sell: 1490,
    confidence: "high",
    kind: isNight ? "order_book" : "p2p",
    method: "p2p/1",
    source: isNight ? "Quidax" : "Bybit P2P + Bitget P2P"
  })
}).filter(({ observedAt }) => observedAt < SATURDAY + 14 * HOUR || observedAt > SATURDAY + 15 * HOUR)

const closes = [FRIDAY, SATURDAY].flatMap((day, n) => [
  told(SeriesName.coin("bitcoin"), "CoinGecko", day, 90_123.45 + n, { observedAt: day + DAY - 1 }),
  told(SeriesName.coin("tether"), "CoinGecko", day, 0.9998, { observedAt: day + DAY - 1 })
])

const official = [
  told(SeriesName.OFFICIAL, "CBN", FRIDAY, 1368.4127),
  told(SeriesName.OFFICIAL, "CBN", MONDAY, 1371.5),
  told(SeriesName.fiat("EUR"), "Frankfurter", FRIDAY, 0.8612),
  told(SeriesName.fiat("SDG"), "Frankfurter", FRIDAY, 600)
]

/** Records them, and waits for the database, which is in real time. */
export const recorded = Effect.gen(function* () {
  const [history, histories] = [yield* History.History, yield* Histories]
  yield* history?.offer([...street, ...closes, ...official]) ?? Effect.die("no history")
  const isThere = Effect.map(histories.fixing("NGN", SATURDAY), ({ fixing }) => fixing !== undefined)
  const passed = Effect.andThen(TestClock.adjust("1 second"), TestClock.withLive(Effect.sleep("5 millis")))
  yield* Effect.repeat(Effect.andThen(passed, isThere), { until: (found) => found, times: 500 })
})

/** Routes over the record, which a key may sign. */
export const routes = (signer?: Signer) =>
  Effect.gen(function* () {
    const [histories, past] = [yield* Histories, yield* Past]
    const built = yield* Layer.build(layerOf({ histories, past, ...(signer !== undefined && { signer }) }))
    const asked = (path: string) => Effect.provideContext(get(path), built)
    return { asked, dataAt: (path: string) => Effect.map(asked(path), ({ text }) => JSON.parse(text).data) }
  })

export type Routes = Effect.Success<ReturnType<typeof routes>>

/** The same over the record of two days, for rules that only read it. */
export class Recorded extends Context.Service<Recorded, Routes>()("test/Recorded") {
  static readonly layer = Layer.effect(Recorded, Effect.andThen(recorded, routes())).pipe(
    Layer.provideMerge(Layer.suspend(() => recordAt(":memory:", NOW)))
  )
}
