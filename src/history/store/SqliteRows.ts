// Rows on their way from the SQLite worker to the main thread. Thousands of row objects take longer to copy between threads than
// to read from the file, so columns of numbers go as one block that changes hands, and each text goes once.

/** A column: figures with NaN for null, which SQLite never has as a value; texts by their place among `words`; or as it is. */
type Column =
  | { readonly figures: Float64Array<ArrayBuffer> }
  | { readonly words: ReadonlyArray<string | null>; readonly places: Uint32Array<ArrayBuffer> }
  | { readonly values: ReadonlyArray<unknown> }

export interface Packed {
  readonly names: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
  readonly count: number
}

type Values = ReadonlyArray<ReadonlyArray<unknown>>

/** The column of figures; none where it holds anything else. */
const figuresOf = (rows: Values, column: number): Column | undefined => {
  const figures = new Float64Array(rows.length)
  for (let n = 0; n < rows.length; n++) {
    const value = rows[n]?.[column]
    if (typeof value === "number") figures[n] = value
    else if (value === null) figures[n] = Number.NaN
    else return undefined
  }
  return { figures }
}

/** The column of texts; none where it holds anything else. */
const textsOf = (rows: Values, column: number): Column | undefined => {
  const numbers = new Map<string | null, number>()
  const places = new Uint32Array(rows.length)
  let [last, place]: [unknown, number] = [undefined, 0]
  for (let n = 0; n < rows.length; n++) {
    const value = rows[n]?.[column]
    if (value !== last) {
      if (value !== null && typeof value !== "string") return undefined
      place = numbers.get(value) ?? numbers.size
      numbers.set(value, place)
      last = value
    }
    places[n] = place
  }
  return { words: [...numbers.keys()], places }
}

/** Packs rows, each an array of its values in the order of the names. */
export const pack = (names: ReadonlyArray<string>, rows: Values): Packed => ({
  names,
  columns: names.map((_, n) => figuresOf(rows, n) ?? textsOf(rows, n) ?? { values: rows.map((row) => row[n]) }),
  count: rows.length
})

export const blocksOf = ({ columns }: Packed): Array<ArrayBuffer> =>
  columns.flatMap((column) =>
    "figures" in column ? [column.figures.buffer] : "places" in column ? [column.places.buffer] : []
  )

const reader = (column: Column): ((n: number) => unknown) => {
  if ("figures" in column) {
    const { figures } = column
    return (n) => {
      const value = figures[n]
      return value === undefined || Number.isNaN(value) ? null : value
    }
  }
  if ("values" in column) return (n) => column.values[n]
  const { places, words } = column
  return (n) => words[places[n] ?? -1]
}

export const unpack = ({ columns, count, names }: Packed): ReadonlyArray<Record<string, unknown>> => {
  const readers = names.map((name, n) => [name, reader(columns[n] ?? { values: [] })] as const)
  return Array.from({ length: count }, (_, n) => {
    const row: Record<string, unknown> = {}
    for (const [name, read] of readers) row[name] = read(n)
    return row
  })
}
