// Part of `npm version`: writes the version and the addresses of `package.json` where else they stand, and names the version in the
// changelog, unless it is named there already.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const { homepage, repository, version }: { homepage: string; repository: { url: string }; version: string } =
  JSON.parse(read("package.json"))

const edit = (path: string, changed: (text: string) => string): void =>
  writeFileSync(join(root, path), changed(read(path)))

edit("src/domain/version.ts", (text) =>
  text.replace(/(?<=VERSION = ").*(?=")/, () => version).replace(/(?<=HOMEPAGE = ").*(?=")/, () => homepage)
)
edit("docs/settings.md", (text) =>
  text.replace(/(?<=crypto-data-api\/)\d+\.\d+\.\d+\S*; \+[^)]*(?=\))/, () => `${version}; +${homepage}`)
)
edit("README.md", (text) => text.replace(/(?<=^git clone )\S+/m, () => repository.url.replace(/^git\+/, "")))
edit("CHANGELOG.md", (text) => {
  const isNamed = text.includes(`\n## ${version} - `)
  const heading = `## Unreleased\n\n## ${version} - ${new Date().toISOString().slice(0, 10)}`
  return isNamed ? text : text.replace("## Unreleased", () => heading)
})
