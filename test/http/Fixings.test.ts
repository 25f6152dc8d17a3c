// Fixings over HTTP, from a record that a test scripts.
import { assert } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { startOfDay } from "../../src/history/model/Interval.ts"
import type { Fixing } from "../../src/domain/Fixing.ts"
import { rule } from "../rulesOf.ts"
import { get, layerOf } from "./ScriptedRoutes.ts"

const HOUR = 3_600_000
const DAY = startOfDay("2026-11-19")

const part = { observedAt: DAY + 12 * HOUR, mid: 129.1234567890123, confidence: "high", kind: "p2p" } as const

const published: Fixing = {
  day: DAY,
  rate: 129.1234567890123,
  confidence: "high",
  kind: "p2p",
  reason: null,
  method: "fixing/1",
  parts: [{ ...part, source: "=Bybit P2P", method: "p2p/1" }],
  publishedAt: DAY + 13 * HOUR + 300_000,
  revisedAt: null
}

const routes = layerOf({
  histories: {
    fixing: (_, on = DAY) =>
      Effect.succeed(
        on === DAY
          ? { day: DAY, fixing: published, missing: undefined }
          : { day: on, fixing: undefined, missing: "not_published" }
      ),
    fixings: (_, { last }) => {
      const coverage = { first: DAY, last: DAY, missing: [{ from: last, to: last }] }
      return Effect.succeed({ fixings: [published], coverage })
    }
  }
})

/** Noon UTC, 15:00 in Nairobi. */
const asked = (path: string) =>
  Effect.andThen(TestClock.setTime(startOfDay("2026-11-20") + 12 * HOUR), Effect.provide(get(path), routes))

rule("a fixing has its hour, its observations, and its method", function* () {
  const { text } = yield* asked("/v1/p2p/kes/fixing")
  const times = { from: "2026-11-19T12:00:00.000Z", to: "2026-11-19T13:00:00.000Z", zone: "Africa/Nairobi" }
  assert.deepStrictEqual(JSON.parse(text), {
    data: {
      pair: "USDT/KES",
      on: "2026-11-19",
      rate: 129.123456789,
      reason: null,
      confidence: "high",
      kind: "p2p",
      parts: 1,
      ...times,
      published: "2026-11-19T13:05:00.000Z",
      revised: null,
      method: "fixing/1",
      observations: [
        {
          time: "2026-11-19T12:00:00.000Z",
          mid: 129.123456789,
          confidence: "high",
          source: "=Bybit P2P",
          method: "p2p/1"
        }
      ]
    },
    meta: { source: "=Bybit P2P", updated: "2026-11-19T12:00:00.000Z", tier: "free" }
  })
})

rule("a fixing that is not there is null with its reason, and one of a day to come is refused", function* () {
  const { data, meta } = JSON.parse((yield* asked("/v1/p2p/kes/fixing?on=2026-11-20")).text)
  assert.deepInclude(data, { on: "2026-11-20", rate: null, reason: "not_published", published: null, parts: 0 })
  assert.strictEqual(meta.source, "own record")
  for (const on of ["2026-11-21", "2026-02-30", "yesterday", "", "2026-11-19T12:00:00Z"]) {
    const { status, text } = yield* asked(`/v1/p2p/kes/fixing?on=${on}`)
    assert.strictEqual(status, 400, on)
    assert.match(JSON.parse(text).errors[0].detail, /must (not be after today, 2026-11-20|be a day)/, on)
  }
  assert.strictEqual((yield* asked("/v1/p2p/eur/fixing")).status, 404)
})

rule("the fixings of a range are rows of JSON and CSV with the same figures", function* () {
  const path = "/v1/p2p/kes/fixings?from=2026-11-19"
  const { data } = JSON.parse((yield* asked(path)).text)
  assert.deepStrictEqual(data.coverage, {
    from: "2026-11-19",
    to: "2026-11-19",
    missing: [{ from: "2026-11-20", to: "2026-11-20" }]
  })
  const { text } = yield* asked(`${path}&format=csv`)
  const [row, ...others]: ReadonlyArray<Record<string, string>> = parse(text, { columns: true })
  assert.isEmpty(others)
  const [shown] = data.fixings
  const cells = Object.entries({ ...shown, pair: data.pair }).map(([name, cell]) => [
    name,
    cell === null ? "" : String(cell)
  ])
  assert.deepStrictEqual(row, Object.fromEntries(cells))
  assert.strictEqual((yield* asked("/v1/p2p/kes/fixings?to=2026-11-21")).status, 400)
})
