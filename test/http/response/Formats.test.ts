import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { parse } from "csv-parse/sync"
import { jsonFigure } from "../../../src/domain/JsonNumber.ts"
import { csv } from "../../../src/http/response/Csv.ts"
import { commodityOf, priceDirectives } from "../../../src/http/response/PriceDirectives.ts"

describe("Formats: CSV", () => {
  it.effect.prop(
    "is read back by a parser that is not ours, cell by cell",
    { cells: Schema.Array(Schema.Union([Schema.String, Schema.Finite, Schema.Null])) },
    ({ cells: drawn }) =>
      Effect.sync(() => {
        // A body is UTF-8, which has no lone surrogates.
        const cells = drawn.map((cell) => (typeof cell === "string" ? cell.toWellFormed() : cell))
        const rows = cells.map((cell) => ({ id: "x", cell: typeof cell === "number" ? jsonFigure(cell) : cell }))
        const text = csv(["id", "cell"], rows)
        const read: ReadonlyArray<ReadonlyArray<string>> = parse(text, { record_delimiter: "\r\n" })
        const expected = cells.map((cell) => {
          if (cell === null) return ""
          if (typeof cell === "number") return cell
          return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
        })
        assert.deepStrictEqual(read[0], ["id", "cell"])
        assert.deepStrictEqual(
          read.slice(1).map(([id, cell], n) => [id, typeof expected[n] === "number" ? Number(cell) : cell]),
          expected.map((cell) => ["x", cell === 0 ? 0 : cell])
        )
        const numbers = read.slice(1).flatMap(([, cell = ""], n) => (typeof cells[n] === "number" ? [cell] : []))
        for (const number of numbers) assert.match(number, /^-?\d+(\.\d+)?$/, "numbers are plain")
      })
  )

  it("has a header line, CRLF, empty cells for null, and no text that a spreadsheet runs", () => {
    const rows = [
      { id: "=1", name: '=HYPERLINK("x")', final: true, price: jsonFigure(-1e-7), none: null },
      { id: "b", name: "a,b", final: false, price: 2, none: null }
    ]
    assert.strictEqual(
      csv(["id", "name", "final", "price", "none"], rows),
      'id,name,final,price,none\r\n=1,"\'=HYPERLINK(""x"")",true,-0.0000001,\r\nb,"a,b",false,2,\r\n'
    )
  })
})

describe("Formats: price directives", () => {
  const price = (symbol: string) => ({ date: "2026-11-20", symbol, price: jsonFigure(99209594.79), fiat: "NGN" })

  it("have the syntax of hledger and of Beancount", () => {
    assert.strictEqual(priceDirectives("hledger", [price("BTC")]), "P 2026-11-20 BTC 99209594.79 NGN\n")
    assert.strictEqual(priceDirectives("beancount", [price("BTC")]), "2026-11-20 price BTC 99209594.79 NGN\n")
    assert.strictEqual(priceDirectives("hledger", []), "; no prices\n")
  })

  it("quote a symbol where hledger needs it, and leave out with a comment one that has no form", () => {
    assert.strictEqual(commodityOf("hledger", "1INCH"), '"1INCH"')
    assert.strictEqual(commodityOf("hledger", 'A"B'), undefined)
    assert.strictEqual(commodityOf("hledger", "A\nB"), undefined)
    assert.strictEqual(commodityOf("hledger", "A;B"), undefined)
    assert.strictEqual(commodityOf("beancount", "BTC.B"), "BTC.B")
    for (const symbol of ["1INCH", "X", "ÄB", "TRUE", "BTC-", "A".repeat(25)]) {
      assert.strictEqual(commodityOf("beancount", symbol), undefined, symbol)
    }
    for (const ledger of ["hledger", "beancount"] as const) {
      for (const symbol of ["USD", "GEL", "BOB", "MAD", "ALL", "TOP", "SOS", "XAU", "$", "€", "US$", "₦"]) {
        assert.strictEqual(priceDirectives(ledger, [price(symbol)]), `; left out: ${symbol} is a currency too\n`)
      }
    }
    assert.strictEqual(commodityOf("hledger", "$WIF"), '"$WIF"')
    assert.strictEqual(
      priceDirectives("beancount", [price("1INCH"), price("1INCH")]),
      "; left out: 1INCH is no commodity of beancount\n"
    )
  })
})
