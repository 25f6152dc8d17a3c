// The prices of exchanges in steady state and after a restart: how old they are, and that they do not need the aggregators again.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onlyNaira, withoutNews } from "../RunningService.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

const START = Date.UTC(2026, 10, 16, 12, 0, 30)

interface Row {
  readonly id: string
  readonly source: string
  readonly updated: string
}

/** The coins of a page with a price of exchanges, and the age of each price in seconds. */
const agesIn = (
  time: SimulatedTime.SimulatedTime,
  answers: ReadonlyArray<InProcessService.Answered>
): ReadonlyMap<string, number> =>
  new Map(
    answers.flatMap(({ status, text }) => {
      assert.strictEqual(status, 200, text)
      const { data }: { data: { coins: ReadonlyArray<Row> } } = JSON.parse(text)
      return data.coins
        .filter(({ source }) => source.includes(" + "))
        .map(({ id, updated }) => [id, (time.now() - Date.parse(updated)) / 1000] as const)
    })
  )

/** A service that has run for two minutes, in simulated time. */
const running = <E>(
  use: (given: {
    readonly service: InProcessService.Service
    readonly time: SimulatedTime.SimulatedTime
    readonly ages: Effect.Effect<ReadonlyMap<string, number>>
  }) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const time = yield* SimulatedTime.make(START)
    const run = Effect.gen(function* () {
      const service = yield* InProcessService.make(time, { config: { ...withoutNews, ...onlyNaira } })
      const page = service.ask(["/v1/coins?limit=250"])
      yield* service.start
      yield* time.pass("2 minutes")
      yield* use({ service, time, ages: Effect.map(page, (answers) => agesIn(time, answers)) })
    })
    yield* time.live(run)
  }).pipe(Effect.scoped)

describe("prices of exchanges", () => {
  it.effect("are at most 30 s old while exchanges answer", () =>
    running(
      Effect.fnUntraced(function* ({ ages, time }) {
        const all: Array<number> = []
        for (let n = 0; n < 24; n++) {
          yield* time.pass("7 seconds")
          all.push(...(yield* ages).values())
        }
        assert.isAbove(all.length, 24 * 100)
        assert.isAtMost(Math.max(...all), 30)
      })
    )
  )

  it.effect("are there after a restart without aggregators, of each coin that had one, within two polls", () =>
    running(
      Effect.fnUntraced(function* ({ ages, service, time }) {
        const before = yield* ages
        service.distort((upstream, body) => (upstream.startsWith("COIN") ? "refuse" : body))
        yield* service.start
        yield* time.pass("40 seconds")
        const after = yield* ages
        assert.isAbove(before.size, 100)
        assert.deepStrictEqual(
          [...before.keys()].filter((id) => (after.get(id) ?? Infinity) > 30),
          []
        )
      })
    )
  )
})
