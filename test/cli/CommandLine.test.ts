// The command line as a whole.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { started } from "./ServingProcess.ts"

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))

it.live("--version prints the version of the package", () =>
  Effect.gen(function* () {
    const { ended, written } = yield* started(["--version"], {})
    assert.deepStrictEqual(yield* ended, { code: 0, signal: null }, written.stderr)
    assert.strictEqual(written.stdout, `crypto-data-api v${version}\n`)
  }).pipe(Effect.scoped)
)
