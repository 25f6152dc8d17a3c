// The window of a fixing, and the rate that is made of what was observed in it.
import { assert, it } from "@effect/vitest"
import { fixedRate, type FixingPart, fixingTimes, zoneOf } from "../../src/domain/Fixing.ts"

// Cairo and Havana change at midnight, Beirut too; Mumbai is 5.5 hours ahead, and never changes.
it.each<readonly [fiat: string, first: string, ahead: ReadonlyArray<number>]>([
  ["NGN", "2026-03-28", [1, 1, 1]],
  ["EGP", "2026-10-28", [3, 3, 2, 2]],
  ["EGP", "2026-04-22", [2, 2, 3, 3]],
  ["CUP", "2026-03-06", [-5, -5, -4, -4]],
  ["CUP", "2025-10-31", [-4, -4, -5, -5]],
  ["LBP", "2026-03-27", [2, 2, 3, 3]],
  ["INR", "2028-02-27", [5.5, 5.5, 5.5, 5.5]]
])("of %s ends at 16:00 of the market's own time from %s on, and is due five minutes later", (fiat, first, ahead) => {
  for (const [n, hours] of ahead.entries()) {
    const day = Date.parse(first) + n * 86_400_000
    const to = day + (16 - hours) * 3_600_000
    const found = fixingTimes(zoneOf(fiat), new Date(day).toISOString().slice(0, 10))
    assert.deepStrictEqual(found, { from: to - 3_600_000, to, due: to + 300_000 })
  }
})

/** Parts of an hour, twelve unless `skipped`, with mids from 1000 on. */
const hour = (skipped: number, fields: (n: number) => Partial<FixingPart> = () => ({})) =>
  Array.from({ length: 12 }, (_, n): FixingPart => {
    return { observedAt: n, mid: 1000 + n, confidence: "high", kind: "p2p", source: "A", method: null, ...fields(n) }
  }).slice(skipped)

it.each<readonly [what: string, parts: ReadonlyArray<FixingPart>, rate: number | null, reason: string | null]>([
  ["the mean of its parts", hour(0), 1005.5, null],
  ["the mean of nine", hour(3), 1007, null],
  ["none of eight", hour(4), null, "too_few_parts"],
  ["none of nothing", [], null, "too_few_parts"],
  ["none with a doubtful part", hour(0, (n) => (n === 5 ? { confidence: "low" } : {})), null, "low_confidence"],
  ["none with a part of unknown confidence", hour(0, () => ({ confidence: null })), null, "low_confidence"],
  ["the P2P venues' beside an order book's", hour(0, (n) => (n === 11 ? { kind: "order_book" } : {})), 1005, null],
  ["order books' alone", hour(0, () => ({ kind: "order_book" })), 1005.5, null]
])("is %s", (_, parts, rate, reason) => {
  const found = fixedRate(parts)
  assert.deepStrictEqual([found.rate, found.reason], [rate, reason])
})
