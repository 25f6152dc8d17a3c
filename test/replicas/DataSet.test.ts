// One process among several, as its feeds see it: whose turn it is and what the others saved is dictated.
import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Deferred, Effect, Fiber, Layer, Option, Schema, type Scope } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as Snapshot from "../../src/domain/Snapshot.ts"
import * as Budget from "../../src/sources/client/Budget.ts"
import * as DataSet from "../../src/sources/dataset/DataSet.ts"
import { alone, Replicas, type LeaseState } from "../../src/sources/dataset/Replicas.ts"

const NOW = Date.UTC(2026, 8, 13, 17)

const NAME = "test-figure"

const origin = "https://upstream.example"

/** A feed that is due each minute and counts 1, 2, 3…; the turn; and what others save. */
const setup = Effect.fnUntraced(function* (first: LeaseState, before?: number) {
  yield* TestClock.setTime(NOW)
  const store = yield* KeyValueStore.KeyValueStore
  let react: Effect.Effect<unknown> = Effect.void
  let turn = first
  let fetches = 0
  let gate: Effect.Effect<unknown> = Effect.void

  const saved = (value: number, at: number, observedAt = at) =>
    store.set(
      NAME,
      JSON.stringify({
        source: "Test",
        origin,
        observedAt: new Date(observedAt).toISOString(),
        retrievedAt: new Date(at).toISOString(),
        value
      })
    )
  if (before !== undefined) yield* saved(0, NOW - before)

  const fetch = Effect.gen(function* () {
    const value = ++fetches
    yield* gate
    const now = yield* DateTime.now
    return Snapshot.make({ value, source: "Test", observedAt: now, retrievedAt: now })
  })
  const feed = yield* DataSet.make({
    key: NAME,
    source: "Test",
    every: "1 minute",
    fetch,
    keeping: { origin, schema: Schema.Finite }
  }).pipe(
    Effect.provideService(Replicas, {
      ...alone,
      leaseState: () => Effect.sync(() => turn),
      onChange: (_name, next) => Effect.sync(() => void (react = next))
    })
  )
  const heard: Array<number> = []
  yield* Effect.andThen(feed.changed, Clock.currentTimeMillis).pipe(
    Effect.map((at) => void heard.push(at - NOW)),
    Effect.forever,
    Effect.forkScoped({ startImmediately: true })
  )
  const tell = Effect.andThen(
    Effect.suspend(() => react),
    TestClock.adjust(1)
  )
  return {
    feed,
    heard,
    tell,
    store,
    fetches: () => fetches,
    itIs: (next: LeaseState) => void (turn = next),
    holdUp: (next: Effect.Effect<unknown>) => void (gate = next),
    anotherSaves: (value: number, at: number, observedAt?: number) =>
      Effect.andThen(saved(value, at, observedAt), tell),
    figure: Effect.map(feed.get, ({ value }) => value),
    held: Effect.map(feed.last, (last) => Option.getOrUndefined(Option.map(last, ({ value }) => value)))
  }
})

const effect = (name: string, test: () => Effect.fn.Return<void, unknown, KeyValueStore.KeyValueStore | Scope.Scope>) =>
  it.effect(name, () => Effect.scoped(Effect.gen(test)).pipe(Effect.provide(Layer.fresh(KeyValueStore.layerMemory))))

describe("a feed among replicas", () => {
  effect("asks when it is its turn, and saves what it is told", function* () {
    const { fetches, figure, heard, store } = yield* setup("mine")
    assert.strictEqual(yield* figure, 1)
    assert.include(yield* store.get(NAME), '"value":1')
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* figure, 2)
    assert.strictEqual(fetches(), 2)
    assert.deepStrictEqual(heard, [], "its own answers are no news")
  })

  effect(
    "asks nobody while it is another's turn, and takes over what that one saves as soon as it hears of it",
    function* () {
      const { anotherSaves, fetches, figure, heard, held } = yield* setup("other", 30_000)
      assert.strictEqual(yield* figure, 0)
      yield* TestClock.adjust("40 seconds")
      // Ten seconds late is not too late.
      assert.strictEqual(yield* figure, 0)
      yield* anotherSaves(7, NOW + 40_000)
      assert.strictEqual(yield* held, 7)
      assert.deepStrictEqual(heard, [40_000])
      assert.strictEqual(fetches(), 0)
    }
  )

  effect("takes it over although the other's clock is some seconds ahead", function* () {
    const { anotherSaves, figure, held } = yield* setup("other", 30_000)
    yield* anotherSaves(7, NOW + 5000)
    assert.strictEqual(yield* held, 7)
    assert.strictEqual(yield* figure, 7)
  })

  effect(
    "fails, with what it holds still held, when the other brings nothing for too long, and then asks itself",
    function* () {
      const { feed, fetches, held } = yield* setup("other", 30_000)
      yield* TestClock.adjust("71 seconds")
      const failure = yield* Effect.flip(feed.get)
      assert.include(failure.message, "nothing new to the replica that has the lease")
      assert.strictEqual(yield* held, 0)
      yield* TestClock.adjust("108 seconds")
      yield* Effect.flip(feed.get)
      assert.strictEqual(fetches(), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* feed.get).value, 1)
    }
  )

  effect("says that it is worth asking again when a turn falls to it that another missed, and only then", function* () {
    const { figure, heard, itIs, tell } = yield* setup("other", 30_000)
    itIs("mine")
    yield* tell
    assert.deepStrictEqual(heard, [], "nobody wanted anything yet")
    itIs("other")
    yield* TestClock.adjust("40 seconds")
    yield* figure
    itIs("mine")
    yield* tell
    assert.strictEqual(heard.length, 1)
    assert.strictEqual(yield* figure, 1)
    yield* tell
    assert.strictEqual(heard.length, 1)
  })

  effect("holding nothing, waits some seconds for what another is about to bring", function* () {
    const { anotherSaves, fetches, figure } = yield* setup("other")
    const waiting = yield* Effect.forkChild(figure, { startImmediately: true })
    yield* TestClock.adjust("3 seconds")
    assert.isUndefined(waiting.pollUnsafe())
    yield* anotherSaves(7, NOW + 3000)
    yield* TestClock.adjust("200 millis")
    assert.strictEqual(yield* Fiber.join(waiting), 7)
    assert.strictEqual(fetches(), 0)
  })

  effect("and no longer than that, and only once", function* () {
    const { figure } = yield* setup("other")
    const waiting = yield* Effect.forkChild(Effect.exit(figure), { startImmediately: true })
    yield* TestClock.adjust("5 seconds")
    assert.isDefined(waiting.pollUnsafe())
    yield* Effect.flip(figure)
    yield* TestClock.adjust("175 seconds")
    assert.strictEqual(yield* figure, 1, "three intervals after it started")
  })

  effect("frozen in the middle of asking, takes what another brought meanwhile for the newer", function* () {
    const { anotherSaves, figure, holdUp, itIs, store } = yield* setup("mine")
    const gate = yield* Deferred.make<void>()
    holdUp(Deferred.await(gate))
    const asking = yield* Effect.forkChild(figure, { startImmediately: true })
    itIs("other")
    yield* TestClock.adjust("20 seconds")
    yield* anotherSaves(7, NOW + 15_000)
    yield* Deferred.succeed(gate, undefined)
    assert.strictEqual(yield* Fiber.join(asking), 7)
    assert.include(yield* store.get(NAME), '"value":7')
  })

  effect(
    "puts back what was lost from the store, and what is newer than there; damaged or foreign text it leaves alone",
    function* () {
      const { figure, store, tell } = yield* setup("mine")
      yield* figure
      yield* store.remove(NAME)
      yield* tell
      const text = (yield* store.get(NAME)) ?? ""
      assert.include(text, '"value":1')
      yield* store.set(NAME, text.replace("17:00:00", "16:00:00").replace("17:00:00", "16:00:00"))
      yield* tell
      assert.strictEqual(yield* store.get(NAME), text)
      const foreign = text.replace("Test", "Pest")
      yield* store.set(NAME, foreign)
      yield* tell
      assert.strictEqual(yield* store.get(NAME), foreign)
    }
  )

  effect("alone, holds back for three intervals where it holds something, and asks where it does not", function* () {
    const { fetches, figure } = yield* setup("unknown", 90_000)
    assert.strictEqual(yield* figure, 0)
    yield* TestClock.adjust("90 seconds")
    assert.strictEqual(yield* figure, 1)
    assert.strictEqual(fetches(), 1)
    const another = yield* setup("unknown", 4 * 60_000)
    assert.strictEqual(yield* another.figure, 1)
  })

  effect(
    "of two snapshots, the later observation with the later time of retrieval is held and saved, so that all hold the same",
    function* () {
      const { anotherSaves, held, feed, store } = yield* setup("mine")
      yield* feed.get
      // Retrieved later than the one held, and observed earlier.
      yield* anotherSaves(7, NOW + 500, NOW - 500)
      assert.strictEqual(yield* held, 1)
      const text = (yield* store.get(NAME)) ?? ""
      assert.include(text, `"value":1`)
      assert.include(text, new Date(NOW + 500).toISOString())
      yield* anotherSaves(8, NOW + 200, NOW + 100)
      assert.strictEqual(yield* held, 8)
      assert.include((yield* store.get(NAME)) ?? "", new Date(NOW + 500).toISOString())
    }
  )

  effect("what it is told replaces what it holds of a time to come: its clock was set back", function* () {
    const { fetches, figure } = yield* setup("mine")
    yield* figure
    yield* TestClock.setTime(NOW - 3_600_000)
    assert.strictEqual(yield* figure, 2)
    assert.strictEqual(fetches(), 2)
  })
})

describe("a budget that is shared", () => {
  const scripted = (waits: Array<number | undefined>) => {
    const said: Array<string> = []
    const shared: Budget.Counter = {
      take: (logs) =>
        Effect.sync(() => {
          said.push(`take ${logs.map(({ calls, key }) => `${key} ${calls}`).join()}`)
          const wait = waits.shift()
          return wait === undefined ? undefined : { wait, giveBack: Effect.sync(() => void said.push("give back")) }
        }),
      pause: (millis) => Effect.sync(() => void said.push(`pause ${millis}`))
    }
    /** The milliseconds until a call on behalf of a caller is allowed. */
    const onDemand = (budget: Budget.Budget) => Effect.map(budget.take("on_demand"), ({ wait }) => wait)
    return { onDemand, said, shared }
  }

  it.effect("a call refused for want of shared budget is not counted locally either", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { onDemand, shared } = scripted([500, 500, 0, 0])
      const budget = Budget.make([{ calls: 2, per: "1 minute" }], shared)
      assert.strictEqual(yield* onDemand(budget), 500)
      assert.strictEqual(yield* onDemand(budget), 500)
      assert.strictEqual(yield* onDemand(budget), 0)
      assert.strictEqual(yield* onDemand(budget), 0)
      assert.strictEqual(yield* onDemand(budget), 60_000)
    })
  )

  it.effect("a scheduled refresh waits for shared budget too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { said, shared } = scripted([3000, 0])
      const waiting = yield* Effect.forkChild(Budget.make([{ calls: 9, per: "1 minute" }], shared).take("scheduled"), {
        startImmediately: true
      })
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* Fiber.join(waiting)).wait, 0)
      assert.strictEqual(said.length, 2)
    })
  )

  it.effect(
    "while the others cannot be reached, its own allowances hold; pauses and what is given back are passed on",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(NOW)
        const { onDemand, said, shared } = scripted([undefined, 0])
        const budget = Budget.make([{ calls: 1, per: "1 minute" }], shared)
        assert.strictEqual(yield* onDemand(budget), 0)
        assert.strictEqual(yield* onDemand(budget), 60_000)
        yield* TestClock.adjust("1 minute")
        const { giveBack } = yield* budget.take("on_demand")
        yield* giveBack
        yield* budget.pause(1000)
        assert.strictEqual(yield* onDemand(budget), 1000)
        const take = "take 0:all 1,0:on-demand 1"
        assert.deepStrictEqual(said, [take, take, "give back", "pause 1000"])
      })
  )
})
