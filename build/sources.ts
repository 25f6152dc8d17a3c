// `npm run sources`: writes the tables in `docs/sources.md` from the records of the catalog. A test holds them to it.
import { readFileSync, writeFileSync } from "node:fs"
import { tables } from "../src/sources/catalog/SourceCatalog.ts"

const file = new URL("../docs/sources.md", import.meta.url)

let text = readFileSync(file, "utf8")
for (const [name, rows] of Object.entries(tables)) {
  const table = new RegExp(`(?<=<!-- ${name}:begin -->\\n\\|.*\\n\\|.*\\n)[^]*(?=<!-- ${name}:end -->)`)
  text = text.replace(table, () => rows)
}
writeFileSync(file, text)
