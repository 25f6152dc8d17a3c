// Call budgets that processes share.
import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Budget from "../../src/sources/client/Budget.ts"
import { rule } from "../rulesOf.ts"

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

  rule("a call refused for want of shared budget is not counted locally either", function* () {
    const { onDemand, shared } = scripted([500, 500, 0, 0])
    const budget = yield* Budget.make([{ calls: 2, per: "1 minute", onDemand: 2 }], shared)
    assert.strictEqual(yield* onDemand(budget), 500)
    assert.strictEqual(yield* onDemand(budget), 500)
    assert.strictEqual(yield* onDemand(budget), 0)
    assert.strictEqual(yield* onDemand(budget), 0)
    assert.strictEqual(yield* onDemand(budget), 60_000)
  })

  rule("a scheduled refresh waits for shared budget too", function* () {
    const { said, shared } = scripted([3000, 0])
    const { take } = yield* Budget.make([{ calls: 9, per: "1 minute", onDemand: 9 }], shared)
    const waiting = yield* Effect.forkChild(take("scheduled"), { startImmediately: true })
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual((yield* Fiber.join(waiting)).wait, 0)
    assert.strictEqual(said.length, 2)
  })

  rule(
    "while the others cannot be reached, its own allowances hold; pauses and what is given back are passed on",
    function* () {
      const { onDemand, said, shared } = scripted([undefined, 0])
      const budget = yield* Budget.make([{ calls: 1, per: "1 minute", onDemand: 1 }], shared)
      assert.strictEqual(yield* onDemand(budget), 0)
      assert.strictEqual(yield* onDemand(budget), 60_000)
      yield* TestClock.adjust("1 minute")
      const { giveBack } = yield* budget.take("on_demand")
      yield* giveBack
      yield* budget.pause(1000)
      assert.strictEqual(yield* onDemand(budget), 1000)
      const take = "take 0:all 1,0:on-demand 1"
      assert.deepStrictEqual(said, [take, take, "give back", "pause 1000"])
    }
  )
})
