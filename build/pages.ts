// `npm run pages`: embeds the HTML, CSS and browser scripts of `src/http` in `src/http/documents/data/pages.json`, from which the
// server sends them. The file is committed: the service starts from its sources without a build step, and the package and the
// bundle need no files beside their code. A test holds it to what `embedded()` returns.
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { build } from "rolldown"

const HTTP = join(import.meta.dirname, "../src/http")

/** Where the pages are embedded. */
export const file = join(HTTP, "documents/data/pages.json")

/** Each with the `link` and `script` elements that it refers to its CSS and its script by. */
const documents = { page: "page/page.html", problems: "documents/problems.html" }

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
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/

/** A document with its CSS and its script inside, and the hashes of both for its policy. */
const document = async (path: string) => {
  const html = compactHtml(read(path))
  const inFolder = (name = "") => join(dirname(path), name)
  const style = [...html.matchAll(STYLE)].map(([, name]) => compactCss(read(inFolder(name)))).join("")
  const [, scriptPath] = SCRIPT.exec(html) ?? []
  const script = scriptPath === undefined ? undefined : await bundle(inFolder(scriptPath))
  return {
    html: html
      .replaceAll(STYLE, "")
      .replace("</head>", () => `<style>${style}</style>\n</head>`)
      .replace(SCRIPT, () => `<script type="module">${script}</script>`),
    style: sourceOf(style),
    script: script === undefined ? null : sourceOf(script)
  }
}

/** What the file holds, as its text. */
export const embedded = async (): Promise<string> => {
  const names = Object.entries(documents)
  const made = await Promise.all(names.map(async ([name, path]) => [name, await document(path)] as const))
  return `${JSON.stringify(Object.fromEntries(made), null, 2)}\n`
}

if (import.meta.main) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, await embedded())
}
