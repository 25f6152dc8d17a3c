// Records of reads that thousands of cached answers have in common are held once.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Dependencies, remembering, sharing, VersionedRef } from "../../../src/services/refresh/Dependencies.ts"
import { LONGEST_KEY } from "../../../src/domain/rememberEach.ts"
import { rule } from "../../rulesOf.ts"

const reading = (...refs: ReadonlyArray<VersionedRef<number>>): Dependencies => {
  const reads = new Dependencies()
  for (const ref of refs) reads.note(ref, 0)
  return reads
}

describe("shared records of reads", () => {
  it("are one record for the same reads", () => {
    const [a, b, shared] = [new VersionedRef(1), new VersionedRef(2), sharing()]
    const first = shared(reading(a, b))
    assert.strictEqual(shared(reading(a, b)), first)
    assert.notStrictEqual(shared(reading(a)), first)
    assert.notStrictEqual(shared(reading(b, a)), first)
  })

  it("are one record in whatever order hundreds of coins that expire by themselves are asked for", () => {
    const [list, rates, shared] = [new VersionedRef(1), new VersionedRef(2), sharing()]
    const coins = Array.from({ length: 300 }, () => Object.assign(new VersionedRef(3), { goodUntil: 60_000 }))
    const ofCoins = () => coins.map((coin) => shared(reading(list, coin, rates)))
    const first = ofCoins()
    assert.strictEqual(new Set(first).size, coins.length)
    assert.deepStrictEqual(
      ofCoins().map((record, n) => record === first[n]),
      coins.map(() => true)
    )
  })

  it("are another for a value that was replaced, or that may be used until another time", () => {
    const [a, b, shared] = [new VersionedRef(1), new VersionedRef(2), sharing()]
    const first = shared(reading(a, b))
    b.replace(3)
    const second = shared(reading(a, b))
    assert.notStrictEqual(second, first)
    assert.isFalse(first.isCurrent())
    assert.isTrue(second.isCurrent())
    a.goodUntil = 500
    assert.strictEqual(shared(reading(a, b)).goodUntil, 500)
    assert.strictEqual(second.goodUntil, Infinity)
  })
})

rule("results by input are bounded: where there are as many as may be, all are dropped", function* () {
  const found: Array<string> = []
  const find = remembering(2, String, (input: number) => Effect.sync(() => found.push(String(input))))
  yield* Effect.forEach([1, 2, 1, 3, 4, 1, 5, 1], find)
  assert.deepStrictEqual(found, ["1", "2", "3", "4", "1", "5"])
})

rule("results by input take no room for a failure, or under a key that is too long", function* () {
  const found: Array<string> = []
  const find = remembering(2, String, (input: string) =>
    input.startsWith("no") ? Effect.fail(input) : Effect.sync(() => found.push(input))
  )
  const long = "x".repeat(LONGEST_KEY + 1)
  yield* Effect.forEach(["a", "b"], find)
  yield* Effect.forEach(["no1", "no2", "no3"], (input) => Effect.flip(find(input)))
  yield* Effect.forEach([long, long, "a", "b"], find)
  assert.deepStrictEqual(found, ["a", "b", long, long])
})
