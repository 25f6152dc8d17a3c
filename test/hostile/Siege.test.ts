import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { layerWorld } from "../cli/ServingProcess.ts"
import { allFine } from "../replicas/Endpoints.ts"
import * as Siege from "./Siege.ts"

const isServerError = (status: string) => status.startsWith("5")

it.live("idle, hurried and senseless clients get what is theirs, and nobody else notices", () =>
  Effect.gen(function* () {
    const { before, code, errors, outcomes, statuses, stderr } = yield* Siege.run({
      idle: 1000,
      room: 300,
      pipelined: 100,
      random: 1000
    })
    for (const { answered, attack, callers, memory } of outcomes) {
      assert.deepStrictEqual(Object.keys(answered).filter(isServerError), [], attack)
      assert.deepStrictEqual(Object.keys(callers), ["200"], attack)
      assert.isBelow(memory.highest - before.highest, 250, attack)
    }
    const [idle, hurried] = outcomes.map(({ answered }) => answered)
    assert.deepStrictEqual([idle, hurried], [{ 200: 1000 }, { 200: 100 }])
    assert.deepStrictEqual([statuses, code, errors, stderr], [allFine, 0, [], ""])
  }).pipe(Effect.scoped, Effect.provide(layerWorld))
)
