// Compiles the regular expressions that lists of words are written as.

/** A `\b` between a word and what is none: the end of a word. */
const WORD_END = /(?<=[\w)?*+])(?<!\\[sW][+*?]?)\\b(?=$|[)| ,.;:'"-]|\\[sW]|\[\^|\(\?[!=])/g

/**
 * The regular expression of a pattern, with the end of a word as `(?!\w)`. V8 compiles what follows a choice once for each of up to ten
 * alternatives, and a `\b` takes it several times as long: half of all that a process spends on compiling its patterns.
 */
export const expressionOf = (pattern: string, flags = ""): RegExp =>
  new RegExp(pattern.replaceAll(WORD_END, "(?!\\w)"), flags)
