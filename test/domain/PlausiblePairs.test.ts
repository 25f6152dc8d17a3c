import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import type { Pair } from "../../src/domain/Pair.ts"
import { spotPairs } from "../../src/domain/PlausiblePairs.ts"

const now = DateTime.makeUnsafe("2026-11-20T12:00:00Z")
const at = (seconds: number) => DateTime.add(now, { seconds })

const check = (pairs: ReadonlyArray<Pair>) => {
  const { leftOut, value: kept } = spotPairs(pairs, { now })
  return { kept, leftOut: Object.fromEntries(leftOut) }
}

describe("Plausible: the pairs of an exchange", () => {
  const pair = (n: number, base: string) =>
    ({ market: `${base}${n}`, base, quote: "USD", bid: 1, ask: 1, last: 1, turnover: 1e6, observedAt: 0 }) as const

  it("that are many of the same two symbols are left out, in any order", () => {
    const said = [pair(0, "ETH"), ...Array.from({ length: 9000 }, (_, n) => pair(n, "BTC")), pair(1, "ETH")]
    for (const pairs of [said, said.toReversed()]) {
      const { kept, leftOut } = check(pairs)
      assert.sameMembers(kept?.map(({ market }) => market) ?? [], ["ETH0", "ETH1"])
      assert.deepStrictEqual(leftOut, { market: 9000 })
    }
  })

  it("stamped up to a minute ahead count as of now; stamped later they are left out", () => {
    const stamped = [-5, 0, 60, 61].map((ahead, n) => ({ ...pair(n, "BTC"), observedAt: at(ahead).epochMilliseconds }))
    const { kept, leftOut } = check(stamped)
    assert.deepStrictEqual(
      kept?.map(({ observedAt }) => observedAt),
      [-5, 0, 0].map((ahead) => at(ahead).epochMilliseconds)
    )
    assert.deepStrictEqual(leftOut, { updated: 1 })
  })
})
