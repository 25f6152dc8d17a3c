import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as SqliteRows from "../../../src/history/store/SqliteRows.ts"

/** What SQLite gives: it has no NaN. */
const Value = Schema.Union([Schema.Null, Schema.Finite, Schema.String])

describe("rows on their way between threads", () => {
  it.prop(
    "come as they were sent, whatever the columns hold",
    {
      figures: Schema.Array(Schema.NullOr(Schema.Finite)),
      texts: Schema.Array(Schema.NullOr(Schema.Literals(["", "a", "b"]))),
      mixed: Schema.Array(Value)
    },
    ({ figures, mixed, texts }) => {
      const count = Math.max(figures.length, texts.length, mixed.length)
      const rows = Array.from({ length: count }, (_, n) => ({
        figure: figures[n] ?? null,
        text: texts[n] ?? null,
        mixed: mixed[n] ?? null,
        bytes: new Uint8Array([n])
      }))
      const names = ["figure", "text", "mixed", "bytes"] as const
      const packed = SqliteRows.pack(
        names,
        rows.map((row) => names.map((name) => row[name]))
      )
      const sent = structuredClone(packed, { transfer: SqliteRows.blocksOf(packed) })
      assert.deepStrictEqual(SqliteRows.unpack(sent), rows)
    }
  )
})
