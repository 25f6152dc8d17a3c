// Finds the line of each value in a JSON text, so that an error in a file can name its line.

/** The deepest nesting that is read. */
const DEEPEST = 16

/**
 * The line of each value, from 1, by its path, such as `2.payments.0`; the root has the empty path. The text must be JSON.
 * `undefined` if values are nested too deeply.
 */
export const jsonLines = (text: string): ReadonlyMap<string, number> | undefined => {
  const lines = new Map<string, number>()
  let at = 0
  let line = 1
  const skip = () => {
    for (; /[\s,:]/.test(text[at] ?? ""); at++) if (text[at] === "\n") line++
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ""
    at += found.length
    return found
  }
  /** Reads a value; false if it is nested too deeply. */
  const value = (path: ReadonlyArray<string>): boolean => {
    if (path.length > DEEPEST) return false
    skip()
    lines.set(path.join("."), line)
    const open = text[at]
    if (open !== "{" && open !== "[") {
      take(open === '"' ? STRING : SCALAR)
      return true
    }
    at++
    for (let item = 0; ; item++) {
      skip()
      if (at >= text.length || text[at] === "}" || text[at] === "]") break
      const name: unknown = open === "{" ? JSON.parse(take(STRING)) : item
      if (!value([...path, String(name)])) return false
    }
    at++
    return true
  }
  return value([]) ? lines : undefined
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /[^\s,\]}]+/y

/** The line of a syntax error, from the parser's message; the last line if the message has no position. */
export const lineOfSyntaxFault = (text: string, message: string): number => {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  return text.slice(0, position === undefined ? text.length : Number(position)).split("\n").length
}
