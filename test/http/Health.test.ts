import { assert } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { HealthRoutes } from "../../src/http/HealthRoutes.ts"
import { Coins } from "../../src/services/Coins.ts"
import { ExchangeRates } from "../../src/services/ExchangeRates.ts"
import { GlobalMarkets } from "../../src/services/GlobalMarkets.ts"
import { Lifecycle } from "../../src/services/Lifecycle.ts"
import { Naira } from "../../src/services/Naira.ts"
import { OfficialRates } from "../../src/services/OfficialRates.ts"
import { type Answer, friday, get, sharedFriday } from "../RunningService.ts"
import { Fx } from "../../src/api/ConversionApi.ts"
import { Instant, read } from "./support.ts"
import { liveRule, rule, rulesIn } from "../rulesOf.ts"

const questions = ["coins", "global", "naira", "official_rate", "fx"] as const

const Status = Schema.Literals(["pass", "warn", "fail"])

const Check = Schema.Struct({
  status: Status,
  componentType: Schema.Literal("datastore"),
  observedValue: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  observedUnit: Schema.optionalKey(Schema.Literal("s")),
  time: Schema.optionalKey(Instant),
  source: Schema.optionalKey(Schema.NonEmptyString),
  output: Schema.optionalKey(Schema.NonEmptyString)
})

const Health = Schema.Struct({
  status: Status,
  output: Schema.optionalKey(Schema.NonEmptyString),
  checks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Tuple([Check])))
})

const decode = (text: string) => Schema.decodeUnknownEffect(Health)(JSON.parse(text), { onExcessProperty: "error" })

const healthOf = (answer: Pick<Answer, "headers" | "text">) => {
  assert.strictEqual(answer.headers["content-type"], "application/health+json", answer.text)
  assert.strictEqual(answer.headers["cache-control"], "no-store")
  return decode(answer.text)
}

rulesIn(sharedFriday)("health, all well", (rule) => {
  rule("/healthz is alive", function* () {
    const answer = yield* get("/healthz")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(yield* healthOf(answer), { status: "pass" })
  })

  rule("/readyz names each question, its source and the age of its data", function* () {
    const rates = yield* read("/v1/fx", Fx)
    const answer = yield* get("/readyz")
    assert.strictEqual(answer.status, 200, answer.text)
    const { checks = {}, output, status } = yield* healthOf(answer)
    assert.deepStrictEqual([status, output], ["pass", undefined])
    assert.deepStrictEqual(Object.keys(checks).sort(), [...questions].sort())
    for (const [{ observedUnit, observedValue, source, time }] of Object.values(checks)) {
      assert.strictEqual(observedUnit, "s")
      assert.include(source, "(sandbox)")
      assert.closeTo(friday / 1000 - (observedValue ?? 0), Date.parse(time ?? "") / 1000, 120)
    }
    // Each currency is of the source with the newer day.
    const served = checks["fx"]?.[0].source
    assert.strictEqual(served, rates.meta.source)
    const known = ["Frankfurter", "currency-api", "CBN"].map((name) => `${name} (sandbox)`)
    assert.includeMembers(known, served?.split(" + ") ?? [""])
  })
})

const now = DateTime.makeUnsafe(friday)
const snapshot = <A>(value: A) => Effect.succeed({ value, source: "Test", observedAt: now, retrievedAt: now })

/** The routes alone, over services that answer as told. */
const routes = (services: { readonly coins?: Coins["Service"]["list"]; readonly naira?: Naira["Service"]["rate"] }) => {
  const mocked = Layer.mergeAll(
    Coins.layerTest({ list: services.coins ?? snapshot({ coins: [], byId: new Map() }) }),
    GlobalMarkets.layerTest({
      current: snapshot({
        market_cap: 1,
        volume_24h: null,
        market_cap_change_24h: null,
        btc_dominance: null,
        eth_dominance: null,
        active_coins: null
      })
    }),
    Naira.layerTest({ rate: services.naira ?? priced(1500) }),
    OfficialRates.layerTest({
      current: Effect.map(snapshot({ rate: 1400, date: "2026-11-20" }), (held) => ({
        _tag: "Published",
        snapshot: held
      }))
    }),
    ExchangeRates.layerTest({ current: snapshot({ rates: {}, observed: {} }) })
  )
  return Effect.gen(function* () {
    const lifecycle = yield* Lifecycle
    const router = yield* HttpRouter.HttpRouter
    const handle = router.asHttpEffect()
    const ask = (path: string) =>
      handle.pipe(
        Effect.provideService(
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromWeb(new Request(`http://localhost${path}`))
        ),
        Effect.scoped,
        Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).text())),
        Effect.flatMap(decode)
      )
    return { ask, lifecycle }
  }).pipe(
    Effect.provide(
      HealthRoutes.pipe(
        Layer.provideMerge(HttpRouter.layer),
        Layer.provide(mocked),
        Layer.provideMerge(Lifecycle.layer),
        Layer.fresh
      )
    )
  )
}

/** A naira rate with this mid, of no venue. */
const priced = (mid: number | null): Naira["Service"]["rate"] =>
  snapshot({
    buy: mid,
    sell: mid,
    mid,
    spread: 0,
    confidence: "low",
    reason: mid === null ? "too_few_ads" : null,
    used: [],
    official: { _tag: "Missing", reason: "official_rate_missing" },
    premium: null,
    venues: [],
    method: null
  })

rule("/readyz waits 20 ms for an answer that is not there yet, and no longer", function* () {
  yield* TestClock.setTime(friday)
  const { ask } = yield* routes({ coins: Effect.never })
  const asked = yield* Effect.forkChild(ask("/readyz"), { startImmediately: true })
  yield* TestClock.adjust("20 millis")
  const { checks = {}, status } = yield* Fiber.join(asked)
  assert.strictEqual(status, "fail")
  assert.match(checks["coins"]?.[0].output ?? "", /still waiting/)
  assert.strictEqual(checks["naira"]?.[0].status, "pass")
})

liveRule("a naira rate without a price fails at a start, and is a warning once there was one", function* () {
  let mid: number | null = null
  const { ask } = yield* routes({ naira: Effect.suspend(() => priced(mid)) })
  const start = yield* ask("/readyz")
  assert.strictEqual(start.status, "fail")
  assert.strictEqual(start.checks?.["naira"]?.[0].output, "no usable price so far: too_few_ads")
  mid = 1500
  assert.strictEqual((yield* ask("/readyz")).status, "pass")
  mid = null
  const later = yield* ask("/readyz")
  assert.strictEqual(later.status, "warn")
  assert.strictEqual(later.checks?.["naira"]?.[0].output, "no usable price: too_few_ads")
})

liveRule("/readyz turns 503 when the service is shut down; /healthz stays", function* () {
  const { ask, lifecycle } = yield* routes({})
  assert.strictEqual((yield* ask("/readyz")).status, "pass")
  yield* lifecycle.drain
  const draining = yield* ask("/readyz")
  assert.deepStrictEqual([draining.status, draining.checks], ["fail", {}])
  assert.match(draining.output ?? "", /draining/)
  assert.strictEqual((yield* ask("/healthz")).status, "pass")
})
