// What a silent venue costs: its first market keeps the calls of the budget.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { HttpClient, HttpClientResponse } from "effect/http"
import { BitgetP2p } from "../../../src/sources/p2p/BitgetP2p.ts"

const NOBODY = JSON.stringify({ code: "00000", msg: "success", data: { dataList: [] } })

/** The seconds after a silence from the start in which each market has its first answer, and the calls that the silence cost. */
const after = Effect.fnUntraced(function* (silence: number) {
  let isSilent = true
  let calls = 0
  const http = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) => {
      calls++
      return isSilent ? Effect.never : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(NOBODY)))
    })
  )
  return yield* Effect.gen(function* () {
    const { p2p } = yield* BitgetP2p
    for (const set of p2p.values()) {
      yield* Effect.forkScoped(
        set.poll({
          question: set.key,
          judge: (result) =>
            Effect.succeed({ failure: Option.getOrUndefined(Result.getFailure(result)), isServed: false }),
          plan: () => {}
        }),
        { startImmediately: true }
      )
    }
    yield* TestClock.adjust(silence * 1000)
    const spent = calls
    isSilent = false
    const seconds = new Map<string, number>()
    for (let second = 1; second <= 120; second++) {
      yield* TestClock.adjust(1000)
      for (const [fiat, set] of p2p) {
        if (!seconds.has(fiat) && set.state().snapshot !== undefined) seconds.set(fiat, second)
      }
    }
    return { seconds, spent }
  }).pipe(Effect.provide(BitgetP2p.layerNoDeps.pipe(Layer.provide(http))), Effect.scoped)
})

describe("a venue that is silent from the start", () => {
  for (const silence of [25, 55]) {
    it.effect(`for ${silence} s has its first market within 16 s of its first answer, and the others soon`, () =>
      Effect.gen(function* () {
        const { seconds, spent } = yield* after(silence)
        assert.deepStrictEqual([...seconds.keys()].toSorted(), ["GHS", "KES", "NGN", "ZAR"])
        assert.isAtMost(seconds.get("NGN") ?? 999, 16, `after ${spent} calls`)
        assert.isAtMost(Math.max(...seconds.values()), 40)
      })
    )
  }
})
