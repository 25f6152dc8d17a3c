// When explanations are made, and what a run that fails does to the next.
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as CoinList from "../../../src/domain/CoinList.ts"
import * as WhyScheduler from "../../../src/services/why/WhyScheduler.ts"
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

const setup = Effect.gen(function* () {
  yield* atNoon
  let gathering: Effect.Effect<unknown> = Effect.void
  /** When facts were gathered, in seconds. */
  const runs: Array<number> = []
  const scheduler = yield* WhyScheduler.make({
    maxAge: Duration.hours(1),
    volumeRatios: () => Effect.succeed(new Map()),
    facts: Effect.fnUntraced(function* () {
      const asOf = yield* DateTime.now
      runs.push((asOf.epochMilliseconds - NOW) / 1000)
      yield* gathering
      return {
        asOf,
        market: { coins: CoinList.make(coins.coins.map((row) => ({ ...row, updated: asOf }))), global: null, history },
        source: `run${runs.length}`,
        observedAt: asOf,
        figurePages,
        gathered: { items: [], sourcesOk: 5, sourcesFailed: [], freshShare: 1 },
        publicUrl: "https://api.example"
      }
    })
  })
  yield* scheduler.ask
  const mover = () => scheduler.shown.value?.run.value.movers[0]
  return {
    runs,
    /** The run that explained, and what came of it. */
    shows: () => `${scheduler.shown.value?.run.source.split(" ")[0]} ${mover()?.status}`,
    explainedAt: () => mover()?.first_explained_at.epochMilliseconds,
    /** What gathering facts waits for. */
    setGathering: (next: typeof gathering) => void (gathering = next)
  }
})

/** Lets seconds pass one by one, with time for every fiber to do what is due. A run pauses after every slice of its work. */
const pass = (seconds: number) =>
  Effect.forEach(
    Array.from({ length: seconds }),
    () => Effect.andThen(TestClock.adjust("1 second"), Effect.replicateEffect(Effect.yieldNow, 20)),
    { discard: true }
  )

describe("the scheduler of explanations", () => {
  it("runs every five minutes once everything is there, sooner after a start and while something is missing", () => {
    const pauses = (complete: boolean) =>
      [0, 19_999, 20_000, 179_999, 180_000, Infinity].map((uptime) =>
        Duration.toSeconds(WhyScheduler.pauseAfter(uptime, complete))
      )
    assert.deepStrictEqual(pauses(true), [5, 5, 300, 300, 300, 300])
    assert.deepStrictEqual(pauses(false), [1, 1, 5, 5, 60, 60])
  })

  it.effect("runs soon after its start and every five minutes; an explanation keeps the time of the first", () =>
    Effect.gen(function* () {
      const { explainedAt, runs, shows } = yield* setup
      yield* pass(20 + 600)
      assert.deepStrictEqual(runs, [0, 5, 10, 15, 20, 320, 620])
      assert.strictEqual(shows(), "run7 unexplained")
      assert.strictEqual(explainedAt(), NOW)
    })
  )

  it.effect("goes on showing the last run when a later one has a bug, and runs again", () =>
    Effect.gen(function* () {
      const { runs, setGathering, shows } = yield* setup
      yield* pass(320)
      setGathering(Effect.die("a bug"))
      yield* pass(300)
      assert.strictEqual(shows(), "run6 unexplained")
      setGathering(Effect.void)
      yield* pass(60)
      assert.deepStrictEqual(runs.slice(-2), [620, 680])
      assert.strictEqual(shows(), "run8 unexplained")
    })
  )
})
