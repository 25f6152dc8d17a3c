// Processes that share their runs, or cannot, without a Redis: which of them has the turn is scripted. The process and the number of its run stand in the source of the figures.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Layer, type Scope } from "effect"
import { KeyValueStore } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import * as WhyScheduler from "../../../src/services/why/WhyScheduler.ts"
import { alone, Replicas, type Turn } from "../../../src/sources/dataset/Replicas.ts"
import { atNoon, coin, instant, NOW } from "../scripted.ts"
import { figurePages } from "../../../src/sources/catalog/SourceCatalog.ts"

const prices = (factor: number): ReadonlyArray<number> =>
  Array.from({ length: 168 }, (_, hour) => 10 * (1 + 0.004 * Math.sin(hour * 1.3 * factor + hour * hour * 0.7)))

const history = new Map(
  ["bitcoin", "zephyra"].map((id, n) => [id, { id, end: instant(NOW), prices: prices(n + 1) }] as const)
)

const coins = CoinList.make([
  coin("bitcoin", { change_24h: 1, market_cap: 1e12, rank: 1, volume_24h: 1e10 }),
  coin("zephyra", { change_24h: -20, market_cap: 1e9, rank: 50, volume_24h: 1e8, name: "Zephyra Network" })
])

/** Processes over one store. */
const setup = Effect.fnUntraced(function* (shares = true) {
  yield* atNoon
  const store = yield* KeyValueStore.KeyValueStore
  const process = Effect.fnUntraced(function* (name: string, first: Turn) {
    let lease = first
    let gathering: Effect.Effect<unknown> = Effect.void
    /** When facts were gathered, in seconds. */
    const runs: Array<number> = []
    const seconds = Effect.map(DateTime.now, (now) => (now.epochMilliseconds - NOW) / 1000)
    const scheduler = yield* WhyScheduler.make({
      origin: "https://figures.example",
      maxAge: Duration.hours(1),
      volumeRatios: () => Effect.succeed(new Map()),
      facts: Effect.fnUntraced(function* () {
        runs.push(yield* seconds)
        yield* gathering
        const asOf = yield* DateTime.now
        return {
          asOf,
          market: {
            coins: CoinList.make(coins.coins.map((row) => ({ ...row, updated: asOf }))),
            global: null,
            history
          },
          source: `${name}${runs.length}`,
          observedAt: asOf,
          figurePages,
          gathered: { items: [], sourcesOk: 5, sourcesFailed: [], freshShare: 1 },
          publicUrl: "https://api.example"
        }
      })
    }).pipe(
      Effect.provideService(
        Replicas,
        shares
          ? {
              ...alone,
              // The text is its own version.
              look: Effect.forEach(({ key, version }) =>
                Effect.map(Effect.orDie(store.get(key)), (text = "") => ({
                  key,
                  text: lease === "unknown" || text === version ? undefined : text,
                  version: lease === "unknown" ? version : text,
                  turn: lease,
                  dueIn: Duration.zero
                }))
              ),
              settle: Effect.forEach(({ key, text = "" }) => Effect.as(Effect.orDie(store.set(key, text)), text))
            }
          : alone
      )
    )
    yield* scheduler.ask
    const mover = () => scheduler.shown.value?.run.value.movers[0]
    return {
      runs,
      run: () => scheduler.shown.value?.run,
      /** The process and run that explained, and what came of it. */
      shows: () => `${scheduler.shown.value?.run.source.split(" ")[0]} ${mover()?.status}`,
      explainedAt: () => mover()?.first_explained_at.epochMilliseconds,
      setLease: (next: Turn) => void (lease = next),
      /** What gathering facts waits for. */
      setGathering: (next: typeof gathering) => void (gathering = next)
    }
  })
  return { process, store }
})

/** A test over a store of its own. */
const rule = (name: string, test: () => Effect.fn.Return<void, unknown, KeyValueStore.KeyValueStore | Scope.Scope>) =>
  it.effect(name, () => Effect.gen(test).pipe(Effect.provide(Layer.fresh(KeyValueStore.layerMemory))))

/** Lets seconds pass one by one, with time for every fiber to do what is due. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds }), () => Effect.andThen(TestClock.adjust("1 second"), settled), {
    discard: true
  })

const minutes = (count: number) => pass(count * 60)

/** A run pauses after every slice of its work. */
const settled: Effect.Effect<unknown> = Effect.replicateEffect(Effect.yieldNow, 20)

describe("the scheduler of explanations", () => {
  rule("alone runs soon after its start and every five minutes, and saves nothing", function* () {
    const { process, store } = yield* setup(false)
    const one = yield* process("one", "mine")
    yield* pass(20)
    yield* minutes(10)
    assert.deepStrictEqual(one.runs, [0, 5, 10, 15, 20, 320, 620])
    assert.strictEqual(yield* store.size, 0)
  })

  rule("runs in one of several processes; the others show the same as soon as they hear of it", function* () {
    const { process } = yield* setup()
    const one = yield* process("one", "mine")
    yield* pass(25)
    const two = yield* process("two", "other")
    yield* pass(1)
    assert.strictEqual(two.shows(), "one5 unexplained")
    assert.deepStrictEqual(two.run(), one.run())
    yield* minutes(5)
    yield* pass(2)
    assert.strictEqual(two.shows(), "one6 unexplained")
    assert.deepStrictEqual(two.run(), one.run())
  })

  rule("without the turn and with nothing new for a quarter of an hour, runs; all show the latest run", function* () {
    const { process, store } = yield* setup()
    const two = yield* process("two", "other")
    yield* minutes(2)
    assert.strictEqual(two.shows(), "two1 unexplained")
    assert.deepStrictEqual(two.runs, [0])
    assert.strictEqual(yield* store.size, 1)
    const one = yield* process("one", "mine")
    yield* pass(1)
    assert.strictEqual(one.shows(), "two1 unexplained")
    yield* minutes(5)
    yield* pass(2)
    assert.strictEqual(two.shows(), "one2 unexplained")
    // It explains no more, and holds on to the turn.
    one.setLease("other")
    one.setGathering(Effect.never)
    yield* minutes(12)
    assert.strictEqual(two.shows(), "one2 unexplained")
    const ran = two.runs.length
    yield* minutes(2)
    assert.isAbove(two.runs.length, ran)
    assert.notStrictEqual(two.shows(), "one2 unexplained")
  })

  rule("after the turn and all else that is shared was lost, all show the later run, whoever leads", function* () {
    const { process, store } = yield* setup()
    const one = yield* process("one", "mine")
    const two = yield* process("two", "other")
    yield* pass(4)
    yield* pass(2)
    assert.deepStrictEqual(two.run(), one.run())
    // Both hold the lease for a moment: the run of the one is under way when the other gets it.
    yield* store.clear
    two.setLease("mine")
    yield* pass(1)
    one.setLease("other")
    assert.strictEqual(one.shows(), "one2 unexplained")
    yield* pass(2)
    yield* pass(2)
    assert.strictEqual(two.shows(), "one2 unexplained")
    assert.deepStrictEqual(two.run(), one.run())
  })

  rule("goes on in the process that gets the turn, with what was said since when", function* () {
    const { process } = yield* setup()
    const one = yield* process("one", "mine")
    yield* pass(25)
    const two = yield* process("two", "other")
    yield* minutes(5)
    yield* pass(2)
    assert.strictEqual(two.shows(), "one6 unexplained")
    one.setLease("other")
    two.setLease("mine")
    yield* pass(2)
    yield* minutes(4)
    assert.strictEqual(two.shows(), "one6 unexplained", "a run is not due yet")
    yield* minutes(1)
    yield* pass(2)
    assert.match(two.shows(), /^two/)
    assert.strictEqual(two.explainedAt(), NOW)
    assert.deepStrictEqual(one.run(), two.run())
  })

  rule("frozen in a run while another process gets the turn, neither shows nor passes on what it has", function* () {
    const { process, store } = yield* setup()
    const one = yield* process("one", "mine")
    yield* pass(25)
    const facts = yield* Deferred.make<void>()
    one.setGathering(Deferred.await(facts))
    yield* minutes(5)
    assert.deepStrictEqual(one.runs, [0, 5, 10, 15, 20, 320])
    const two = yield* process("two", "other")
    yield* pass(1)
    one.setLease("other")
    two.setLease("mine")
    yield* pass(2)
    const saved = yield* store.get("explanations")
    yield* Deferred.succeed(facts, undefined)
    yield* settled
    assert.match(two.shows(), /^two/)
    assert.deepStrictEqual(one.run(), two.run())
    assert.strictEqual(yield* store.get("explanations"), saved)
  })

  rule("saves again what the store lost, and does not show what is damaged or of figures from elsewhere", function* () {
    const { process, store } = yield* setup()
    yield* process("one", "mine")
    yield* pass(25)
    yield* store.clear
    yield* pass(2)
    const text = (yield* store.get("explanations")) ?? ""
    assert.include(text, "one5")
    for (const foreign of [text.replace("figures.example", "elsewhere.example"), text.slice(1), '{"value":{}}']) {
      yield* store.set("explanations", foreign)
      const two = yield* process("two", "other")
      yield* pass(1)
      assert.strictEqual(two.shows(), "two1 unexplained")
    }
  })

  rule("out of reach of the others, shows what they explained for a quarter of an hour, and then runs", function* () {
    const { process } = yield* setup()
    const one = yield* process("one", "mine")
    yield* pass(16)
    const two = yield* process("two", "other")
    yield* pass(1)
    assert.strictEqual(two.shows(), "one4 unexplained")
    one.setLease("other")
    two.setLease("unknown")
    yield* pass(2)
    yield* minutes(14)
    assert.strictEqual(two.shows(), "one4 unexplained")
    yield* minutes(2)
    assert.match(two.shows(), /^two/)
  })
})
