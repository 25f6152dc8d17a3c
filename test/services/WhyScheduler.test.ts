// Processes that share their runs, or cannot, without any Redis: whose turn it is and what they hear is dictated.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Layer, PubSub, type Scope, Stream } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as CoinList from "../../src/domain/CoinList.ts"
import type { Explanation } from "../../src/why/Explanation.ts"
import type { RunFacts } from "../../src/services/WhyInputs.ts"
import * as WhyScheduler from "../../src/services/WhyScheduler.ts"
import { Replicas, type LeaseState } from "../../src/sources/dataset/Replicas.ts"
import { atNoon, coin, instant, NOW } from "./scripted.ts"

const said = (headline: string): Explanation => ({
  id: "zephyra",
  symbol: "ZPH",
  name: "Zephyra",
  rank: 50,
  direction: "down",
  price_usd: 1,
  change_24h: -20,
  volume_24h_usd: null,
  volume_ratio_7d: null,
  status: "explained",
  verdict: "coin_specific",
  headline,
  summary: "",
  sentences: [],
  drivers: [],
  watch: [],
  decomposition: { market: 0, sector: 0, coin: -20, beta: 1, onset_at: null, sharp: false },
  confidence: { level: "high", score: 1, reasons: [] },
  citations: [],
  coverage: {
    items_considered: 0,
    items_linked: 0,
    sources_ok: 5,
    sources_failed: [],
    window_hours: 96,
    newest_item_at: null
  }
})

const factsNow = Effect.map(DateTime.now, (asOf): RunFacts => {
  const history = new Map([["bitcoin", { id: "bitcoin", end: instant(NOW), prices: [1] }]])
  return {
    asOf,
    market: { coins: CoinList.make([coin("bitcoin", { change_24h: 1 })]), global: null, history },
    source: "CoinGecko",
    observedAt: asOf,
    gathered: { items: [], sourcesOk: 5, sourcesFailed: [], freshShare: 1 },
    publicUrl: "https://api.example"
  }
})

/** Processes over one store. Each run of a process says its name and the number of the run. */
const setup = Effect.fnUntraced(function* (shares = true) {
  yield* atNoon
  const store = yield* KeyValueStore.KeyValueStore
  const news = yield* PubSub.unbounded<void>()
  const process = Effect.fnUntraced(function* (name: string, first: LeaseState) {
    let turn = first
    let breath: Effect.Effect<unknown> = Effect.void
    const runs: Array<{ readonly at: number; readonly asks: boolean }> = []
    const rounds = yield* WhyScheduler.make({
      origin: "https://figures.example",
      maxAge: Duration.hours(1),
      factsNow: () => factsNow,
      run: Effect.fnUntraced(function* ({ asks, memory, show }) {
        const facts = yield* factsNow
        runs.push({ asks, at: (facts.asOf.epochMilliseconds - NOW) / 1000 })
        const view = (text: string) => memory.dated(said(text), facts.asOf)
        yield* show(facts, [view(`${name}${runs.length}`)])
        yield* breath
        yield* show(facts, [view(`${name}${runs.length}, better`)])
        return facts
      })
    }).pipe(
      Effect.provideService(
        Replicas,
        shares
          ? {
              leaseState: () => Effect.sync(() => turn),
              changes: () => Stream.fromPubSub(news),
              budget: () => ({ take: () => Effect.succeed(0), giveBack: () => Effect.void, pause: () => Effect.void }),
              lookups: () => ({ look: () => Effect.undefined, acquire: Effect.undefined })
            }
          : undefined
      )
    )
    // Somebody asks at once; the first run would else wait a second.
    yield* rounds.ask
    return {
      runs,
      itIs: (next: LeaseState) => void (turn = next),
      holdUp: (next: typeof breath) => void (breath = next),
      says: () => rounds.held.value?.run.value.movers[0]?.headline,
      held: () => rounds.held.value,
      since: () => rounds.held.value?.run.value.movers[0]?.first_explained_at.epochMilliseconds
    }
  })
  const tell = Effect.andThen(PubSub.publish(news, undefined), TestClock.adjust(1))
  return { process, store, tell }
})

const effect = (name: string, test: Effect.Effect<void, unknown, KeyValueStore.KeyValueStore | Scope.Scope>) =>
  it.effect(name, () => test.pipe(Effect.scoped, Effect.provide(Layer.fresh(KeyValueStore.layerMemory))))

/** So many minutes and a little. */
const pass = (minutes: number) => TestClock.adjust(minutes * 60_000 + 100)

describe("rounds of explanations", () => {
  effect(
    "alone in the world a process runs soon after its start and every five minutes, and keeps nothing",
    Effect.gen(function* () {
      const { process, store } = yield* setup(false)
      const one = yield* process("one", "mine")
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(
        one.runs.map(({ asks, at }) => [asks, at]),
        [0, 5, 10, 15, 20].map((at) => [at >= 20, at])
      )
      yield* pass(10)
      assert.strictEqual(one.runs.length, 7)
      assert.strictEqual(yield* store.size, 0)
    })
  )

  effect(
    "of several, one runs; the others show what it shows as soon as they hear of it, also when it gets better",
    Effect.gen(function* () {
      const { process, tell } = yield* setup()
      const one = yield* process("one", "mine")
      yield* TestClock.adjust("21 seconds")
      const two = yield* process("two", "anothers")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(two.held()?.run, one.held()?.run)
      const gate = yield* Deferred.make<void>()
      one.holdUp(Deferred.await(gate))
      yield* pass(5)
      yield* tell
      assert.strictEqual(one.says(), "one6")
      assert.deepStrictEqual(two.held()?.run, one.held()?.run)
      yield* Deferred.succeed(gate, undefined)
      yield* tell
      assert.strictEqual(two.says(), "one6, better")
      assert.deepStrictEqual(two.held()?.run, one.held()?.run)
      assert.deepStrictEqual(two.runs, [])
    })
  )

  effect(
    "who holds nothing while another should have explained does so itself, for itself, and asks nobody",
    Effect.gen(function* () {
      const { process, store, tell } = yield* setup()
      const two = yield* process("two", "anothers")
      yield* pass(2)
      assert.deepStrictEqual(two.runs, [{ asks: false, at: 0 }])
      assert.strictEqual(yield* store.size, 0)
      const one = yield* process("one", "mine")
      yield* TestClock.adjust(1)
      yield* tell
      assert.strictEqual(two.says(), one.says())
      one.holdUp(Effect.never)
      yield* pass(16)
      assert.strictEqual(two.runs.length, 2)
      assert.isFalse(two.runs[1]?.asks)
    })
  )

  effect(
    "when it falls to another, that one goes on: what was said since when is known to it",
    Effect.gen(function* () {
      const { process, tell } = yield* setup()
      const one = yield* process("one", "mine")
      yield* TestClock.adjust("22 seconds")
      const two = yield* process("two", "anothers")
      yield* pass(5)
      yield* tell
      one.itIs("anothers")
      two.itIs("mine")
      yield* tell
      assert.deepStrictEqual(two.runs, [], "it is not due yet")
      yield* pass(5)
      yield* tell
      assert.strictEqual(two.says(), "two1, better")
      assert.strictEqual(two.since(), NOW)
      assert.strictEqual(two.runs.length, 1)
      assert.deepStrictEqual(one.held()?.run, two.held()?.run)
    })
  )

  effect(
    "frozen in the middle of a run, it does not put it above what another has shown meanwhile",
    Effect.gen(function* () {
      const { process, tell } = yield* setup()
      const one = yield* process("one", "mine")
      const gate = yield* Deferred.make<void>()
      one.holdUp(Deferred.await(gate))
      const two = yield* process("two", "anothers")
      one.itIs("anothers")
      two.itIs("mine")
      yield* pass(5)
      yield* tell
      const newest = two.says()
      assert.include(newest, "two")
      yield* Deferred.succeed(gate, undefined)
      yield* tell
      assert.strictEqual(one.says(), newest)
    })
  )

  effect(
    "what was lost from the store is there again, and what is damaged or over other figures is not shown",
    Effect.gen(function* () {
      const { process, store, tell } = yield* setup()
      yield* process("one", "mine")
      yield* TestClock.adjust("22 seconds")
      yield* store.clear
      yield* tell
      const text = (yield* store.get("explanations")) ?? ""
      assert.include(text, "one5, better")
      for (const foreign of [text.replace("figures.example", "elsewhere.example"), text.slice(1), '{"value":{}}']) {
        yield* store.set("explanations", foreign)
        const two = yield* process("two", "anothers")
        yield* TestClock.adjust(1)
        assert.strictEqual(two.says(), "two1, better")
      }
    })
  )

  effect(
    "out of reach of the others, one that has their explanations makes do with them for a quarter of an hour, and then runs",
    Effect.gen(function* () {
      const { process, tell } = yield* setup()
      const one = yield* process("one", "mine")
      const two = yield* process("two", "anothers")
      yield* tell
      one.holdUp(Effect.never)
      two.itIs("alone")
      yield* tell
      yield* pass(14)
      assert.deepStrictEqual(two.runs, [])
      yield* pass(2)
      assert.deepStrictEqual(
        two.runs.map(({ asks }) => asks),
        [true]
      )
    })
  )
})
