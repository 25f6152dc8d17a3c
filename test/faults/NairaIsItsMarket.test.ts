// `/v1/p2p/ngn` is `/v1/naira`, and so are their histories, to the digit: over half a day in which each source of the naira is well, hangs,
// refuses, sends wrong figures or the same as before, by chance, a quarter of an hour each.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Hash, Layer, References } from "effect"
import * as History from "../../src/history/store/History.ts"
import { mapFigures } from "../../src/sandbox/WrongFigures.ts"
import { mulberry32 } from "../domain/syntheticBooks.ts"
import { isWhole } from "../isWhole.ts"
import { withoutEvidence } from "../RunningService.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"
import { layerSqliteInTime } from "./sqliteInTime.ts"

/** A Monday at noon, UTC. */
const START = Date.UTC(2026, 10, 16, 12, 0, 30)

const QUARTER = 900_000
const QUARTERS = isWhole ? 48 : 6
const SEED = isWhole ? 1 : 2

/** The sources of the naira's rate and of its official rate. */
const sources: ReadonlySet<string> = new Set(["BYBIT_P2P", "BITGET_P2P", "QUIDAX", "LUNO", "CBN", "FRANKFURTER"])

const fates = ["well", "well", "hang", "drip", "refuse", "wrong", "same"] as const

const distorting = (seed: number, now: () => number): InProcessService.Distortion => {
  const former = new Map<string, unknown>()
  return (name, body, request) => {
    if (!sources.has(name)) return body
    const quarter = Math.floor((now() - START) / QUARTER)
    const random = mulberry32(Hash.string(`${seed} ${name} ${quarter}`))
    const fate = fates[Math.floor(random() * fates.length)]
    if (fate === "hang" || fate === "drip" || fate === "refuse") return fate
    if (fate === "wrong")
      return mapFigures(body, (figure) => (random() < 0.3 ? figure * 10 ** (random() * 4 - 2) : figure))
    if (fate === "same") return former.get(request) ?? body
    former.set(request, body)
    return body
  }
}

const before = (time: number, back: number) => new Date(time - back).toISOString().slice(0, 19) + "Z"

/** What follows either path. */
const queries = (now: number) => [
  "",
  "?max_age=600",
  `?at=${before(now, 3_600_000)}`,
  `?at=${before(now, 0).slice(0, 10)}`,
  "/history",
  "/history?interval=hour",
  "/history?interval=hour&fill=previous",
  `/history?from=${before(now, 7 * 86_400_000).slice(0, 10)}&fill=previous`
]

describe("the naira and its P2P market", () => {
  it.live(`say the same to the digit, now and of the past: ${QUARTERS / 4} hours of faults, seed ${SEED}`, () =>
    Effect.gen(function* () {
      const time = yield* SimulatedTime.make(START)
      const seen = new Map<string, number>()
      const count = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1)
      yield* time.live(
        Effect.gen(function* () {
          const service = yield* InProcessService.make(time, {
            config: {
              COINGECKO_PLAN: "demo",
              P2P_MARKETS: "NGN",
              SOURCES_DISABLED: `${withoutEvidence.SOURCES_DISABLED},COINPAPRIKA`
            },
            history: History.layerNoDeps.pipe(Layer.provide(layerSqliteInTime))
          })
          service.distort(distorting(SEED, time.now))
          yield* service.start
          for (let quarter = 0; quarter < QUARTERS; quarter++) {
            yield* time.pass("15 minutes")
            const asked = queries(time.now())
            const answers = yield* service.ask(asked.flatMap((query) => [`/v1/naira${query}`, `/v1/p2p/ngn${query}`]))
            for (const [n, query] of asked.entries()) {
              const [naira, market] = answers.slice(2 * n, 2 * n + 2)
              assert.strictEqual(market?.text, naira?.text, `quarter ${quarter}, ${query}`)
              assert.strictEqual(market?.status, naira?.status, `quarter ${quarter}, ${query}`)
              count(`${query.replace(/\d{4}-.*/, "")} ${naira?.status}`)
              if (query === "") count(/"mid":null/.test(naira?.text ?? "") ? "some without a mid" : "all with a mid")
            }
          }
          // Each quarter of an hour left its observations, where there was a rate at all.
          const { text } = (yield* service.ask(["/v1/p2p/ngn/history?interval=hour&from=2026-11-16"]))[0] ?? {}
          assert.isAtLeast((text ?? "").split('"kind":"').length - 1, QUARTERS / 8)
        })
      )
      for (const what of [" 200", "?at= 200", "/history 200", "some without a mid"]) {
        assert.isAbove(seen.get(what) ?? 0, 0, what)
      }
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
  )
})
