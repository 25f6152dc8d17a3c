// How long questions about the past wait while one of the sources that are asked for it does not answer: a service and upstreams on
// real sockets, in simulated time.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layerRecord } from "../../history/layerRecord.ts"
import type { Fetched } from "../../../src/history/store/BackfillStore.ts"
import type { UpstreamEnvName } from "../../../src/sandbox/Wires.ts"
import { memberOf } from "../../faults/Answers.ts"
import { shareOf } from "../../isWhole.ts"
import { withoutEvidence } from "../../RunningService.ts"
import { inTime } from "../../SimulatedService.ts"

/** Milliseconds that an answer about the past may take, with a little room for timers that are set while it runs. */
const LONGEST = 5050

/** Every source that is asked for the past. */
const sources: ReadonlyArray<UpstreamEnvName> = [
  "COINGECKO",
  "BINANCE",
  "COINPAPRIKA",
  "FRANKFURTER",
  "CURRENCY_API",
  "CBN",
  "QUIDAX"
]

const pathsOf = (one: string, other: string) => [
  `/v1/price/${one}/usd/history?from=2024-12-01`,
  `/v1/price/${one}/ngn/history?interval=hour`,
  `/v1/price/${one}/eur/history?fill=previous`,
  "/v1/naira/history",
  "/v1/naira/history?interval=hour",
  "/v1/fx/history?quotes=EUR,NGN",
  `/v1/price/${other}/usd?at=2026-11-10`,
  `/v1/price/${other}/ngn?at=2026-11-10T12:00:00Z`,
  `/v1/prices?ids=${one},${other},bitcoin&fiats=usd,eur,ngn&at=2026-11-10`,
  `/v1/convert?from=${one}&to=${other}&amount=2&at=2026-11-10`,
  "/v1/naira?at=2026-11-10",
  "/v1/fx?at=2026-11-10"
]

/** A record that keeps what was fetched in mind, and is otherwise empty: all that callers ask for has to be fetched. */
const emptyRecord = () => {
  const marks = new Map<string, Fetched>()
  return layerRecord({
    pieces: () => Effect.sync(() => new Map(marks)),
    recordPiece: (name, fetchedAt) =>
      Effect.sync(() => {
        marks.set(name, { fetchedAt, emptySince: null })
        return []
      })
  })
}

describe("while a source of the past does not answer", () => {
  for (const source of shareOf(sources, 0)) {
    it.live(`${source}: histories and rates at a moment take 5 s at most`, () =>
      inTime(
        ({ service, set, time }) =>
          Effect.gen(function* () {
            yield* time.pass("10 seconds")
            const page = yield* time.during(service.get("/v1/coins?limit=250&page=2"))
            const ids = [0, 1].map((n) => String(memberOf(JSON.parse(page.text), ["data", "coins", n, "id"])))
            yield* set([source], { fault: "hang" })
            const answers = yield* time.during(
              Effect.forEach(
                pathsOf(ids[0] ?? "", ids[1] ?? ""),
                (path) =>
                  Effect.gen(function* () {
                    const began = time.now()
                    const { status } = yield* service.get(path)
                    return { path, status, took: time.now() - began }
                  }),
                { concurrency: "unbounded" }
              )
            )
            for (const { path, status, took } of answers) {
              assert.isAtMost(took, LONGEST, path)
              // Only CoinGecko has these coins, so nothing is known of them: never an empty history.
              const isUnanswered = source === "COINGECKO" && /^.v1.(price\/|convert)/.test(path)
              assert.include(isUnanswered ? [503] : [200, 404], status, path)
            }
            if (source === "COINGECKO") assert.isAbove(Math.max(...answers.map(({ took }) => took)), 4000)
          }),
        { config: withoutEvidence, hasPast: true }
      ).pipe(Effect.provide(emptyRecord()))
    )
  }
})
