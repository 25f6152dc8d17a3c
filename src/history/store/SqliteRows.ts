// Rows on their way from the SQLite worker to the main thread. Thousands of row objects take longer to copy between threads than
// to read from the file, so columns of numbers go as one block that changes hands, and each text goes once.

/**
 * A column: figures, with NaN for null, which SQLite never has as a value; texts, with figures that are their places among `words`;
 * or the values as they are.
 */
interface Column {
  readonly figures?: Float64Array<ArrayBuffer>
  readonly words?: ReadonlyArray<unknown>
}

export interface Packed {
  readonly names: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
  readonly count: number
}

const columnOf = (values: ReadonlyArray<unknown>): Column => {
  const figures = new Float64Array(values.length)
  if (values.every((value) => typeof value === "number" || value === null)) {
    values.forEach((value, n) => (figures[n] = value ?? Number.NaN))
    return { figures }
  }
  if (!values.every((value) => typeof value === "string" || value === null)) return { words: values }
  const places = new Map<string | null, number>()
  values.forEach((value, n) => {
    const place = places.get(value) ?? places.size
    if (place === places.size) places.set(value, place)
    figures[n] = place
  })
  return { figures, words: [...places.keys()] }
}

/** Packs rows, each an array of its values in the order of the names. */
export const pack = (names: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<unknown>>): Packed => ({
  names,
  columns: names.map((_, column) => columnOf(rows.map((row) => row[column]))),
  count: rows.length
})

export const blocksOf = ({ columns }: Packed): Array<ArrayBuffer> =>
  columns.flatMap(({ figures }) => figures?.buffer ?? [])

const read = ({ figures, words }: Column, n: number): unknown => {
  const figure = figures === undefined ? n : (figures[n] ?? Number.NaN)
  if (words !== undefined) return words[figure]
  return Number.isNaN(figure) ? null : figure
}

export const unpack = ({ columns, count, names }: Packed): ReadonlyArray<Record<string, unknown>> =>
  Array.from({ length: count }, (_, n) => {
    const row: Record<string, unknown> = {}
    columns.forEach((column, place) => (row[names[place] ?? ""] = read(column, n)))
    return row
  })
