// Every venue of every P2P market with every fault: what the markets then say is near the street or is no number, and what is the
// naira's is the same by both of its paths.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { p2pMarkets } from "../../src/domain/P2pMarket.ts"
import type { Fault } from "../../src/sandbox/Faults.ts"
import { wrongKinds } from "../../src/sandbox/WrongFigures.ts"
import { P2pMarkets, read } from "../http/support.ts"
import { isWhole, shareOf } from "../isWhole.ts"
import { friday, RunningService, withoutEvidence } from "../RunningService.ts"
import { inTime } from "../SimulatedService.ts"
import { afterwards } from "./FaultMatrix.ts"
import type { SimulatedTime } from "./SimulatedTime.ts"

const venues = ["BYBIT_P2P", "BITGET_P2P", "BINANCE_P2P", "QUIDAX", "LUNO", "VALR"] as const

const faults: ReadonlyArray<readonly [name: string, fault: Fault]> = [
  ["hang", { fault: "hang" }],
  ["503", { fault: "server_error" }],
  ["429", { fault: "rate_limited" }],
  ["html", { fault: "html" }],
  ["malformed", { fault: "malformed" }],
  ["wrong_types", { fault: "wrong_types" }],
  ["empty", { fault: "empty" }],
  ["inverted", { fault: "inverted" }],
  ["frozen", { fault: "stale", hours: 6 }],
  ...wrongKinds.flatMap((kind) =>
    (["one", "all"] as const).map((rows): readonly [string, Fault] => [
      `${kind}, ${rows}`,
      { fault: "figures", kind, rows }
    ])
  )
]

/** Without `TESTS=all` every second venue has one fault of its own. */
const cells = venues
  .filter((_, place) => isWhole || place % 2 === 0)
  .flatMap((venue, place) => shareOf(faults, 3 * place).map((fault) => [venue, ...fault] as const))

/** As long as every venue takes to be asked again within its budget of calls. The process is suspended for most of it, under a fault only where this is a share. */
const resumed = (time: SimulatedTime) => afterwards(time, "5 minutes", "4 minutes")
const sevenMinutes = (time: SimulatedTime) => (isWhole ? time.pass("7 minutes") : resumed(time))

/** Percent of the street; a market whose sides meet errs by half of what they cross. */
const NEAR = 1

const isNear = (a: number, b: number): boolean => Math.abs(a / b - 1) * 100 <= NEAR

/** All markets are near the street or say why not; gives how many have a rate. */
const judged = Effect.fnUntraced(function* (when: string) {
  const { get, sandbox } = yield* RunningService
  const { street } = yield* sandbox.truth
  const { data } = yield* read("/v1/p2p", P2pMarkets)
  for (const { buy, fiat, mid, reason, sell } of data.markets) {
    if (mid === null) assert.isNotNull(reason, `${when}: ${fiat}`)
    else assert.isTrue(isNear(mid, street(fiat)), `${when}: ${fiat} at ${mid}, the street is at ${street(fiat)}`)
    assert.strictEqual(buy === null, mid === null, `${when}: ${fiat}`)
    assert.strictEqual(sell === null, mid === null, `${when}: ${fiat}`)
  }
  const [naira, ngn] = [yield* get("/v1/naira"), yield* get("/v1/p2p/ngn")]
  assert.strictEqual(ngn.text, naira.text, when)
  return data.markets.filter(({ mid }) => mid !== null).length
})

const config = { ...withoutEvidence, P2P_MARKETS: Object.keys(p2pMarkets).join(","), COINGECKO_PLAN: "demo" }

describe("P2P markets", () => {
  it.live("are never a wrong number, whatever is wrong with a venue", () =>
    inTime(
      ({ service, set, time }) =>
        Effect.gen(function* () {
          for (const [venue, name, fault] of cells) {
            yield* set([venue], fault)
            yield* sevenMinutes(time)
            const few = yield* judged(`${venue} ${name}`)
            // Only one market has no rate when all is well. Two that are odd, where sides meet or are swapped, need every venue.
            assert.isAtLeast(few, Object.keys(p2pMarkets).length - 3, `${venue} ${name}`)
            yield* set([venue], null)
            yield* resumed(time)
            // Bybit's ads count again with its configuration, which is asked for every quarter of an hour.
            assert.isAtLeast(yield* judged(`${venue} after ${name}`), Object.keys(p2pMarkets).length - 2)
          }
        }).pipe(Effect.provideService(RunningService, service)),
      { start: friday, config }
    )
  )
})
