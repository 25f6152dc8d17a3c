import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"

const evaluate = (file: string) =>
  // oxlint-disable-next-line no-restricted-globals -- the path to this very node
  spawnSync(process.execPath, ["test/why/WhyEval.ts", file], {
    cwd: new URL("../..", import.meta.url),
    encoding: "utf8"
  })

describe("why:eval", () => {
  it("says in a sentence what is wrong with a file, and nothing on standard output", () => {
    for (const [file, words] of [
      [tmpdir(), "is a folder"],
      ["package.json", "is not a file of cases"],
      ["no-such-file.json", "cannot be read"]
    ] as const) {
      const { status, stderr, stdout } = evaluate(file)
      assert.deepStrictEqual([status, stdout.trim()], [1, ""])
      assert.include(stderr, `${file} ${words}`)
      assert.notMatch(stderr, /EISDIR|ENOENT|\n\s+at /)
    }
  }, 60_000)
})
