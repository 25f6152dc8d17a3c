import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Warnings from "../../src/domain/Warnings.ts"

it.effect("a matter is warned of once in each kind until it has passed, and tells whether it had failed", () => {
  const logged: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${message}`))
  return Effect.gen(function* () {
    const report = Warnings.make()
    const had = [
      yield* report("a file", undefined),
      yield* report("a file", "it is full", "full"),
      yield* report("a file", "it is full", "full"),
      yield* report("a file", "it is gone", "gone"),
      yield* report("another file", "it is full", "full"),
      yield* report("a file", "it is full", "full"),
      yield* report("a file", undefined),
      yield* report("a file", "it is full", "full")
    ]
    assert.deepStrictEqual(had, [false, false, true, true, false, true, true, false])
    const warned = logged.filter((line) => line.startsWith("Warn"))
    assert.deepStrictEqual(warned, ["Warn it is full", "Warn it is gone", "Warn it is full", "Warn it is full"])
  }).pipe(Effect.provide(Logger.layer([logger])))
})
