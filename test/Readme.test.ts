// The README's tables say what the code says.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { sourceCatalog } from "../src/sources/SourceCatalog.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

describe("README", () => {
  it("lists every source with the terms it declares", () => {
    const rows = sourceCatalog.map(
      (terms) =>
        `| [${terms.name}](${terms.link}) | \`${terms.id}\` | ${terms.attribution} | ${terms.licence} | ${terms.redistribution} |`
    )
    const table = /<!-- sources -->\n\|.*\n\|.*\n([^]*)<!-- \/sources -->/.exec(readme)?.[1]
    assert.strictEqual(table, `${rows.join("\n")}\n`)
  })

  it("shows the four commands in the order a newcomer needs them", () => {
    const order = [
      "npm ci && npm run sandbox",
      "curl http://localhost:3000/v1/price/bitcoin/ngn",
      "npm start",
      "npm test"
    ]
    const places = order.map((command) => readme.indexOf(command))
    assert.deepStrictEqual(
      places,
      places.toSorted((a, b) => a - b)
    )
    assert.isTrue(places.every((place) => place > 0))
  })
})
