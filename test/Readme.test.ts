// The README's tables say what the code says. Its commands are run in `ReadmeCommands.test.ts`.
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readFileSync } from "node:fs"
import { explanations } from "../src/api/Problems.ts"
import { disclaimer } from "../src/api/Terms.ts"
import * as Settings from "../src/node/Settings.ts"
import { sourceCatalog } from "../src/sources/catalog/SourceCatalog.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The rows of the table under this heading, each a list of its cells. */
const tableUnder = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const section = readme.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ""
  const lines = section.split("\n").filter((line) => line.startsWith("| "))
  return lines.slice(1).map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")))
}

const codesIn = (text: string): ReadonlyArray<string> => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

const isOfASource = (name: string) => sourceCatalog.some(({ id }) => name === `${id}_BASE_URL`)

/** Heeded where Effect's exporters are made, and nothing to check at the start. */
const uncheckedByUs = ["OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_EXPORTER_OTLP_HEADERS"]

describe("README", () => {
  it("lists every source with the terms it declares", () => {
    const rows = sourceCatalog.map(
      (terms) =>
        `| [${terms.name}](${terms.link}) | \`${terms.id}\` | ${terms.attribution} | ${terms.licence} | ${terms.redistribution} |`
    )
    const table = /<!-- sources -->\n\|.*\n\|.*\n([^]*)<!-- \/sources -->/.exec(readme)?.[1]
    assert.strictEqual(table, `${rows.join("\n")}\n`)
  })

  it.effect("lists every setting that is read at the start, and no other", () =>
    Effect.gen(function* () {
      const read = new Set<string>()
      const recorder = ConfigProvider.make((path) => {
        read.add(String(path[0]))
        return Effect.undefined
      })
      yield* Settings.check.pipe(Effect.provide(ConfigProvider.layer(recorder)))
      const checked = [...read].filter((name) => !isOfASource(name))
      const listed = tableUnder("Settings").flatMap(([name = ""]) => codesIn(name))
      assert.deepStrictEqual(listed.toSorted(), [...checked, ...uncheckedByUs, "<SOURCE>_BASE_URL"].toSorted())
    })
  )

  it("lists every problem with its status", () => {
    const listed = tableUnder("Errors").flatMap(([status = "", codes = ""]) =>
      codesIn(codes).map((code) => `${status} ${code}`)
    )
    const declared = Object.entries(explanations).map(([code, { status }]) => `${status} ${code}`)
    assert.deepStrictEqual(listed.toSorted(), declared.toSorted())
  })

  it("says on what terms the data is given, in the words of the contract", () => {
    assert.include(readme.replaceAll("\n", " "), disclaimer)
  })

  it("links only to headings and files that exist", () => {
    const headings = [...readme.matchAll(/^##+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-")
    )
    for (const [, target = ""] of readme.matchAll(/\]\(#([^)]+)\)/g)) assert.include(headings, target)
    for (const [, path = ""] of readme.matchAll(/\]\(((?!https?:|#)[^)]+)\)/g)) {
      readFileSync(new URL(path, new URL("../", import.meta.url)))
    }
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
