import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { evaluate, evaluateCase } from "../../build/why/evaluate.ts"
import dev from "../../build/why/bench/dev.json" with { type: "json" }

const Predictions = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Struct({ verdict: Schema.String })))

describe("why:eval", () => {
  it.effect("predicts the cases of a file, of which it reads no gold answer", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      const [one, two] = dev.cases
      yield* files.writeFileString(file, JSON.stringify({ cases: [one, { ...two, gold: "broken", notes: 1 }] }))
      const predictions = yield* Effect.flatMap(evaluate(file), Schema.decodeEffect(Predictions))
      assert.deepStrictEqual(
        Object.entries(predictions).map(([id, { verdict }]) => [id, verdict]),
        [
          [one?.id, "coin_specific"],
          [two?.id, "coin_specific"]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("tells for one case how each item was judged", () =>
    Effect.gen(function* () {
      const file = "build/why/bench/dev.json"
      const lines = (yield* evaluateCase(file, "dev-01")).split("\n")
      assert.include(lines[0], "Curve DAO (CRV) -14.6 %: coin_specific")
      const lineOf = (id: string) => lines.find((line) => line.startsWith(`${id} `)) ?? ""
      for (const { id } of dev.cases[0]?.input.evidence ?? []) assert.notStrictEqual(lineOf(id), "", id)
      assert.include(lineOf("e02"), "CITED")
      assert.include(lineOf("e11"), "not about the coin")
      assert.include(lineOf("e01"), "no event")
      const { userMessage = "" } = yield* Effect.flip(evaluateCase(file, "none"))
      assert.strictEqual(userMessage, `${file} has no case none.`)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("says what is wrong with a file", () =>
    Effect.gen(function* () {
      for (const [file, words] of [
        [tmpdir(), "is a folder"],
        ["package.json", "is not a file of cases"],
        ["no-such-file.json", "cannot be read"]
      ] as const) {
        const { userMessage = "" } = yield* Effect.flip(evaluate(file))
        assert.include(userMessage, `${file} ${words}`)
      }
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it("ends with 1 and one sentence on standard error, with nothing on standard output", () => {
    // oxlint-disable-next-line no-restricted-globals -- the path to this very node
    const { status, stderr, stdout } = spawnSync(process.execPath, ["build/why/WhyEval.ts", "no-such-file.json"], {
      cwd: new URL("../..", import.meta.url),
      encoding: "utf8"
    })
    assert.deepStrictEqual([status, stdout.trim()], [1, ""])
    assert.include(stderr, "no-such-file.json cannot be read")
    assert.notMatch(stderr, /ENOENT|\n\s+at /)
  })
})
