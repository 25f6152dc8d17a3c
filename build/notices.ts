// Writes `THIRD-PARTY-NOTICES` beside the bundle: the licences of the packages whose code is in it.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"

/** The folder of the package that a module belongs to; nothing for the project's own. A package may carry others without a manifest. */
const packageOf = (id: string): string | undefined =>
  [...id.matchAll(/\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/g)]
    .map(({ 0: name, index }) => id.slice(0, index) + name)
    .findLast((folder) => existsSync(join(folder, "package.json")))

const isLicence = (file: string): boolean => /^(licen[cs]e|copying|notice)(\W.*)?$/i.test(file)

const noticeOf = (folder: string): string => {
  const { license, name, repository, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const texts = readdirSync(folder)
    .filter(isLicence)
    .map((file) => readFileSync(join(folder, file), "utf8").trim())
  const without = `The package has no copy of its licence. Source: ${repository?.url ?? repository ?? name}`
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [without])].join("\n\n")
}

/** The pages, with the packages that are bundled in them, and their folders. */
const PAGES = "documents/data/pages.json"
const inPages = ["preact", "uplot"].map((name) => join(import.meta.dirname, "../node_modules", name))

/** The module of Effect that has Scalar's script, for `/docs`. */
const SCALAR = "internal/httpApiScalar"

const scalar =
  "@scalar/api-reference (MIT)\n\nInside effect, which has no copy of its licence. Source: https://github.com/scalar/scalar"

export const notices: Plugin = {
  name: "notices",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined))
    if (modules.some((id) => id.endsWith(PAGES))) for (const folder of inPages) folders.add(folder)
    const source = [...folders.values().map(noticeOf), ...(modules.some((id) => id.includes(SCALAR)) ? [scalar] : [])]
      .toSorted()
      .join(`\n\n${"-".repeat(72)}\n\n`)
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES", source: `${source}\n` })
  }
}
