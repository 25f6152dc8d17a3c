// What the pages of documents are written with: text made safe, code in it, and the page around it all.
import { createHash } from "node:crypto"
import { palette } from "../page/Style.ts"

/** Text as it may stand in markup and in attributes. */
export const text = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Text in which what stands between backticks is code. */
export const prose = (plain: string): string => text(plain).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** JSON to be read. */
export const json = (value: unknown): string =>
  `<pre tabindex="0"><code>${text(JSON.stringify(value, null, 2))}</code></pre>`

const hashOf = (part: string): string => `'sha256-${createHash("sha256").update(part).digest("base64")}'`

/** A page and the policy that it is sent with: its own style and script, requests to this server, and nothing else. */
export const page = (options: {
  readonly title: string
  readonly body: string
  readonly script?: string
}): { readonly html: string; readonly policy: string } => {
  const { body, script = "", title } = options
  const scripts = script === "" ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
${script === "" ? "" : `<script>${script}</script>\n`}</body>
</html>
`,
    policy: [
      "default-src 'none'",
      "img-src data:",
      `style-src ${hashOf(style)}`,
      ...scripts,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'"
    ].join("; ")
  }
}

const style = `${palette}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 var(--sans); color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
a { color: var(--green); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--green); outline-offset: 3px; }
h1, h2, h3 { line-height: 1.25; letter-spacing: -0.015em; font-weight: 600; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 1.3rem + 1.8vw, 2.5rem); margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 3rem 0 0.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0 0 0.25rem; }
h4 { font-size: 0.8125rem; color: var(--soft); margin: 1.25rem 0 0.35rem; font-weight: 600; }
p, ul { margin: 0 0 0.75rem; max-width: 46rem; }
code { font: 0.875em var(--mono); }
pre { margin: 0 0 0.75rem; padding: 0.75rem 1rem; background: var(--wash); border-radius: 4px; overflow: auto; max-height: 24rem; font-size: 0.8125rem; line-height: 1.5; overflow-wrap: normal; }
pre code { font-size: inherit; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1.25rem 0.45rem 0; border-top: 1px solid var(--line); font-weight: 400; }
td:last-child { padding-right: 0; }
@media (min-width: 40rem) { td:last-child { width: 60%; } }
@media (max-width: 40rem) { tr { display: block; padding: 0.35rem 0; border-top: 1px solid var(--line); } th, td { display: block; padding: 0; border: 0; } }
.soft, .type { color: var(--soft); }
.narrow { max-width: 46rem; margin: 0 auto; padding: clamp(1.5rem, 6vw, 4rem) 1.25rem; }
.docs { display: grid; gap: 0 3rem; max-width: 80rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 3rem) 5rem; }
.docs nav { font-size: 0.875rem; }
.docs nav ul { list-style: none; padding: 0; }
.docs nav li { margin: 0.15rem 0; }
.docs main { min-width: 0; }
section.operation { padding: 1.75rem 0 1rem; border-top: 1px solid var(--line); }
h2 + p + section.operation { border-top: 0; padding-top: 0.5rem; }
.path { font: 600 0.9375rem var(--mono); margin-bottom: 0.6rem; }
summary { cursor: pointer; color: var(--green); padding: 0.35rem 0; }
form { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; margin: 0.75rem 0; }
form[hidden] { display: none; }
label { display: grid; gap: 0.2rem; font-size: 0.8125rem; color: var(--soft); }
input { font: 0.9375rem var(--mono); color: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 4px; padding: 0.4rem 0.6rem; width: 11rem; max-width: 100%; }
button { font: 600 0.9375rem var(--sans); color: var(--on-green); background: var(--green); border: 1px solid var(--green); border-radius: 4px; padding: 0.4rem 1.1rem; cursor: pointer; }
@media (min-width: 60rem) {
  .docs { grid-template-columns: 15rem minmax(0, 1fr); }
  .docs nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow: auto; }
}
@media print { nav, form { display: none !important; } pre { max-height: none; } }
`
