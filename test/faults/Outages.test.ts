// Several upstreams out at once: what the service answers without them, and how soon all is well again.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { upstreamNames } from "../../src/sandbox/Wires.ts"
import { isWhole, shareOf } from "../isWhole.ts"
import { onlyNaira, withoutEvidence } from "../RunningService.ts"
import * as SimulatedService from "../SimulatedService.ts"
import type { Simulated } from "../SimulatedService.ts"
import { type Answers, askAll, faultsOf, memberOf, venuesOf, fiatSource } from "./Answers.ts"
import { afterwards } from "./FaultMatrix.ts"
import { rulesWithin } from "../rulesOf.ts"

interface Setting extends Simulated {
  /** All answers, which have to be honest. */
  readonly honest: (wrongSince?: ReadonlyMap<string, number>) => Effect.Effect<Answers>
}

/** A service that has not had time for anything yet, over upstreams that are all well. */
const inTime = <A, E>(
  use: (setting: Setting) => Effect.Effect<A, E>,
  before: Pick<Parameters<typeof SimulatedService.inTime>[1] & object, "fault"> = {}
) =>
  SimulatedService.inTime(
    (simulated) => {
      const { service, time } = simulated
      return use({
        ...simulated,
        honest: Effect.fnUntraced(function* (wrongSince = new Map()) {
          const answers = yield* time.during(askAll(service))
          assert.deepStrictEqual(faultsOf(answers, { now: time.now(), world: service.sandbox.world, wrongSince }), [])
          return answers
        })
      })
    },
    { config: { ...withoutEvidence, ...onlyNaira }, ...before }
  )

const rule = rulesWithin(inTime)

describe("sources of one question that fail together", () => {
  rule(
    "without any P2P venue the order books make the naira, and it is trusted less",
    function* ({ honest, set, time }) {
      yield* time.pass("20 seconds")
      const before = yield* honest()
      assert.deepStrictEqual(
        [before.naira.source, before.naira.at("confidence")],
        ["Bybit P2P + Bitget P2P + CBN", "high"]
      )
      const untilStale = isWhole ? time.pass("17 minutes") : afterwards(time, "15 minutes", "2 minutes")
      const since = time.now()
      const wrong = new Map([
        ["Bybit P2P", since],
        ["Bitget P2P", since],
        ["Quidax", since]
      ])
      yield* set(["BYBIT_P2P", "BITGET_P2P"], { fault: "refuse" })
      yield* untilStale
      const books = yield* honest(new Map([...wrong].slice(0, 2)))
      assert.deepStrictEqual([books.naira.source, books.naira.at("confidence")], ["Quidax + Luno + CBN", "medium"])
      yield* set(["QUIDAX"], { fault: "refuse" })
      yield* untilStale
      const alone = yield* honest(wrong)
      assert.deepStrictEqual([alone.naira.source, alone.naira.at("confidence")], ["Luno + CBN", "low"])
      assert.deepStrictEqual(
        venuesOf(alone).map(({ reason }) => reason),
        ["stale", "stale", "stale", null]
      )
    }
  )

  rule(
    "without CBN and Frankfurter the official rate held stands with its date, and currency-api has the rest",
    function* ({ honest, set, time }) {
      yield* time.pass("20 seconds")
      const before = yield* honest()
      const since = time.now()
      yield* set(["CBN", "FRANKFURTER"], { fault: "html" })
      yield* time.skip("26 hours")
      yield* time.pass("80 seconds")
      const after = yield* honest(
        new Map([
          ["CBN", since],
          ["Frankfurter", since]
        ])
      )
      assert.strictEqual(fiatSource(after), "currency-api")
      assert.strictEqual(after.naira.at("official_date"), before.naira.at("official_date"))
      assert.strictEqual(after.naira.at("official"), before.naira.at("official"))
    }
  )
})

describe("all upstreams out at a cold start", () => {
  const everywhere = [
    "/v1/global",
    "/v1/coins",
    "/v1/coins/bitcoin",
    "/v1/price/bitcoin/ngn",
    "/v1/naira",
    "/v1/fx",
    "/v1/convert?from=eur&to=ngn"
  ]

  for (const fault of shareOf(["refuse", "server_error", "hang", "html"] as const, 0)) {
    it.live(`${fault}: a 503 that says when to ask again, and 200 within 30 s of their coming back`, () =>
      inTime(
        ({ honest, service, set, time }) =>
          Effect.gen(function* () {
            for (const minutes of isWhole ? [0, 1, 10] : [0, 1]) {
              yield* time.pass(`${minutes} minutes`)
              for (const path of everywhere) {
                const { headers, status, text } = yield* time.during(service.get(path))
                const problem: unknown = JSON.parse(text)
                assert.deepStrictEqual([status, memberOf(problem, ["code"])], [503, "source_unavailable"], path)
                assert.match(String(headers["content-type"]), /^application\/problem\+json/)
                assert.match(String(headers["retry-after"]), /^[1-9]\d*$/, path)
                assert.strictEqual(headers["cache-control"], "no-store")
              }
              const document = yield* time.during(service.get("/openapi.json"))
              assert.strictEqual(document.status, 200)
            }
            yield* set(upstreamNames, null)
            yield* time.pass("30 seconds")
            yield* honest()
          }),
        { fault: [upstreamNames, { fault }] }
      )
    )
  }
})
