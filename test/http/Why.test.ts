// `/v1/why` and `/v1/why/{id}` of a running service over a world in which things happen by a script.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { byId } from "../../src/domain/CoinRegistry.ts"
import { problemOf } from "./support.ts"
import { AFTER_A_FALL, assertSound, inTime, type Setting, settle } from "./WhySupport.ts"
import { rulesIn, rulesWithin } from "../rulesOf.ts"

const askAll = (setting: Setting) =>
  Effect.gen(function* () {
    yield* settle(setting)
    const { service, time } = setting
    const why = yield* setting.why
    const ones = yield* Effect.forEach(why.data.movers, ({ id }) => setting.one(id))
    const happened = service.sandbox.world.script
      .events(time.now(), 23)
      .flatMap(({ coin, kind }) => (coin === null ? [] : [{ id: coin.id, kind }]))
    const events = yield* Effect.forEach(happened, ({ id, kind }) =>
      Effect.map(setting.one(id), (one) => ({ kind, one }))
    )
    const bitcoin = yield* setting.one("bitcoin")
    const tether = yield* setting.one("tether")
    const both = Effect.all({ why: setting.why, bitcoin: setting.one("bitcoin") })
    // A run may come between the two: then they are asked for once more.
    const twice = yield* Effect.all([both, Effect.andThen(time.pass("2 seconds"), both)]).pipe(
      Effect.repeat({ until: ([first, again]) => first.why.data.as_of === again.why.data.as_of, times: 5 })
    )
    return {
      why,
      ones,
      bitcoin,
      tether,
      twice,
      unknown: yield* time.during(service.get("/v1/why/bitcoinn")),
      impossible: yield* time.during(service.get("/v1/why/%20")),
      events
    }
  })

/** The answers of a settled service, for the tests that only read them. */
class Settled extends Context.Service<Settled, Effect.Success<ReturnType<typeof askAll>>>()("test/Settled") {
  static readonly layer = Layer.effect(Settled, inTime(askAll))
}

rulesIn(Settled.layer, { excludeTestServices: true })("/v1/why over the sandbox", (rule, it) => {
  rule("shows an explained, a market-wide and an unexplained mover, each soundly cited", function* () {
    const { data, source: meta, updated } = (yield* Settled).why
    const statuses = new Set(data.movers.map(({ status }) => status))
    for (const status of ["explained", "market_wide", "unexplained"] as const) assert.isTrue(statuses.has(status))
    for (const mover of data.movers) assertSound(mover, data.market)
    assert.strictEqual(updated, data.as_of)
    assert.match(meta, / \+ news feeds$/)
    const sizes = data.movers.map(({ change_24h }) => Math.abs(change_24h))
    assert.deepStrictEqual(
      sizes,
      sizes.toSorted((a, b) => b - a)
    )
    assert.match(data.market.summary, /^Bitcoin changed -\d\.\d% over 24 hours\. \[1\]$/)
    const known = data.market.citations.map(({ id }) => id)
    assert.isNotEmpty(data.market.drivers)
    for (const { citations } of data.market.drivers) for (const id of citations) assert.include(known, id)
    assert.deepStrictEqual(
      data.market.citations.map(({ n }) => n),
      known.map((_, n) => n + 1)
    )
  })

  rule("what the script made happen is what is reported, and of what happened in silence nothing", function* () {
    const { events } = yield* Settled
    const movers = events.filter(({ one }) => one.status !== "not_a_mover")
    const [silent, reported] = [
      movers.filter(({ kind }) => kind.startsWith("silent")),
      movers.filter(({ kind }) => !kind.startsWith("silent"))
    ]
    assert.isNotEmpty(silent)
    assert.isNotEmpty(reported)
    for (const { one } of silent) assert.strictEqual(one.status, "unexplained", one.id)
    for (const { kind, one } of reported) {
      assert.deepStrictEqual([one.status, one.drivers[0]?.kind], ["explained", kind], one.id)
    }
  })

  it.effect("the same run is the same bytes, at the prices of now", () =>
    Effect.map(Settled, ({ twice: [first, again] }) => {
      const unpriced = (text: string) => text.replaceAll(/"price_usd":[^,]+/g, "")
      assert.strictEqual(unpriced(again.why.text), unpriced(first.why.text))
      assert.deepStrictEqual({ ...again.bitcoin, price_usd: 0 }, { ...first.bitcoin, price_usd: 0 })
    })
  )

  rule("two services over the same world at the same time say the same", function* () {
    // In which second of the start a run came is chance, and so are its prices; and each service has an address of its own.
    const comparable = ({ data }: Effect.Success<Setting["why"]>) =>
      JSON.stringify(
        data.movers.map((mover) => ({
          ...mover,
          first_explained_at: "",
          revised_at: "",
          price_usd: 0,
          citations: mover.citations.map((one) => (one.type === "coverage" ? { ...one, published_at: "" } : one))
        }))
      ).replaceAll(/127\.0\.0\.1:\d+|localhost:\d+/g, "")
    const other = yield* inTime((setting) => Effect.andThen(settle(setting), setting.why))
    assert.strictEqual(comparable(other), comparable((yield* Settled).why))
  })

  rule(
    "/v1/why/{id} of a mover is its row, and of a coin that is none its change, what it lacks, and one cited sentence",
    function* () {
      const {
        bitcoin,
        ones,
        tether,
        why: { data }
      } = yield* Settled
      for (const [n, one] of ones.entries()) {
        const { as_of, disclaimer, last_explanation, market, not_a_mover, ...row } = one
        assert.deepStrictEqual(row, data.movers[n])
        assert.deepStrictEqual([as_of, market, disclaimer], [data.as_of, data.market, data.disclaimer])
        assert.deepStrictEqual([not_a_mover, last_explanation], [null, null])
      }
      assert.strictEqual(tether.not_a_mover?.reason, "excluded_category")
      assert.strictEqual(bitcoin.status, "not_a_mover")
      assert.strictEqual(bitcoin.not_a_mover?.reason, "below_threshold")
      assert.isAbove(bitcoin.not_a_mover?.sigma ?? 0, 0)
      assert.isAtLeast(bitcoin.not_a_mover?.threshold_pct ?? 0, Math.max(5, Math.abs(bitcoin.change_24h ?? Infinity)))
      for (const coin of [tether, bitcoin]) {
        assert.lengthOf(coin.sentences, 1)
        assert.isEmpty(coin.drivers)
        assertSound(coin, coin.market)
      }
    }
  )

  rule("an unknown coin is a 404 with suggestions, an impossible one a 4xx", function* () {
    const { impossible, unknown } = yield* Settled
    const problem = yield* problemOf(unknown)
    assert.deepStrictEqual([problem.status, problem.code], [404, "unknown_coin"])
    assert.include(problem.suggestions?.map(({ id }) => id) ?? [], "bitcoin")
    assert.include([400, 404], impossible.status)
  })
})

/** The movers that are listed: no stablecoins, wrapped or staked coins, and never more than five each way. */
const listed = Effect.fnUntraced(function* (setting: Setting) {
  const { data } = yield* setting.why
  assert.isNotEmpty(data.movers)
  for (const mover of data.movers) {
    assert.isNull(byId(mover.id)?.peg ?? null, mover.id)
    assertSound(mover, data.market)
  }
  for (const side of ["up", "down"] as const) {
    assert.isAtMost(data.movers.filter(({ direction }) => direction === side).length, 5)
  }
  return data.movers
})

const timedRule = rulesWithin(inTime)

describe("through a day", () => {
  timedRule(
    "the list has no pegged coin, and one that left it is told with its last explanation, for six hours",
    function* (setting) {
      yield* settle(setting)
      const movers = yield* listed(setting)
      const gone = movers.find(({ drivers }) => drivers[0]?.kind === "delisting")
      if (gone === undefined) return assert.fail("no delisting")
      // Its fall of three in the morning is in the change of a day until three the next morning.
      yield* setting.time.skip("14 hours")
      yield* setting.time.pass("80 seconds")
      assert.isNull((yield* setting.one(gone.id)).not_a_mover)
      yield* listed(setting)
      yield* setting.time.skip("2 hours")
      yield* setting.time.pass("80 seconds")
      yield* setting.time.skip("31 minutes")
      yield* setting.time.pass("80 seconds")
      const after = yield* setting.one(gone.id)
      assert.strictEqual(after.status, "not_a_mover")
      assert.isEmpty(after.drivers)
      assert.strictEqual(after.last_explanation?.id, gone.id)
      assert.strictEqual(after.last_explanation?.status, "explained")
      yield* setting.time.skip("6 hours")
      yield* setting.time.pass("80 seconds")
      assert.isNull((yield* setting.one(gone.id)).last_explanation)
      yield* listed(setting)
    }
  )
})

describe("before the first run", () => {
  it.live("who asks at once gets the first figures", () =>
    inTime(({ why }) =>
      Effect.map(why, ({ data }) => {
        assert.isNotEmpty(data.movers)
        assert.isNumber(data.market.btc_change_24h)
      })
    )
  )

  timedRule("without any list of coins it is a 503 that says when to ask again", function* ({ service, set, time }) {
    yield* set(["COINGECKO", "COINPAPRIKA"], { fault: "refuse" })
    for (const path of ["/v1/why", "/v1/why/bitcoin"]) {
      const answer = yield* time.during(service.get(path))
      assert.strictEqual(answer.status, 503)
      assert.isAbove(Number(answer.headers["retry-after"]), 0)
    }
  })

  it.live("figures over half an hour old are served as what they are; after an hour there are none", () =>
    inTime(
      (setting) =>
        Effect.gen(function* () {
          yield* settle(setting)
          yield* setting.set(["COINGECKO", "COINPAPRIKA"], { fault: "refuse" })
          yield* setting.time.skip("45 minutes")
          yield* setting.time.pass("80 seconds")
          const { data, updated } = yield* setting.why
          assert.isAtMost(Date.parse(updated), AFTER_A_FALL + 120_000)
          assert.deepStrictEqual([...new Set(data.movers.map(({ status }) => status))], ["insufficient_coverage"])
          yield* setting.time.skip("20 minutes")
          const asked = setting.time.now()
          const { status } = yield* setting.time.during(setting.service.get("/v1/why"))
          assert.strictEqual(status, 503)
          assert.isBelow(setting.time.now() - asked, 1000)
        }),
      { config: { COINGECKO_PLAN: "demo" } }
    )
  )
})
