// Parses the one long list of a large JSON body in pieces and yields in between, because parsing two megabytes at once would delay every
// request. The few members around the list are parsed together.
import { Effect, Predicate } from "effect"

/**
 * The place of the list: the first array or object that opens at this depth, near the beginning of the body. The rows of an object are its
 * members, each as a pair of name and value.
 */
export interface Place {
  readonly depth: number
  readonly opens: "[" | "{"
}

/** The list must open within this many characters. */
const NEAR_BEGINNING = 4096

/** The most characters and rows of a piece, which takes about 0.5 ms. */
const PIECE = 32 * 1024
const ROWS = 128

/** The most characters of a row, and of the body without the list. */
const LONGEST = 64 * 1024

const [QUOTE, BACKSLASH, COMMA, SQUARE, UNSQUARE, CURLY, UNCURLY] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]

const isOpening = (code: number): boolean => code === SQUARE || code === CURLY
const isClosing = (code: number): boolean => code === UNSQUARE || code === UNCURLY

/** The index of the quote that ends the string at `start`; the end of the text if none does. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** Calls `visit` for each structural character outside of strings, until it returns `true`. */
const walk = (text: string, start: number, end: number, visit: (code: number, at: number) => boolean): void => {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if ((code === COMMA || isOpening(code) || isClosing(code)) && visit(code, at)) return
  }
}

/** The index after the bracket that opens the list; -1 if there is none. */
const startOf = (text: string, { depth, opens }: Place): number => {
  let [level, start] = [0, -1]
  walk(text, 0, Math.min(text.length, NEAR_BEGINNING), (code, at) => {
    if (isClosing(code)) level--
    else if (isOpening(code)) {
      if (level === depth && text[at] === opens) start = at + 1
      level++
    }
    return start !== -1
  })
  return start
}

/** The ends of pieces of whole rows; the last is the end of the list, or -1 if a row does not end. */
const endsOf = function* (text: string, start: number): Iterable<number> {
  let from = start
  while (true) {
    let [end, level, rows] = [-1, 0, 0]
    let isLast = false
    walk(text, from, Math.min(text.length, from + PIECE + LONGEST), (code, at) => {
      if (isOpening(code)) level++
      else if (isClosing(code)) isLast = --level < 0
      const isEndOfRow = isLast || (code === COMMA && level === 0)
      if (isEndOfRow && (isLast || ++rows === ROWS || at >= from + PIECE)) end = at
      return end !== -1
    })
    yield end
    if (isLast || end === -1) return
    from = end + 1
  }
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const rowsIn = (piece: string, opens: Place["opens"]): ReadonlyArray<unknown> | undefined => {
  const value = parse(opens === "[" ? `[${piece}]` : `{${piece}}`)?.value
  if (Array.isArray(value)) return value
  return Predicate.isObject(value) ? Object.entries(value) : undefined
}

/**
 * Reads the list; `each` receives the rows of every piece. Returns the body with an empty list, or the whole body if there is no list at
 * that place. Fails if the body is not JSON, or if its list has more than `most` rows; the message has no text of the body.
 */
export const readList = Effect.fnUntraced(function* (
  text: string,
  { most, ...place }: Place & { readonly most: number },
  each: (rows: ReadonlyArray<unknown>) => void
) {
  const notJson = Effect.fail(`${text.length} characters that are not JSON with its list`)
  const start = startOf(text, place)
  const around = (text: string) => {
    const parsed = text.length > LONGEST ? undefined : parse(text)
    return parsed === undefined ? notJson : Effect.succeed(parsed.value)
  }
  // A body without the list is an error of the exchange, and is short.
  if (start === -1) return yield* around(text)
  let [from, count] = [start, 0]
  for (const end of endsOf(text, start)) {
    const rows = end === -1 ? undefined : rowsIn(text.slice(from, end), place.opens)
    if (rows === undefined) return yield* notJson
    count += rows.length
    if (count > most) return yield* Effect.fail("JSON with more rows than are read")
    each(rows)
    from = end + 1
    yield* Effect.yieldNow
  }
  return yield* around(text.slice(0, start) + text.slice(from - 1))
})
