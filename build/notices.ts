// Writes two files beside the bundle about the packages whose code is in it: their licences (`THIRD-PARTY-NOTICES`), and their names and
// versions for scanners (`sbom.cdx.json`, CycloneDX). `npm sbom` would list what is installed.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"

/** The folder of the package that a module belongs to; nothing for the project's own. A package may carry others without a manifest. */
const packageOf = (id: string): string | undefined =>
  [...id.matchAll(/\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/g)]
    .map(({ 0: name, index }) => id.slice(0, index) + name)
    .findLast((folder) => existsSync(join(folder, "package.json")))

const isLicence = (file: string): boolean => /^(licen[cs]e|copying|notice)(\W.*)?$/i.test(file)

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const noticeOf = (folder: string): string => {
  const { license, name, repository, version } = manifestOf(folder)
  const texts = readdirSync(folder)
    .filter(isLicence)
    .map((file) => readFileSync(join(folder, file), "utf8").trim())
  const without = `The package has no copy of its licence. Source: ${repository?.url ?? repository ?? name}`
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [without])].join("\n\n")
}

const componentOf = (type: "application" | "library", folder: string) => {
  const { license, name, version } = manifestOf(folder)
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`
  return { type, name, version, purl, licenses: [{ expression: license }] }
}

/** The pages, with the packages that are bundled in them, and their folders. */
const PAGES = "documents/data/pages.json"
const inPages = ["preact", "uplot"].map((name) => join(import.meta.dirname, "../node_modules", name))

/** The module of Effect that has Scalar's script, for `/docs`. */
const SCALAR = "internal/httpApiScalar"

const scalarComponent = { type: "library", name: "@scalar/api-reference", licenses: [{ expression: "MIT" }] }

const scalar =
  "@scalar/api-reference (MIT)\n\nInside effect, which has no copy of its licence. Source: https://github.com/scalar/scalar"

export const notices: Plugin = {
  name: "notices",
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined))
    if (modules.some((id) => id.endsWith(PAGES))) for (const folder of inPages) folders.add(folder)
    const hasScalar = modules.some((id) => id.includes(SCALAR))
    const texts = [...folders.values().map(noticeOf), ...(hasScalar ? [scalar] : [])].toSorted()
    const source = texts.join(`\n\n${"-".repeat(72)}\n\n`)
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES", source: `${source}\n` })
    const bom = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: componentOf("application", join(import.meta.dirname, "..")) },
      components: [
        ...[...folders].toSorted().map((folder) => componentOf("library", folder)),
        ...(hasScalar ? [scalarComponent] : [])
      ]
    }
    this.emitFile({ type: "asset", fileName: "sbom.cdx.json", source: `${JSON.stringify(bom, null, 2)}\n` })
  }
}
