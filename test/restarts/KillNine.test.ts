// `kill -9` at random moments; `node test/restarts/killNine.ts 500` does the same for longer.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layerWorld } from "../cli/ServingProcess.ts"
import * as Rounds from "./Rounds.ts"

describe("kill -9", () => {
  it.live(
    "at 8 random moments under load loses no key, tears no file, and the next start serves at once",
    () =>
      Effect.gen(function* () {
        const tally = yield* Rounds.run(8)
        assert.isAtLeast(tally.keys, 4)
        assert.isAbove(tally.answers, 20)
        assert.isAbove(tally.snapshotWrites, 20)
        assert.isAtMost(tally.strays, 16)
      }).pipe(Effect.scoped, Effect.provide(layerWorld)),
    120_000
  )
})
