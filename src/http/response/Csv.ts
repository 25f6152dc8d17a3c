// Rows as CSV, RFC 4180: CRLF, no byte order mark, a header line; null is an empty cell.
import type { Written } from "../../domain/JsonNumber.ts"

/** A cell. Numbers are written as in JSON. */
export type Cell = string | boolean | Written | null

/** Spreadsheets run cells that begin with one of these as formulas. An apostrophe before them makes them text. */
const RUNS = /^[=+\-@\t\r]/

/** A text that a spreadsheet does not run. */
export const inert = (text: string): string => (RUNS.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const written = (column: string, cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return ""
  if (typeof cell !== "string") return JSON.stringify(cell)
  // Ids stay exact, because callers use them in requests.
  return quoted(column === "id" ? cell : inert(cell))
}

export const csv = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Readonly<Record<string, Cell>>>): string =>
  [columns, ...rows.map((row) => columns.map((column) => written(column, row[column])))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("")
