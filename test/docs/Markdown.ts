// The README and the documents beside it, as their tests read them.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Every document, the README first. */
export const documents: ReadonlyArray<string> = [
  "README.md",
  ...globSync(["[CS]*.md", "docs/*.md"], { cwd: root }).toSorted()
]

/** A fenced block. */
export interface Block {
  readonly document: string
  /** What stands behind the fence, such as `sh` or `ts embed`. */
  readonly language: string
  readonly text: string
}

/** The fenced blocks of a document, in order. */
export const blocksOf = (document: string): ReadonlyArray<Block> =>
  [...read(document).matchAll(/^```(.*)\n([^]*?)\n```$/gm)].map(([, language = "", text = ""]) => ({
    document,
    language,
    text
  }))

/** The blocks of all documents. */
export const blocks: ReadonlyArray<Block> = documents.flatMap(blocksOf)

/** The one block of this language in all documents. */
export const blockOf = (language: string): string => {
  const [found, ...others] = blocks.filter((block) => block.language === language)
  if (found === undefined || others.length > 0) throw new Error(`There is not exactly one block of ${language}`)
  return found.text
}

const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.split("\n").filter((line) => line.startsWith("| "))
  return lines.slice(1).map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")))
}

/** The rows of the table under a heading, each a list of cells. */
export const tableUnder = (document: string, heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const section = read(document)
    .split(/^#+ /m)
    .find((text) => text.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${document} has no heading ${heading}`)
  return rowsOf(section)
}

/** What stands between backticks. */
export const codesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

/** The anchors of a document's headings, as GitHub makes them. */
export const anchorsOf = (document: string): ReadonlyArray<string> =>
  [...read(document).matchAll(/^##+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-")
  )
