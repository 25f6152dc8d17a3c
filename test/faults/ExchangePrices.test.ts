// How old the prices of exchanges are in steady state. What a restart without aggregators leaves of them is in services/SpotPrices.test.ts.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { onlyNaira, withoutNews } from "../RunningService.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

const START = Date.UTC(2026, 10, 16, 12, 0, 30)

interface Row {
  readonly source: string
  readonly updated: string
}

/** The ages in seconds of the prices that exchanges made. */
const agesIn = (time: SimulatedTime.SimulatedTime, answers: ReadonlyArray<InProcessService.Answered>) =>
  answers.flatMap(({ status, text }) => {
    assert.strictEqual(status, 200, text)
    const { data }: { data: { coins: ReadonlyArray<Row> } } = JSON.parse(text)
    return data.coins
      .filter(({ source }) => source.includes(" + "))
      .map(({ updated }) => (time.now() - Date.parse(updated)) / 1000)
  })

it.effect("prices of exchanges are at most 30 s old while exchanges answer", () =>
  Effect.gen(function* () {
    const time = yield* SimulatedTime.make(START)
    const run = Effect.gen(function* () {
      const service = yield* InProcessService.make(time, { config: { ...withoutNews, ...onlyNaira } })
      yield* service.start
      yield* time.pass("2 minutes")
      const all: Array<number> = []
      for (let n = 0; n < 12; n++) {
        yield* time.pass("7 seconds")
        all.push(...agesIn(time, yield* service.ask(["/v1/coins?limit=250"])))
      }
      assert.isAbove(all.length, 12 * 100)
      assert.isAtMost(Math.max(...all), 30)
    })
    yield* time.live(run)
  }).pipe(Effect.scoped)
)
