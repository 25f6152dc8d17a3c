// How the page looks. Hairlines instead of boxes; beside each panel, as in a margin, what it is, whence it is and how to get it.
// Colours are chosen for a contrast of at least 4.5 in both schemes, and none carries a meaning that no word or sign carries.

/** The colours in both schemes, and the typefaces, of every page that this server has. */
export const palette = `
:root {
  color-scheme: light dark;
  --paper: #fafbf9;
  --wash: #eff3ee;
  --ink: #16211b;
  --soft: #55625b;
  --line: #d9dfd8;
  --edge: #7b8981;
  --green: #0a6640;
  --red: #a1331d;
  --amber: #6d4b00;
  --amber-wash: #fbf2d9;
  --on-green: #fff;
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1512;
    --wash: #19211c;
    --ink: #e4eae6;
    --soft: #9daba3;
    --line: #2a342e;
    --edge: #728078;
    --green: #79d2a2;
    --red: #f29a86;
    --amber: #ecc678;
    --amber-wash: #29220f;
    --on-green: #0b1a12;
  }
}`

/** The style sheet. */
export const style = `${palette}
* { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { font: 1rem/1.55 var(--sans); font-variant-numeric: tabular-nums; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem); overflow-wrap: anywhere; }
a { color: var(--green); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--green); outline-offset: 3px; border-radius: 2px; }
main:focus { outline: none; }
code { font: 0.875em var(--mono); }
h1, h2, h3 { text-wrap: balance; font-weight: 600; letter-spacing: -0.015em; line-height: 1.2; }
h1 { font-size: clamp(1.75rem, 1.1rem + 2.6vw, 2.9rem); letter-spacing: -0.028em; line-height: 1.1; }
h2 { font-size: 1.25rem; }
.soft { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 1; }
.skip:focus { left: 0.5rem; top: 0.5rem; }

.top { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; justify-content: space-between; align-items: baseline; padding: 1.5rem 0; }
.name { font: 600 0.9375rem var(--mono); letter-spacing: -0.02em; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.9375rem; }
.intro { padding: clamp(2rem, 6vw, 4.5rem) 0 clamp(2.5rem, 6vw, 4rem); display: grid; gap: 1.5rem 4rem; }
.intro div { display: grid; gap: 0.75rem; max-width: 38rem; align-content: end; }
.notice { background: var(--amber-wash); color: var(--amber); padding: 0.75rem 1rem; margin-bottom: 2rem; border-radius: 4px; }

.panel { border-top: 1px solid var(--line); padding: 2rem 0 2.5rem; display: grid; gap: 1.5rem 3.5rem; }
.panel > * { min-width: 0; }
.about { display: grid; gap: 0.5rem; align-content: start; }
.about p { font-size: 0.9375rem; max-width: 34rem; }
.from { display: grid; gap: 0.6rem; align-content: start; font-size: 0.8125rem; color: var(--soft); }
.curl code { display: block; padding: 0.5rem 0.65rem; background: var(--wash); color: var(--ink); border-radius: 4px; font-size: 0.75rem; }
.acts { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.acts a, .acts button { min-height: 1.75rem; line-height: 1.75rem; }
.old { color: var(--amber); font-weight: 600; }
@media (min-width: 60rem) {
  .intro { grid-template-columns: 1.25fr 1fr; }
  .panel { grid-template: auto 1fr / 15.5rem 1fr; padding: 2.75rem 0 3.25rem; }
  .what { grid-area: 1 / 2 / 3 / 3; }
}

button { font: inherit; color: var(--green); background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
button.main { background: var(--green); color: var(--on-green); text-decoration: none; font-weight: 600; padding: 0 1.1rem; height: 2.75rem; border-radius: 4px; width: 100%; }
form { display: grid; gap: 0.75rem 1rem; align-items: end; margin-bottom: 1.75rem; }
form[hidden] { display: none; }
label { display: block; font-size: 0.8125rem; color: var(--soft); margin-bottom: 0.25rem; }
input { font: inherit; font-size: 1.0625rem; color: inherit; background: var(--paper); width: 100%; height: 2.75rem; padding: 0 0.7rem; border: 1px solid var(--edge); border-radius: 4px; }
input[aria-invalid] { border: 2px solid var(--red); }
.swap button { min-height: 2rem; }
@media (min-width: 40rem) {
  #converter { grid-template-columns: 1fr 1.4fr auto 1.4fr auto; }
  #asker { grid-template-columns: minmax(0, 20rem) 7rem; }
  .swap button { min-height: 2.75rem; }
}

/* Room for what comes, so that what is read below does not jump. */
.wait { min-height: 60vh; }
.wait, small:not(.reason) { color: var(--soft); }
.unknown { color: var(--soft); font-style: italic; font-weight: 400; }
.reason { color: var(--amber); max-width: 44rem; }
* + p.reason { margin-top: 0.75rem; }
.big { font-size: clamp(2.75rem, 1.6rem + 5.4vw, 5.25rem); line-height: 1; letter-spacing: -0.032em; font-weight: 600; }
.lead { margin-top: 0.6rem; color: var(--soft); }
dl { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.75rem; }
* + dl { margin-top: 2.25rem; }
@media (min-width: 40rem) {
  dl { grid-template-columns: repeat(3, 1fr); }
  #global dl { grid-template-columns: repeat(5, auto); }
}
dt { font-size: 0.8125rem; color: var(--soft); }
dd b { display: block; font-size: 1.3125rem; font-weight: 600; letter-spacing: -0.02em; line-height: 1.35; }
dd small { display: block; font-size: 0.8125rem; line-height: 1.4; }
.up { color: var(--green); }
.down { color: var(--red); }

.scale { margin-top: 2.25rem; display: block; width: 100%; height: 3.75rem; overflow: visible; font: 0.75rem var(--sans); }
.scale line { stroke: var(--edge); }
.scale .gap { stroke: var(--green); stroke-width: 7; }
.scale .mid { stroke: var(--paper); stroke-width: 2; }
.scale text { fill: var(--soft); }

.wide { overflow-x: auto; margin-top: 2rem; }
.wide:first-child { margin-top: 0; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
caption { text-align: left; color: var(--soft); font-size: 0.8125rem; padding-bottom: 0.5rem; }
th, td { text-align: right; vertical-align: top; padding: 0.55rem 0 0.55rem 1.25rem; border-top: 1px solid var(--line); white-space: nowrap; font-weight: 400; }
thead th { border: 0; color: var(--soft); font-size: 0.8125rem; padding-top: 0; }
.text { text-align: left; white-space: normal; min-width: 9rem; }
tr > :first-child { padding-left: 0; }
tbody th { text-align: left; white-space: normal; min-width: 8.5rem; max-width: 20rem; font-weight: 600; position: sticky; left: 0; background: var(--paper); }
th small, td small { display: block; font-weight: 400; font-size: 0.8125rem; line-height: 1.4; }
.pages { display: flex; gap: 1.5rem; align-items: baseline; margin-top: 1rem; min-height: 2rem; }

.sum { font-size: clamp(1.35rem, 1.1rem + 1.3vw, 2rem); font-weight: 600; letter-spacing: -0.025em; line-height: 1.25; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 1px solid var(--line); }
.market + details, .lead + details { margin-top: 1.75rem; }
summary { display: grid; grid-template-columns: 5.5rem 1fr auto; gap: 0 1rem; padding: 0.85rem 0; cursor: pointer; align-items: baseline; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after { content: "+"; color: var(--soft); width: 1rem; text-align: center; }
[open] > summary::after { content: "−"; }
summary b { font-size: 1.0625rem; letter-spacing: -0.02em; }
summary h3 { font-size: 1.0625rem; line-height: 1.35; }
summary small { font: 400 0.8125rem/1.4 var(--sans); letter-spacing: 0; display: block; margin-top: 0.15rem; }
.told { padding: 0 0 1.75rem; display: grid; gap: 1rem; max-width: 46rem; }
.told h4 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); margin-bottom: 0.25rem; }
.told ul, .told ol, .market ul, .market ol { padding-left: 1.4rem; }
.told li, .market li { padding-left: 0.15rem; margin-bottom: 0.3rem; font-size: 0.9375rem; }
li::marker { color: var(--soft); }
sup { line-height: 0; margin-left: 0.1em; }
sup a { padding: 0 0.1em; }
.market { display: grid; gap: 0.9rem; }
@media (min-width: 40rem) {
  .told { padding-left: 6.5rem; padding-right: 2rem; }
}
@media (max-width: 30rem) {
  summary { grid-template-columns: 4.6rem 1fr auto; gap: 0 0.6rem; }
}

.problem { border-left: 3px solid var(--red); padding: 0.1rem 0 0.1rem 1rem; margin-bottom: 1.5rem; display: grid; gap: 0.5rem; max-width: 46rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; list-style: none; }
.choices button { border: 1px solid var(--edge); border-radius: 4px; padding: 0.35rem 0.75rem; text-decoration: none; text-align: left; color: var(--ink); }
.choices button:hover { border-color: var(--green); }
footer { border-top: 1px solid var(--line); padding: 2rem 0 4rem; display: grid; gap: 0.5rem; font-size: 0.9375rem; }
footer p { max-width: 46rem; }
@media (forced-colors: active) {
  button.main { border: 1px solid; }
  .scale .gap { stroke: Highlight; }
}
@media print {
  .acts, form, .skip { display: none; }
}
`
