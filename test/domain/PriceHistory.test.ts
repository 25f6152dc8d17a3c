import { assert, it } from "@effect/vitest"
import { DateTime } from "effect"
import { closesIn } from "../../src/domain/PriceHistory.ts"

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 10, 20)

it("closes by hourly prices are between the two around the end of a day, and none of a day that the week does not reach", () => {
  const end = DateTime.makeUnsafe(TODAY + 30 * 60_000)
  const rising = Array.from({ length: 48 }, (_, n) => n)
  assert.deepStrictEqual(closesIn({ id: "a", end, prices: rising }, DAY), [
    { bucket: TODAY - 2 * DAY, close: 22.5 },
    { bucket: TODAY - DAY, close: 46.5 }
  ])
  assert.deepStrictEqual(closesIn({ id: "a", end, prices: [] }, DAY), [])
})
