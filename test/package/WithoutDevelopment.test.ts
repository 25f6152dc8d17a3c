// After `npm ci --omit=dev`, which leaves out what makes the bundle: a sentence says so.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { execPath } from "node:process"
import { temporaryFolder } from "../resources.ts"
import { rule } from "../rulesOf.ts"

/** A clone's folder without modules. */
const clone = Effect.map(temporaryFolder, (folder) => {
  mkdirSync(join(folder, "build"))
  copyFileSync("build/prepare.js", join(folder, "build/prepare.js"))
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
  return folder
})

const run = (folder: string, ...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync(execPath, [join(folder, "build/prepare.js"), ...args], { encoding: "utf8" })
  return [status, stderr]
}

describe("without the development dependencies", () => {
  rule("npm run build says what is missing, and so does npm start without a bundle", function* () {
    const folder = yield* clone
    const [built, fault] = run(folder, "build")
    assert.strictEqual(built, 1)
    assert.match(
      String(fault),
      /^The development dependencies are missing, which `npm ci --omit=dev` leaves out\. .+\n$/
    )
    const [started, missing] = run(folder, "start")
    assert.strictEqual(started, 1)
    assert.match(String(missing), /^There is no bundle to start: run `npm ci --include=dev`.+\n$/)
  })

  rule("npm ci goes through, and npm start with a bundle", function* () {
    const folder = yield* clone
    assert.deepStrictEqual(run(folder), [0, ""])
    mkdirSync(join(folder, "dist"))
    writeFileSync(join(folder, "dist/main.js"), "")
    assert.deepStrictEqual(run(folder, "start"), [0, ""])
  })
})
