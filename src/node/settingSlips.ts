// Common mistakes in the text of any setting. A shell takes off quotes and comments; Docker's `--env-file` and some editors keep them. The
// service would then use a folder named `"`, and lose keys and history with the container.

/** The most characters of a value that are shown. */
const LONGEST = 60

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|[^\P{Zs} ]/gu

/** A value as an operator sees it: invisible characters as escapes, and double quotes around it unless it begins with some. */
export const shown = (value: string): string => {
  const cut = value.slice(0, LONGEST)
  const quoted = /^["']/.test(cut) ? cut : JSON.stringify(cut)
  return quoted.replaceAll(INVISIBLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

const KEPT = "Docker's --env-file keeps"

/** What a value must not have, in words that follow "must"; `undefined` for a plain value. */
export const slipIn = (value: string): string | undefined => {
  if (/^["']|["']$/.test(value.trim())) return `have no quotes; ${KEPT} them`
  if (/\s#/.test(value)) return `have no comment behind its value; ${KEPT} it`
  if (value.includes("\r")) return "have no carriage return; save the file with the line ends of Unix"
  if (value !== value.trim()) return `have no blanks around its value; ${KEPT} them`
  return value.search(INVISIBLE) >= 0 ? "have no invisible characters" : undefined
}

/** Whether the user or the password of an address has a character that begins another part of it. */
const isUnencoded = (address: string): boolean => {
  const [, user = ""] = /^[a-z]+:\/\/(?!\/)(.*)@/is.exec(address) ?? []
  return /[/?#@]|%(?![0-9a-f]{2})/i.test(user)
}

/** The same for an address with a user and a password. */
export const slipInAddress = (address: string): string | undefined =>
  isUnencoded(address)
    ? "have its user and password percent-encoded: @ is %40, # is %23, % is %25, / is %2F, ? is %3F"
    : undefined
