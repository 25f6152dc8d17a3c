// How `value` reads amounts.
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
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
