// A history whose database fails, or does not answer: every path that does not need it answers as it does without one, histories
// are 503, and are answered again as soon as they can be.
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { layerRecord } from "../history/layerRecord.ts"
import { shareOf } from "../isWhole.ts"
import { exchanges, friday, RunningService } from "../RunningService.ts"
import { rulesIn } from "../rulesOf.ts"

const others = [
  "/v1/coins",
  "/v1/coins?page=2&format=csv",
  "/v1/coins/bitcoin",
  "/v1/global",
  "/v1/price/bitcoin/usd",
  "/v1/price/bitcoin/ngn",
  "/v1/price/bitcoin/eur",
  "/v1/price/nothing-such/usd",
  "/v1/prices?ids=bitcoin,tether&fiats=usd,ngn",
  "/v1/naira",
  "/v1/fx",
  "/v1/convert?from=NGN&to=bitcoin&amount=5000",
  "/v1/why",
  "/v1/why/bitcoin",
  "/v1/search?q=usdt",
  "/v1/sources",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/llms.txt",
  "/",
  "/docs"
]

const histories = [
  "/v1/price/bitcoin/usd/history",
  "/v1/price/bitcoin/ngn/history?interval=hour",
  "/v1/naira/history",
  "/v1/fx/history?quotes=EUR",
  "/v1/price/bitcoin/usd?at=2026-11-19",
  "/v1/naira?at=2026-11-19T12:00:00Z",
  "/v1/fx?at=2026-11-19",
  "/v1/convert?from=USD&to=NGN&amount=1&at=2026-11-19"
]

/** Exchanges are asked so often that the seconds in which a read does not answer would take minutes. */
const config = { SOURCES_DISABLED: exchanges }

const statuses = (paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { get } = yield* RunningService
    const found: Record<string, number> = {}
    for (const path of paths) found[path] = (yield* get(path)).status
    return found
  })

/** A record of which reads end so, until they are mended. */
const broken = (failing: Effect.Effect<never, SqlError>) => {
  let isBroken = true
  const reads =
    <A>(found: A) =>
    () =>
      Effect.suspend(() => (isBroken ? failing : Effect.succeed(found)))
  return {
    mend: () => void (isBroken = false),
    layer: layerRecord({
      points: reads(new Map()),
      lastBucket: reads(undefined),
      newestAt: reads({ observations: new Map(), hours: new Map(), days: new Map() }),
      spans: reads(new Map()),
      names: reads([]),
      pieces: reads(new Map()),
      claim: reads(true),
      recordPiece: reads([])
    })
  }
}

const unavailable = new SqlError({ reason: new ConnectionError({ cause: "the database is away" }) })

const faults = [
  ["fails", broken(Effect.fail(unavailable))],
  // As long as a read may take before it fails.
  ["does not answer", broken(Effect.delay(Effect.fail(unavailable), "5 seconds"))]
] as const

// The clock runs for 5 seconds with each read that does not answer, which takes long.
for (const [name, { layer: record, mend }] of shareOf(faults, 0)) {
  const service = RunningService.layer({ at: friday, hasPast: true, config }).pipe(Layer.provide(record))
  rulesIn(service)(`a history whose database ${name}`, (rule) => {
    rule("leaves all other paths as they are without one; histories are 503 and come back", function* () {
      const { get, pass } = yield* RunningService
      yield* pass("5 seconds")
      const found = yield* statuses(others)
      const without = yield* Effect.scoped(
        Effect.provide(
          Effect.andThen(
            Effect.flatMap(RunningService, (other) => other.pass("5 seconds")),
            statuses(others)
          ),
          RunningService.layer({ at: friday, config })
        )
      )
      assert.deepStrictEqual(found, without)
      assert.strictEqual(found["/v1/naira"], 200)
      for (const path of histories) {
        const { headers, status, text } = yield* get(path)
        assert.deepStrictEqual([status, JSON.parse(text).code], [503, "source_unavailable"], path)
        assert.isAbove(Number(headers["retry-after"]), 0)
      }
      const many = JSON.parse((yield* get("/v1/prices?ids=bitcoin&at=2026-11-19")).text)
      assert.strictEqual(many.data.missing[0].code, "source_unavailable")
      mend()
      for (const path of histories) {
        const { status } = yield* get(path)
        // Nothing was recorded: a history is empty, and at a moment there is no data.
        assert.strictEqual(status, path.includes("at=2") ? 404 : 200, path)
      }
    })
  })
}
