// How `value` reads amounts and times.
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, DateTime } from "effect"
import { askedIn, columnsOf } from "../../src/cli/ValueRows.ts"

const columns = columnsOf(["asset", "amount", "time"], [])

/** The amount that a text means, or why it is refused. */
const amountOf = (text: string, hasDecimalComma: boolean): string => {
  assert(typeof columns !== "string")
  const reading = { zone: undefined, hasDecimalComma }
  const asked = askedIn({ cells: ["bitcoin", text, "2026-11-13"] }, columns, reading, Date.parse("2026-11-20"))
  return typeof asked === "string" ? asked : BigDecimal.format(asked.amount)
}

describe("an amount in a row", () => {
  const amounts = [
    ["1234.5", "1234.5", "1234.5"],
    ["1234,5", "1234.5", "1234.5"],
    ["0.125", "0.125", "0.125"],
    ["-0,125", "-0.125", "-0.125"],
    ["1,234", "may mean thousands", "1.234"],
    ["1.234", "1.234", "may mean thousands"],
    ["25.000", "25", "may mean thousands"],
    ["+1.234.567", "not a plain decimal", "may mean thousands"],
    ["1,234,567", "may mean thousands", "not a plain decimal"],
    ["1.234,50", "not a plain decimal", "1234.5"],
    ["-1,234,567.5", "-1234567.5", "not a plain decimal"],
    ["1.23,50", "not a plain decimal", "not a plain decimal"]
  ] as const
  for (const [text, byPoint, byComma] of amounts) {
    it(`${text} with a decimal point, and with --decimal-comma`, () => {
      assert.include(amountOf(text, false), byPoint)
      assert.include(amountOf(text, true), byComma)
    })
  }
})

describe("a time in a row", () => {
  const times = [
    ["2026-11-20T00:00:00Z", "taken"],
    ["2026-11-20T00:00:01Z", "The time is in the future."],
    ["2026-10-25 02:30", "happened twice, or not at all"],
    ["2026-03-29 02:30", "happened twice, or not at all"],
    ["2026-10-25 02:30+01:00", "taken"]
  ] as const
  for (const [time, found] of times) {
    it(`${time} on 2026-11-20, with --zone Europe/Berlin: ${found}`, () => {
      assert(typeof columns !== "string")
      const reading = { zone: DateTime.zoneMakeNamedUnsafe("Europe/Berlin"), hasDecimalComma: false }
      const asked = askedIn({ cells: ["bitcoin", "1", time] }, columns, reading, Date.parse("2026-11-20"))
      assert.include(typeof asked === "string" ? asked : "taken", found)
    })
  }
})
