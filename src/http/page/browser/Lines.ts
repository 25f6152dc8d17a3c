// The lines of a panel that are copied into other programs: the command for a shell, a formula, and how an agent gets the answer.
import { button, type Content, h, say, unseen } from "./Elements.ts"
import { COINGECKO, usesOf } from "./Elsewhere.ts"

/**
 * The command for a shell: the path's apostrophes are written as %27. In the page its lines may break after a `/` and the `?`
 * and before an `&`.
 */
export const curl = (path: string): Content => {
  const quote = /^[\w/.-]*$/.test(path) ? "" : "'"
  const pieces = (location.origin + path).split(/(?<=\?|\w\/)|(?=&)/)
  return [`curl ${quote}`, pieces.map((piece) => [piece, h("wbr")]), quote]
}

/** `what` says to a screen reader what is copied. */
export const copyButton = (code: HTMLElement, what: string): HTMLElement => {
  const label = h("span", "Copy")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
    } catch {
      getSelection()?.selectAllChildren(code)
      say("Selected: press Copy on the keyboard")
      return
    }
    say("Copied")
    label.textContent = "Copied"
    setTimeout(() => (label.textContent = "Copy"), 2000)
  }
  return button(copy, label, unseen(` ${what}`))
}

/** Google fetches what a formula names, and reaches public addresses only. */
const forGoogle = /^(localhost|127\.|10\.|192\.168\.|\[)/.test(location.hostname)
  ? "Google reaches public addresses only, not this one."
  : null

const useLine = (program: string, text: string, title: string, ...remarks: ReadonlyArray<Content>): Content => {
  const code = h("code", text)
  return [
    h("p", program, " ", copyButton(code, `the line for ${program} of ${title}`)),
    h("p", { class: "line" }, code),
    h("p", remarks)
  ]
}

/** The lines for what a path answers, but the one for the shell. */
export const usesView = (path: string, title: string): Content => {
  const uses = usesOf(location.origin + path)
  if (uses === null) return null
  const { coinGecko, formula, input, program, tool } = uses
  return [
    useLine(program, formula, title, program === "Google Sheets" ? forGoogle : "This answer is JSON; no CSV has it."),
    useLine("AI agent", `claude mcp add --transport http crypto-data ${location.origin}/mcp`, title, [
      "Then the tool ",
      h("code", tool),
      Object.keys(input).length === 0 ? null : [" with ", h("code", JSON.stringify(input))]
    ]),
    coinGecko === null
      ? null
      : useLine("Programs made for CoinGecko", coinGecko, title, [
          "Their base address here: ",
          h("code", location.origin + COINGECKO)
        ])
  ]
}
