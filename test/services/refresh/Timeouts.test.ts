import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { collecting } from "../../../src/services/refresh/Timeouts.ts"

/** What is warned of after so many sources were late, half a second apart at most. */
const warned = Effect.fnUntraced(function* (count: number) {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void (logLevel === "Warn" && lines.push(String(message))))
  yield* Effect.gen(function* () {
    const warn = yield* collecting
    for (let n = 1; n <= count; n++) {
      yield* warn(`source ${n} was late`)
      yield* TestClock.adjust(500 / count)
    }
    yield* TestClock.adjust("2 seconds")
    yield* warn("another was late")
    yield* TestClock.adjust("2 seconds")
  }).pipe(Effect.provide(Logger.layer([logger])), Effect.scoped)
  return lines
})

describe("sources that are late", () => {
  it.effect("have a line each while they are few", () =>
    Effect.map(warned(4), (lines) => {
      assert.deepStrictEqual(lines, [1, 2, 3, 4].map((n) => `source ${n} was late`).concat("another was late"))
    })
  )

  it.effect("have one line if they are many at once, which asks whether the machine is overloaded", () =>
    Effect.map(warned(26), ([first, ...others]) => {
      assert.match(first ?? "", /^26 polls .* is this machine overloaded/)
      assert.deepStrictEqual(others, ["another was late"])
    })
  )
})
