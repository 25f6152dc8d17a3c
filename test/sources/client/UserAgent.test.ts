import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { DEFAULT_USER_AGENT, userAgent } from "../../../src/sources/client/SourceSettings.ts"
import { rule } from "../../rulesOf.ts"

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String, homepage: Schema.String }))

const packageFile = readFileSync(new URL("../../../package.json", import.meta.url), "utf8")

const read = (USER_AGENT: string) =>
  Effect.provide(userAgent, ConfigProvider.layer(ConfigProvider.fromUnknown({ USER_AGENT })))

describe("the User-Agent", () => {
  rule("begins like a browser's and names this package, its version and its homepage", function* () {
    const { homepage, version } = yield* Schema.decodeEffect(Package)(packageFile)
    assert.strictEqual(DEFAULT_USER_AGENT, `Mozilla/5.0 (compatible; crypto-data-api/${version}; +${homepage})`)
    assert.strictEqual(yield* read(""), DEFAULT_USER_AGENT)
  })

  rule("is any text that a header can carry", function* () {
    for (const text of ["x", "Acme/2 (+https://acme.example)", "a".repeat(300)]) {
      assert.strictEqual(yield* read(text), text)
    }
    for (const text of ["a\r\nhost: b", "naïve", " a", "a ", "a\u0000", "a".repeat(301)]) {
      yield* Effect.flip(read(text))
    }
  })
})
