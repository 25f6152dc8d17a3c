// Converts plain text and JSON to HTML.

/** Escapes text for elements and attributes. */
export const text = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Escapes text; parts between backticks become code. */
export const prose = (plain: string): string => text(plain).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** Indented JSON. `tabindex` lets the keyboard scroll it. */
export const json = (value: unknown): string =>
  `<pre tabindex="0"><code>${text(JSON.stringify(value, null, 2))}</code></pre>`

/** A table row. `code`: plain text; `cells`: markup. */
export const row = (code: string, ...cells: ReadonlyArray<string>): string =>
  `<tr><th scope="row"><code>${text(code)}</code></th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
