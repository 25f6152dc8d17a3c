// Plain text as HTML.

/** Escapes text for elements and attributes. */
export const text = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Escapes text; parts between backticks become code. */
export const prose = (plain: string): string => text(plain).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** Indented JSON. The keyboard can scroll it. */
export const json = (value: unknown): string =>
  `<pre tabindex="0"><code>${text(JSON.stringify(value, null, 2))}</code></pre>`

/** A row of a table: a heading, which is code, and cells of markup. */
export const row = (code: string, ...cells: ReadonlyArray<string>): string =>
  `<tr><th scope="row"><code>${text(code)}</code></th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
