// The reader of CSV against an independent one, and what it does with what is no CSV.
import { assert, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { parse } from "csv-parse/sync"
import { type CsvRecord, LONGEST_RECORD, reader, written } from "../../src/cli/CsvRecords.ts"
import { rule } from "../rulesOf.ts"

/** What is read of a text that arrives in pieces of these lengths, over and over. */
const read = (text: string, ...lengths: ReadonlyArray<number>): ReadonlyArray<CsvRecord> => {
  const csv = reader()
  const found: Array<CsvRecord> = []
  for (let at = 0, n = 0; at < text.length; n++) {
    const length = lengths[n % lengths.length] ?? text.length
    found.push(...csv.push(text.slice(at, at + length)))
    at += length
  }
  return [...found, ...csv.end()]
}

const PIECES = ["a", "1.5", ",", ";", '"', "\n", "\r\n", "é", "=", " ", "\uD83D\uDE00", ""]

rule("reads what it writes, in any pieces, as an independent reader does", function* () {
  for (let round = 0; round < 300; round++) {
    const cell = Effect.map(
      Effect.forEach(Array.from({ length: yield* Random.nextIntBetween(0, 5) }), () => Random.choice(PIECES)),
      (pieces) => pieces.join("")
    )
    const rows = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.all([cell, cell, cell]))
    const separator = yield* Random.choice([",", ";", "\t"])
    const text = [["id", "x", "y"], ...rows].map((cells) => written(cells, separator)).join("")
    const lengths = [yield* Random.nextIntBetween(1, 9), yield* Random.nextIntBetween(1, 40)]
    const cells = read(text, ...lengths).map((record) => record.cells)
    const expected = parse(text, { delimiter: separator, record_delimiter: "\r\n" })
    assert.deepStrictEqual(cells, expected, JSON.stringify(text))
    assert.deepStrictEqual(cells.slice(1), rows)
  }
})

const HEADER = "id,asset\n"

it("passes over a record that is too long, in any pieces, and reads the next one", () => {
  for (const long of ["x".repeat(3 * LONGEST_RECORD), `"${"x\n".repeat(LONGEST_RECORD)}"`, `"${"x".repeat(90_000)}"`]) {
    for (const length of [1000, 65_536, Infinity]) {
      const found = read(`${HEADER}1,${long}\n2,b\n`, length)
      assert.include(["too_long", "wrong_quotes"], found[1]?.fault)
      assert.strictEqual(found[1]?.cells[0], "1")
      assert.deepStrictEqual(found.at(-1)?.cells, ["2", "b"])
    }
  }
})

it("a quotation mark that is not closed harms its own line alone", () => {
  for (const rest of ['2,"b"\n3,c\n', "2,b\n3,c\n", `2,b\n3,c\n${"4,d\n".repeat(20_000)}`]) {
    const found = read(`${HEADER}1,"a\n${rest}`, 5000)
    assert.deepStrictEqual(
      found.slice(1, 4).map(({ cells, fault }) => [cells.join("|").replaceAll('"', ""), fault]),
      [
        ["1|a", "wrong_quotes"],
        ["2|b", undefined],
        ["3|c", undefined]
      ]
    )
  }
})

it("knows the separator by the first line, and leaves out blank lines and a byte order mark", () => {
  assert.deepStrictEqual(
    read("\uFEFFid;x;a,b\r\n\r\n1;2;x,y\n\n", 1).map(({ cells }) => cells),
    [
      ["id", "x", "a,b"],
      ["1", "2", "x,y"]
    ]
  )
})
