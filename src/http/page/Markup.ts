// What the page at `/` says before any script runs: what this is, and for each panel what it shows, its path and its `curl`.
// The script fills the panels; without it the page is to be read as it stands here. It never depends on the request.

/** The page around its style and its script, both taken as they are. */
export const markup = (style: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="A self-hosted JSON API for crypto prices, the Nigerian naira's peer-to-peer rate and conversion, each answer stamped with its source and time.">
<title>crypto-data-api: the naira between people, coins and why they moved</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the figures</a>
<header class="top">
<p class="name">crypto-data-api</p>
<nav aria-label="Documents"><a href="/docs">Documentation</a><a href="/openapi.json">OpenAPI</a><a href="/v1/sources">Sources</a></nav>
</header>
<main id="main" tabindex="-1">
<div class="intro">
<h1>What the naira is worth between people, what a coin costs, and why it moved.</h1>
<div>
<p>This is a self-hosted JSON API for crypto prices, the Nigerian naira’s peer-to-peer rate, and conversion between any coin and any fiat. Every answer names its source and the time of its data; no number is invented, and what is not known is called unknown.</p>
<p class="soft">Free without a key: 60 requests a minute for each address. The figures on this page come from the same API, by the <code>curl</code> lines beside them.</p>
</div>
</div>
<noscript><p class="notice">The figures are fetched by a script, and scripts are off. The lines below give the same: set <code>URL</code> to the address of this page, or follow the links.</p></noscript>
<p class="notice" id="sandbox" role="note" hidden><strong>A simulated world.</strong> This server runs its sandbox: no figure on this page is real.</p>
${panels.map(panel).join("\n")}
</main>
<footer>
<p>The data is provided as is, for information only; it is not financial advice.</p>
<p>Please credit the service where you show its data, and the sources as <a href="/v1/sources">they ask to be</a>.</p>
<p class="soft">Keys for 600 or 3,000 requests a minute come from whoever operates this server. Reports are told as coincidences, never as proof of cause. Errors explain themselves, such as <a href="/problems/rate_limited">too many requests</a>.</p>
</footer>
<p class="unseen" id="said" role="status"></p>
<script type="module">${script}</script>
</body>
</html>
`

/** ₦ on the green of the page, percent-encoded. */
const icon =
  "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230a6640'/%3E" +
  "%3Cpath d='M10 24V8l12 16V8M6 14h20M6 18h20' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E"

interface Panel {
  readonly id: string
  readonly title: string
  readonly text: string
  /** What it asks for first, and what its `curl` shows until the script has asked for something else. */
  readonly path: string
  /** Controls, hidden while there is no script to work them. */
  readonly form?: string
}

const panel = ({ form = "", id, path, text, title }: Panel): string =>
  `<section class="panel" id="${id}" aria-labelledby="${id}-title" data-path="${attribute(path)}">
<div class="about">
<h2 id="${id}-title">${title}</h2>
<p class="soft">${text}</p>
</div>
<div class="what">${form}<div class="body"></div></div>
<div class="from">
<div class="stamp"></div>
<p class="curl"><code>curl "$URL${attribute(path)}"</code></p>
<p class="acts"><button type="button" class="copy" hidden>Copy<span class="unseen"> the curl of ${title}</span></button><button type="button" class="refresh" hidden>Refresh<span class="unseen"> ${title}</span></button><a href="${attribute(path)}">JSON<span class="unseen"> of ${title}</span></a></p>
</div>
</section>`

const attribute = (text: string): string => text.replaceAll("&", "&amp;")

const field = (id: string, label: string, attributes: string): string =>
  `<p><label for="${id}">${label}</label><input id="${id}" autocomplete="off" autocapitalize="none" spellcheck="false" ${attributes}></p>`

const panels: ReadonlyArray<Panel> = [
  {
    id: "naira",
    title: "The naira now",
    text: "What one USDT costs in naira, and what it brings, where people trade with each other. Beside it the official rate.",
    path: "/v1/naira"
  },
  {
    id: "convert",
    title: "Convert",
    text: "Any coin or fiat into any other, by the rates walked on the way. Coins go by their identifier, fiats by their code.",
    path: "/v1/convert?from=bitcoin&to=NGN&amount=0.01",
    form: `<form hidden aria-label="Convert" id="converter">
${field("amount", "Amount", 'inputmode="decimal" value="0.01"')}
${field("from", "From", 'list="assets" value="bitcoin"')}
<p class="swap"><button type="button" id="swap">Swap<span class="unseen"> from and to</span></button></p>
${field("to", "To", 'list="assets" value="NGN"')}
<p><button class="main">Convert</button></p>
<datalist id="assets"></datalist>
</form>`
  },
  {
    id: "why",
    title: "What moved, and why",
    text: "The biggest movers of 24 hours among the 250 largest coins, with the published reports that coincide.",
    path: "/v1/why"
  },
  {
    id: "coin",
    title: "Why one coin moved",
    text: "Or why it is not counted among the movers.",
    path: "/v1/why/bitcoin",
    form: `<form hidden aria-label="Why one coin moved" id="asker">
${field("id", "Coin", 'list="coin-ids" value="bitcoin"')}
<p><button class="main">Ask</button></p>
<datalist id="coin-ids"></datalist>
</form>`
  },
  {
    id: "global",
    title: "The whole market",
    text: "All coins together, in US dollars.",
    path: "/v1/global"
  },
  {
    id: "coins",
    title: "Coins",
    text: "By market capitalisation, in US dollars. Changes are in percent.",
    path: "/v1/coins?limit=15&page=1"
  }
]
