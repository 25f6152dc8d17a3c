// `npm run endpoints`: writes the table of endpoints in README.md and that of tools in `docs/agents.md` from the contract and the tools.
// A test compares them.
import { OpenApi } from "effect/http-api"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../src/api/Api.ts"
import { decodeDocument } from "../src/api/ApiDocument.ts"
import { tools } from "../src/mcp/Tools.ts"

const operations = Object.entries(decodeDocument(OpenApi.fromApi(Api)).paths)

const code = (text: string): string => `\`${text}\``

const rows = (cells: ReadonlyArray<ReadonlyArray<string>>): string =>
  cells
    .map((row) => `| ${row.join(" | ")} |\n`)
    .join("")
    .replaceAll("|  |", "| |")

/** The rows of each table, by document. */
export const tables: Readonly<Record<string, string>> = {
  "README.md": rows(operations.map(([path, { get }]) => [code(path), get.summary])),
  "docs/agents.md": rows(tools.map(({ name, path }) => [code(name), code(path)]))
}

/** The table of a document, between its marks and below its two lines of head. */
export const tableIn = /(?<=<!-- endpoints:begin -->\n\|.*\n\|.*\n)[^]*(?=<!-- endpoints:end -->)/

if (import.meta.main) {
  for (const [document, table] of Object.entries(tables)) {
    const file = join(import.meta.dirname, "..", document)
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(tableIn, () => table)
    )
  }
}
