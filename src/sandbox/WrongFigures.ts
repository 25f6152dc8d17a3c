// Answers of the documented shape whose figures are wrong.

/** `swapped`: figures that come in pairs change places. */
export const wrongKinds = ["negative", "zero", "absurd", "thousandfold", "swapped"] as const

export type WrongKind = (typeof wrongKinds)[number]

/** Members with numbers that are not figures: identifiers, times, sides, codes. */
const NO_FIGURE = /id$|^(adNo|at|code|date|payments|paymentType|ret_code|side|time|timestamp|ts)$|^time_|_at$|Time$/

const pairs = [
  ["high_24h", "low_24h"],
  ["current_price", "market_cap"],
  ["price", "market_cap"],
  ["price", "maxAmount"],
  ["price", "maxTransAmount"],
  ["price_usd", "market_cap_usd"],
  ["market_cap_usd", "volume_24h_usd"],
  ["total_mcap", "total_volume"],
  ["bid", "ask"],
  ["bidPrice", "askPrice"],
  ["bidPx", "askPx"],
  ["buy", "sell"]
] as const

const changes: Readonly<Record<Exclude<WrongKind, "swapped">, (value: number) => number>> = {
  negative: (value) => -Math.abs(value),
  zero: () => 0,
  absurd: () => 1e30,
  thousandfold: (value) => value * 1000
}

const numberOf = (value: unknown): number =>
  typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN

/** Whether a value is a number, or text that is one. */
export const isFigure = (value: unknown): boolean => Number.isFinite(numberOf(value))

/** The value with every figure replaced by what `change` makes of it: numbers stay numbers, text stays text. */
export const mapFigures = (
  value: unknown,
  change: (figure: number, member: string) => number,
  member = ""
): unknown => {
  if (NO_FIGURE.test(member)) return value
  const number = numberOf(value)
  if (Number.isFinite(number)) {
    const next = change(number, member)
    return typeof value === "string" ? String(next) : next
  }
  if (Array.isArray(value)) return value.map((item) => mapFigures(item, change, member))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, mapFigures(item, change, key)])
  )
}

const swapPairs = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(swapPairs)
  if (typeof value !== "object" || value === null) return value
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(value))
  const swapped = new Map<string, string>()
  for (const [one, other] of pairs) {
    const isPair = isFigure(members.get(one)) && isFigure(members.get(other))
    if (isPair && !swapped.has(one) && !swapped.has(other)) swapped.set(one, other).set(other, one)
  }
  return Object.fromEntries(
    [...members].map(([key, item]) => {
      const other = swapped.get(key)
      return [key, other === undefined ? swapPairs(item) : members.get(other)]
    })
  )
}

/** Whether an object is a table of rows: many members of one kind. */
const isTable = (members: ReadonlyArray<unknown>): boolean =>
  members.length > 3 && (members.every(isFigure) || members.every((item) => typeof item === "object" && item !== null))

/** The value with its first row replaced; all of it if it has no rows. */
const inFirstRow = (value: unknown, replace: (row: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item, n) => (n === 0 ? replace(item) : item))
  if (typeof value !== "object" || value === null) return value
  const entries: ReadonlyArray<[string, unknown]> = Object.entries(value)
  if (isTable(entries.map(([, item]) => item))) {
    return { ...value, ...Object.fromEntries(entries.slice(0, 1).map(([key, item]) => [key, replace(item)])) }
  }
  const hasRows = entries.some(([, item]) => typeof item === "object" && item !== null)
  if (!hasRows) return replace(value)
  return Object.fromEntries(entries.map(([key, item]) => [key, inFirstRow(item, replace)]))
}

/** A body with wrong figures, in its first row or in all rows. */
export const withWrongFigures = (body: unknown, kind: WrongKind, rows: "one" | "all"): unknown => {
  const wrong = (value: unknown) => (kind === "swapped" ? swapPairs(value) : mapFigures(value, changes[kind]))
  return rows === "all" ? wrong(body) : inFirstRow(body, wrong)
}
