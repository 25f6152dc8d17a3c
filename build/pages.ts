// `npm run pages`: embeds the HTML, CSS and browser scripts of `src/http` in files of `src/http/documents/data`, from which the
// server sends them. The files are committed: the service starts from its sources without a build step, and the package and the
// bundle need no files beside their code. A test holds them to what `embedded()` returns.
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "rolldown"

const HTTP = join(import.meta.dirname, "../src/http")

/** Where the pages are embedded. */
const fileOf = (name: string): string => join(HTTP, `documents/data/${name}.json`)

/**
 * By file. Each with the `link` and `script` elements that it refers to its CSS and its script by. The large one has a file of its own,
 * which is loaded at its first use.
 */
const documents = {
  pages: { page: "page/page.html" },
  texts: { texts: "documents/texts.html", docs: "documents/docs.html" }
}

const read = (path: string): string => readFileSync(join(HTTP, path), "utf8")

const withoutComments = (text: string): string => text.replaceAll(/<!--[^]*?-->|\/\*[^]*?\*\//g, "")

const compactHtml = (html: string): string =>
  withoutComments(html)
    .replaceAll(/^\s+/gm, "")
    .replaceAll(/\n(?=\/?>)/g, "")
    .trim()

const compactCss = (css: string): string =>
  withoutComments(css)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(";}", "}")
    .trim()

const bundle = async (path: string): Promise<string> => {
  const { output } = await build({
    input: join(HTTP, path),
    platform: "browser",
    write: false,
    output: { format: "iife", minify: true }
  })
  return output[0].code.trim()
}

/** How a content security policy allows an element by its content. */
const sourceOf = (content: string): string => `'sha256-${createHash("sha256").update(content).digest("base64")}'`

const STYLE = /<link rel="stylesheet" href="([^"]+)" ?\/?>\n/g
const LOGO = /<img src="([^"]+)" alt="" ?\/?>/
const ICON = /(<link rel="icon" href=")([^"]+)/
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/

/** A document with its CSS, its logo and its script inside, and the hashes of both for its policy. */
const document = async (path: string) => {
  const html = compactHtml(read(path))
  const inFolder = (name = "") => join(dirname(path), name)
  const style = [...html.matchAll(STYLE)].map(([, name]) => compactCss(read(inFolder(name)))).join("")
  const [, scriptPath] = SCRIPT.exec(html) ?? []
  const script = scriptPath === undefined ? undefined : await bundle(inFolder(scriptPath))
  return {
    html: html
      .replaceAll(STYLE, "")
      .replace(
        ICON,
        (_, start, name) => `${start}data:image/svg+xml,${encodeURIComponent(read(inFolder(name)).trim())}`
      )
      .replace(LOGO, (_, name) => read(inFolder(name)).trim())
      .replace("</head>", () => `<style>${style}</style>\n</head>`)
      .replace(SCRIPT, () => `<script type="module">${script}</script>`),
    style: sourceOf(style),
    script: script === undefined ? null : sourceOf(script)
  }
}

/** What a file holds, as its text. */
const textOf = async (paths: Readonly<Record<string, string>>): Promise<string> => {
  const names = Object.entries(paths)
  const made = await Promise.all(names.map(async ([name, path]) => [name, await document(path)] as const))
  return `${JSON.stringify(Object.fromEntries(made), null, 2)}\n`
}

/** The files, each with its text. */
export const embedded = () =>
  Promise.all(Object.entries(documents).map(async ([name, paths]) => [fileOf(name), await textOf(paths)] as const))

if (import.meta.main) {
  for (const [file, text] of await embedded()) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
