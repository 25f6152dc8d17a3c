// Feeds and a search that fail or hang: what `/v1/why` then says, and that no request ever waits for them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { prefixOf } from "../../src/sandbox/Wires.ts"
import { AFTER_A_FALL, evidence, inTime, type Setting, settle } from "../http/WhySupport.ts"

/** CoinGecko is asked seldom, so that hours pass quickly. */
const quick = { COINGECKO_PLAN: "demo" }

const statuses = ({ why }: Setting) =>
  Effect.map(why, ({ data }) => [...new Set(data.movers.map(({ status }) => status))].toSorted())

/** What figures alone can show: without feeds no move is explained, and none counts as searched. */
const FROM_FIGURES = ["insufficient_coverage", "market_wide", "sector"]

const assertFromFigures = (setting: Setting) =>
  Effect.map(statuses(setting), (seen) => {
    assert.include(seen, "insufficient_coverage")
    for (const status of seen) assert.include(FROM_FIGURES, status)
  })

describe("feeds that are down", () => {
  it.live("from the start: figures at once, and no guess at what coincides with them", () =>
    inTime((setting) =>
      Effect.gen(function* () {
        yield* setting.set(evidence, { fault: "refuse" })
        const first = yield* setting.why
        assert.isBelow(setting.time.now() - AFTER_A_FALL, 3000)
        assert.isNotEmpty(first.data.movers)
        yield* settle(setting)
        yield* assertFromFigures(setting)
        const { data } = yield* setting.why
        for (const mover of data.movers) {
          assert.isNumber(mover.price_usd)
          assert.isAbove(Math.abs(mover.change_24h), 3)
          assert.isEmpty(mover.drivers)
          assert.strictEqual(mover.confidence.level, "low")
          assert.strictEqual(mover.coverage.sources_ok, 0)
          assert.isNotEmpty(mover.coverage.sources_failed)
        }
        assert.isNumber(data.market.btc_change_24h)
        // They come back: explained within two minutes, and only from then on.
        yield* setting.set(evidence, null)
        yield* setting.time.pass("2 minutes")
        const explained = (yield* setting.why).data.movers.find(({ status }) => status === "explained")
        assert.isDefined(explained)
        assert.isAbove(
          Date.parse(explained?.first_explained_at ?? ""),
          Date.parse(data.movers[0]?.first_explained_at ?? "")
        )
      })
    )
  )

  it.live("later: what is held explains until under 60 % are fresh, and they explain again when they are back", () =>
    inTime(
      (setting) =>
        Effect.gen(function* () {
          yield* settle(setting)
          const before = yield* statuses(setting)
          assert.include(before, "explained")
          const first = (yield* setting.why).data.movers.find(({ status }) => status === "explained")
          yield* setting.set(evidence, { fault: "refuse" })
          yield* setting.time.skip("23 minutes")
          yield* setting.time.pass("2 minutes")
          assert.include(yield* statuses(setting), "explained")
          yield* setting.time.skip("10 minutes")
          yield* setting.time.pass("2 minutes")
          yield* assertFromFigures(setting)
          yield* setting.set(evidence, null)
          yield* setting.time.skip("5 minutes")
          yield* setting.time.pass("2 minutes")
          const again = (yield* setting.why).data.movers.find(({ id }) => id === first?.id)
          assert.strictEqual(again?.status, "explained")
          assert.strictEqual(again?.first_explained_at, first?.first_explained_at)
          assert.isAbove(Date.parse(again?.revised_at ?? ""), Date.parse(first?.revised_at ?? ""))
        }),
      { config: quick }
    )
  )
})

describe("a request", () => {
  it.live("waits for no feed", () =>
    inTime(
      (setting) =>
        Effect.gen(function* () {
          const { service, time } = setting
          yield* settle(setting)
          yield* setting.set(evidence, { fault: "hang" })
          time.ignore(evidence.map((name) => `/${prefixOf(name)}/`))
          yield* time.pass("6 minutes")
          const at = time.now()
          for (const path of ["/v1/why", "/v1/why/bitcoin", "/v1/why/litecoin"]) {
            // Time stands still: a request that waited for anything would never be answered.
            const value = yield* service.get(path)
            assert.strictEqual(value.status, 200)
          }
          assert.strictEqual(time.now(), at)
        }),
      { config: quick }
    )
  )
})
