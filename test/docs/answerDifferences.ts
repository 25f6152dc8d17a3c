// Compares an answer with the one that a document shows: the same fields with values of the same type, whatever the values. A field
// `"...": "..."` in the document stands for fields left out; a list may show fewer items than the answer has.

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "list"
  if (typeof value !== "string") return typeof value
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "time"
  return /^\d{4}-\d\d-\d\d$/.test(value) ? "day" : "string"
}

const LEFT_OUT = "..."

/** The differences, a line each. A field shown as `null` may have any value. */
export const answerDifferences = (shown: unknown, answer: unknown, at = "$"): ReadonlyArray<string> => {
  if (shown === null) return []
  const kind = kindOf(shown)
  if (kind !== kindOf(answer)) return [`${at}: shown is a ${kind}, answered ${kindOf(answer)}`]
  if (Array.isArray(shown) && Array.isArray(answer)) {
    return shown.flatMap((item: unknown, index) => {
      const found = answer.map((one: unknown) => answerDifferences(item, one, `${at}[${index}]`))
      return found.some((none) => none.length === 0) ? [] : (found[0] ?? [`${at}[${index}]: nothing answered`])
    })
  }
  if (typeof shown !== "object" || typeof answer !== "object" || answer === null) return []
  const answered = new Map<string, unknown>(Object.entries(answer))
  const members = Object.entries(shown).filter(([name]) => name !== LEFT_OUT)
  const unshown = LEFT_OUT in shown ? [] : [...answered.keys()].filter((name) => !(name in shown))
  return [
    ...unshown.map((name) => `${at}.${name}: not shown`),
    ...members.flatMap(([name, value]: readonly [string, unknown]) =>
      answered.has(name)
        ? answerDifferences(value, answered.get(name), `${at}.${name}`)
        : [`${at}.${name}: not answered`]
    )
  ]
}
