// Reads CSV as it arrives, in bounded memory: RFC 4180, and what spreadsheets write beside it: a byte order mark, semicolons or tabs, lines
// that end with LF. A record that is too long, or whose quotation marks are wrong, harms no other one.

/** The most characters of a record. */
export const LONGEST_RECORD = 65_536

/** A record's cells, or those before its fault. */
export interface CsvRecord {
  readonly cells: ReadonlyArray<string>
  readonly fault?: "too_long" | "wrong_quotes"
}

const SEPARATORS = [",", ";", "\t"] as const

/** The separator that a header line has most of. */
const separatorOf = (line: string): string => {
  const count = (separator: string) => line.split(separator).length
  return SEPARATORS.reduce((best, other) => (count(other) > count(best) ? other : best))
}

interface Scanned extends CsvRecord {
  /** Where the next record begins. */
  readonly next: number
}

/** The cells of a line without regard to quotation marks. */
const unquoted = (line: string, separator: string): ReadonlyArray<string> =>
  line.slice(0, LONGEST_RECORD).replace(/\r$/, "").split(separator)

/** Makes a reader of one file. Its functions return the records that are complete. */
export const reader = () => {
  let text = ""
  let separator: string | undefined
  /** Whether the rest of a record that was too long is passed over. */
  let isSkipping = false

  /** The line at `start` without regard to its quotation marks; `undefined` if its end has not arrived. */
  const line = (start: number, separator: string, isEnd: boolean): Scanned | undefined => {
    const newline = text.indexOf("\n", start)
    if (newline < 0 && !isEnd) return undefined
    const end = newline < 0 ? text.length : newline
    return { cells: unquoted(text.slice(start, end), separator), fault: "wrong_quotes", next: end + 1 }
  }

  /** The quoted text at `at`, and where it ends; `undefined` if it is not closed. */
  const quoted = (at: number): readonly [cell: string, end: number] | undefined => {
    let cell = ""
    for (let from = at + 1; ;) {
      const close = text.indexOf('"', from)
      if (close < 0) return undefined
      cell += text.slice(from, close)
      if (text[close + 1] !== '"') return [cell, close + 1]
      cell += '"'
      from = close + 2
    }
  }

  /** The record at `start`; `undefined` if its end has not arrived. */
  const scan = (start: number, separator: string, isEnd: boolean): Scanned | undefined => {
    const cells: Array<string> = []
    let at = start
    for (;;) {
      let cell: string | undefined
      if (text[at] === '"') {
        const found = quoted(at)
        const isLost = found === undefined && (isEnd || text.length - start > LONGEST_RECORD)
        if (found === undefined) return isLost ? line(start, separator, isEnd) : undefined
        ;[cell, at] = found
        if (at === text.length && !isEnd) return undefined
        // A mark that opened by mistake is closed by the one that opens a later cell.
        if (at < text.length && !["\r", "\n", separator].includes(text.charAt(at))) return line(start, separator, isEnd)
      }
      const newline = text.indexOf("\n", at)
      const end = newline < 0 ? text.length : newline
      const next = text.indexOf(separator, at)
      if (next >= 0 && next < end) {
        cells.push(cell ?? text.slice(at, next))
        at = next + 1
        continue
      }
      if (newline < 0 && !isEnd) return undefined
      cells.push(cell ?? text.slice(at, end).replace(/\r$/, ""))
      return { cells, next: end + 1 }
    }
  }

  const read = (isEnd: boolean): ReadonlyArray<CsvRecord> => {
    const records: Array<CsvRecord> = []
    let start = 0
    if (separator === undefined) {
      text = text.replace(/^\uFEFF/, "")
      const newline = text.indexOf("\n")
      if (newline < 0 && !isEnd && text.length <= LONGEST_RECORD) return records
      separator = separatorOf(newline < 0 ? text : text.slice(0, newline))
    }
    for (;;) {
      if (isSkipping) {
        const newline = text.indexOf("\n", start)
        start = newline < 0 ? text.length : newline + 1
        isSkipping = newline < 0
      }
      if (start >= text.length) break
      const found = scan(start, separator, isEnd)
      if (found === undefined || found.next - start > LONGEST_RECORD) {
        if (found === undefined && text.length - start <= LONGEST_RECORD) break
        // The last cell may be cut.
        const cells = unquoted(text.slice(start, start + LONGEST_RECORD), separator).slice(0, -1)
        records.push({ cells, fault: "too_long" })
        isSkipping = found === undefined
        start = found === undefined ? text.length : found.next
        continue
      }
      start = found.next
      // A blank line is no record.
      if (found.cells.length > 1 || found.cells[0] !== "") records.push(found)
    }
    text = text.slice(start)
    return records
  }

  return {
    push: (more: string) => {
      text += more
      return read(false)
    },
    end: () => read(true),
    /** Known once the first record is. */
    separator: () => separator ?? ","
  }
}

/** Cells as a record. */
export const written = (cells: ReadonlyArray<string>, separator: string): string =>
  `${cells.map((cell) => (/["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator)}\r\n`
