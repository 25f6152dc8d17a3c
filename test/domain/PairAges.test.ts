import { assert, describe, it } from "@effect/vitest"
import type { Pair } from "../../src/domain/Pair.ts"
import { ageOf, type DatedBy, noMemory } from "../../src/domain/PairAges.ts"

const EVERY = 20_000

const pair = (market: string, fields: Partial<Pair>): Pair => ({
  market,
  base: market,
  quote: "USD",
  bid: null,
  ask: null,
  last: 80,
  turnover: 1e6,
  observedAt: 0,
  ...fields
})

/** A pair that is quoted anew with each answer. */
const busy = (n: number): Pair => pair("BUSY", { bid: 100 + n / 1000, ask: 100.1 + n / 1000 })

/** Answers in a row, all pairs with the time of the answer unless they have their own: the times of each pair in the last one. */
const timesAfter = (datedBy: DatedBy, answers: ReadonlyArray<ReadonlyArray<Pair>>) => {
  let memory = noMemory
  let pairs: ReadonlyArray<Pair> = []
  for (const [n, answer] of answers.entries()) {
    const stamped = answer.map((one) => ({ ...one, observedAt: one.observedAt || n * EVERY }))
    ;({ memory, pairs } = ageOf(memory, stamped, datedBy))
  }
  return Object.fromEntries(pairs.map(({ market, observedAt }) => [market, observedAt / EVERY]))
}

/** Ten answers. */
const ten = (pairsOf: (n: number) => ReadonlyArray<Pair>) => Array.from({ length: 10 }, (_, n) => pairsOf(n))

describe("a pair of an exchange that dates only its answers", () => {
  const lastTimes = (halted: (n: number) => Pair) =>
    timesAfter(
      "answer",
      ten((n) => [busy(n), halted(n)])
    )

  it("is as old as its answer while bid and ask are at most 1 % apart", () => {
    assert.deepStrictEqual(
      lastTimes(() => pair("SMALL", { bid: 79.8, ask: 80.2 })),
      { BUSY: 9, SMALL: 9 }
    )
  })

  it("is left out while it shows no sign of life: no bid, no ask, both too far apart, crossed, a turnover that only falls", () => {
    for (const fields of [{}, { bid: 79 }, { ask: 81 }, { bid: 70, ask: 90 }, { bid: 80.1, ask: 80 }]) {
      assert.deepStrictEqual(
        lastTimes((n) => pair("HALTED", { ...fields, turnover: 1e6 - n })),
        { BUSY: 9 }
      )
    }
  })

  it("is as old as the last change of its bid, ask or last trade, or rise of its turnover", () => {
    for (const change of [{ bid: 70 }, { ask: 95 }, { last: 81 }, { turnover: 1e6 + 1 }]) {
      assert.deepStrictEqual(
        lastTimes((n) => pair("HALTED", n < 4 ? {} : change)),
        { BUSY: 9, HALTED: 4 }
      )
    }
  })
})

describe("an answer", () => {
  const at = (n: number): Pair => ({ ...busy(n), observedAt: 0 })

  it("that repeats an earlier one in all its pairs is as old as that one, whatever its date and whichever copy it is", () => {
    for (const datedBy of ["pair", "answer"] as const) {
      assert.deepStrictEqual(
        timesAfter(
          datedBy,
          ten((n) => [at(Math.min(n, 3))])
        ),
        { BUSY: 3 }
      )
      assert.deepStrictEqual(
        timesAfter(
          datedBy,
          ten((n) => [at(n < 3 ? n : n % 2)])
        ),
        { BUSY: 1 }
      )
    }
  })

  it("repeats an earlier one in any order of its pairs", () => {
    const pairs = ["A", "B", "C"].map((market) => pair(market, { bid: 80, ask: 80.1 }))
    assert.deepStrictEqual(
      timesAfter(
        "answer",
        ten((n) => (n % 2 === 0 ? pairs : pairs.toReversed()))
      ),
      { A: 0, B: 0, C: 0 }
    )
  })

  it("of an exchange that dates its pairs keeps their times", () => {
    const own = (n: number) => [busy(n), pair("HALTED", { observedAt: 2 * EVERY })]
    assert.deepStrictEqual(timesAfter("pair", ten(own)), { BUSY: 9, HALTED: 2 })
  })
})
