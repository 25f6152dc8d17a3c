import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Place, readList } from "../../../src/sources/exchange/ListInBody.ts"
import { rule } from "../../rulesOf.ts"

const read = (text: string, place: Place, most = 1e6) =>
  Effect.gen(function* () {
    const rows: Array<unknown> = []
    const pieces: Array<number> = []
    const envelope = yield* readList(text, { ...place, most }, (piece) => {
      rows.push(...piece)
      pieces.push(piece.length)
    })
    return { envelope, rows, pieces }
  })

const Text = Schema.String.check(Schema.isMaxLength(8))
const Value = Schema.Union([Text, Schema.Finite, Schema.Array(Text), Schema.Record(Text, Schema.NullOr(Schema.Int))])
const List = Schema.Array(Value).check(Schema.isMaxLength(400))

const inArray = { depth: 2, opens: "[" } as const
const inObject = { depth: 1, opens: "{" } as const

describe("a list in a body", () => {
  it.effect.prop("has the rows that parsing the whole body gives", { list: List }, ({ list }) =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<unknown> = JSON.parse(JSON.stringify(list))
      for (const space of [0, 1]) {
        const body = JSON.stringify({ code: '}],[{"', data: { time: 5, ticker: list, more: { x: [1] } } }, null, space)
        const told = yield* read(body, inArray)
        assert.deepStrictEqual(told.rows, rows)
        assert.deepStrictEqual(told.envelope, { code: '}],[{"', data: { time: 5, ticker: [], more: { x: [1] } } })
        const table = Object.fromEntries(list.map((row, n) => [`key ${n}`, row]))
        const { envelope, rows: members } = yield* read(
          JSON.stringify({ error: [], result: table }, null, space),
          inObject
        )
        assert.deepStrictEqual(members, Object.entries(JSON.parse(JSON.stringify(table)) as object))
        assert.deepStrictEqual(envelope, { error: [], result: {} })
      }
    })
  )

  rule("comes in pieces of at most 128 rows, and of some 32,000 characters", function* () {
    const small = yield* read(JSON.stringify(Array.from({ length: 1000 }, (_, n) => n)), { depth: 0, opens: "[" })
    assert.deepStrictEqual([small.rows.length, Math.max(...small.pieces)], [1000, 128])
    const long = JSON.stringify(Array.from({ length: 100 }, () => ["x".repeat(3000)]))
    assert.isAtMost(Math.max(...(yield* read(long, { depth: 0, opens: "[" })).pieces), 11)
  })

  rule("is no list where there is none: the body is all there is", function* () {
    const told = yield* read('{"code":"50011","msg":"Too many [requests]"}', inArray)
    assert.deepStrictEqual(told, { envelope: { code: "50011", msg: "Too many [requests]" }, rows: [], pieces: [] })
  })

  rule("fails where the body is broken, endless or has too many rows", function* () {
    const bodies = [
      "",
      "<html>",
      '[{"a":1},{"a"',
      "[1,2",
      "[1,]",
      "[1]]",
      '["a',
      `[${"[".repeat(200_000)}`,
      `["${"x".repeat(200_000)}"]`,
      `{"a":${"1".repeat(200_000)}`
    ]
    for (const body of bodies) {
      assert.match(yield* Effect.flip(read(body, { depth: 0, opens: "[" })), /not JSON/, body.slice(0, 20))
    }
    assert.match(yield* Effect.flip(read("[1,2,3]", { depth: 0, opens: "[" }, 2)), /more rows/)
  })
})
