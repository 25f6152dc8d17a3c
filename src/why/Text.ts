// Text as the engine reads and shows it. Titles and summaries arrive cleaned (`domain/Evidence`); names of coins do
// not.

/** A name on one line, without the characters of markup: coins may be called anything. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}<>`{}*]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** Cut at a word and ended with "…", so that the whole stays within `limit` characters. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const head = text.slice(0, limit - 1)
  const space = head.lastIndexOf(" ")
  return `${(space > limit / 2 ? head.slice(0, space) : head).replace(/[\s,;:.-]+$/, "")}…`
}

/** Whether A HEADLINE IS IN CAPITALS. Then capitals mark no names. */
export const isShouting = (text: string): boolean => {
  // Most texts have no three words in capitals.
  if ((text.match(/(?<!\p{L})[^\P{L}\p{Ll}]{3}/gu)?.length ?? 0) < 3) return false
  const words = text.match(/\p{L}{3,}/gu) ?? []
  return words.filter((word) => word === word.toUpperCase()).length / words.length > 0.7
}

/** Whether A Headline Starts Its Words With Capitals. Then a capital hardly marks a name. */
export const isTitleCase = (text: string): boolean => {
  const words = (text.match(/\p{L}[\p{L}'’]{3,}/gu) ?? []).slice(1)
  return words.length >= 3 && words.filter((word) => /^\p{Lu}/u.test(word)).length / words.length > 0.65
}
