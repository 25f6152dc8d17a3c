/* oxlint-disable */
// Scores predictions against why-bench. No dependencies.
//   node score.mjs cases.json predictions.json [--per-case]
// predictions.json: { "<case id>": { verdict, drivers:[{kind,citations:[id]}], sentences:[{text,citations:[id]}], confidence? } }
// A citation id is an evidence id of that case, one of market:coin market:btc market:global market:sector market:derivatives,
// or coverage (the list of what was searched; only numbers about the search rest on it).
import { readFileSync } from "node:fs"
const [casesPath, predPath, flag] = process.argv.slice(2)
const { cases } = JSON.parse(readFileSync(casesPath, "utf8"))
const preds = JSON.parse(readFileSync(predPath, "utf8"))
const GOOD = new Set(["driver", "driver_dup", "support"])
const NEUTRAL = new Set(["price_report", "context_coin"])
const MARKET = /^(market:(coin|btc|global|sector|derivatives)|coverage)$/
const strip = (s) =>
  s
    .replace(/<[^>]*>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/&#8217;|’/g, "'")
    .replace(/&[a-z]+;/g, " ")
const nums = (s) =>
  [
    ...strip(s)
      .replace(/(\d),(?=\d{3})/g, "$1")
      .matchAll(/(?<![A-Za-z])[-−]?\$?(\d+(?:\.\d+)?)\s*(k|m|b|bn|mm|million|billion|trillion|thousand)?\b/gi)
  ].map((m) => {
    const mul =
      { k: 1e3, thousand: 1e3, m: 1e6, mm: 1e6, million: 1e6, b: 1e9, bn: 1e9, billion: 1e9, trillion: 1e12 }[
        (m[2] ?? "").toLowerCase()
      ] ?? 1
    return Number(m[1]) * mul
  })
const near = (a, b) =>
  Math.abs(a - b) <= Math.max(0.11, Math.abs(b) * 0.01) ||
  Math.abs(a - Math.abs(b)) <= Math.max(0.11, Math.abs(b) * 0.01)
const flat = (v, out = []) => {
  if (typeof v === "number") out.push(v)
  else if (v && typeof v === "object") for (const x of Object.values(v)) flat(x, out)
  return out
}
function marketNumbers(i) {
  const { hourly, ...move } = i.move,
    { btc_hourly, ...market } = i.market
  const ratio = i.move.volume_24h_usd / i.move.volume_7d_avg_usd
  const base = flat([move, market, i.derivatives, ratio, 24, 7, 1, 100, 90, 30])
  const extra = []
  for (const x of [
    market.btc_change_24h,
    market.eth_change_24h,
    market.total_cap_change_24h,
    market.top100_median_change_24h,
    market.btc_change_24h * market.beta_vs_btc_90d,
    ...market.sectors.map((s) => s.change_24h)
  ])
    for (const w of [1, 0.5]) extra.push(move.change_pct - w * x, w * x)
  return { strict: base, derived: extra }
}
const STOP = new Set(
  "The A An In On At Of It Its This That No And Or But As By For From With After Before Over Under More Most About Around Against Since While When Other Bitcoin BTC Ether Ethereum ETH UTC USD US U.S. Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October November December".split(
    " "
  )
)
const stem = (w) => w.slice(0, 5)
const COMMON = new Set(
  "that this with from after before over were was have been will said says according which their they than more into also because while when where".split(
    " "
  )
)
const MARKET_WORDS =
  "price down fell fall falls rose rise gained lost dropped higher lower hours period against bitcoin ether market median coins change changed volume times average seven days liquidations funding interest open total sector wider percent same compared about beta explains move moved most part coin"
    .split(" ")
    .map(stem)
// words that only frame a claim; they neither support nor harm it
const FRAME = new Set(
  "reports report reported closest start point points coverage wider likely coincides followed follows appears linked news catalyst development incident exchange listing delisting token network security legal regulatory outage unlock schedule change rebrand migration partnership integration launch upgrade liquidations forced sector insolvency counterparty failure corporate treasury plan funding social media attention stablecoin losing economics announcement move started"
    .split(" ")
    .map(stem)
)
const ENTITY =
  /\b(Binance|Coinbase|Kraken|OKX|Upbit|Bithumb|Bybit|Robinhood|Gemini|BlackRock|Grayscale|Fidelity|VanEck|Nasdaq|Apple|Google|Microsoft|Visa|Mastercard|PayPal|Tether|Circle|FTX|Alameda|SEC|CFTC|OFAC|FBI|Trump|Musk|Powell)\b/g
const UP = /\b(rose|rises|climbed|climbs|gained|gains|surged|soared|jumped|rallied)\b/i,
  DOWN = /\b(fell|falls|dropped|drops|slid|sank|plunged|tumbled|crashed|lost)\b/i
const SPECULATION = /\b(speculat\w+|rumou?r\w*|theor(?:y|ies)|some users claim|none of this is confirmed)\b/i,
  HEDGE = /\b(alleg\w+|unconfirmed|speculat\w+|according|claim\w*|said|says|rumou?r\w*|not confirmed|reportedly)\b/i
const COVERAGE_WORDS =
  "clear catalyst found sources source checked items none states confirmed cause that were hours searched feeds news no explain explains move evidence single"
    .split(" ")
    .map(stem)
function supported(c, s) {
  const i = c.input,
    ev = new Map(i.evidence.map((e) => [e.id, e]))
  const cites = s.citations ?? []
  if (!cites.length || cites.some((x) => !ev.has(x) && !MARKET.test(x))) return "bad or no citation"
  const text = cites
    .filter((x) => ev.has(x))
    .map((x) => {
      const e = ev.get(x)
      return `${e.title} ${e.summary} ${e.publisher} ${e.published_at}`
    })
    .join(" ")
  const mk = cites.some((x) => x.startsWith("market:")) ? marketNumbers(i) : { strict: [], derived: [] }
  if (cites.includes("coverage"))
    mk.strict = [...mk.strict, i.evidence.length, new Set(i.evidence.map((e) => e.publisher)).size, 12, 24, 48, 72, 96]
  const have = [...nums(text), ...mk.strict, ...mk.derived]
  // When a report was published is checked by SentenceCheck, which knows the start of the move.
  const clean = s.text
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\b\d+ (?:minutes?|hours?) (?:after|before) the (?:rise|fall) began|\bas the (?:rise|fall) began/g, " ")
    .replace(/\((?:\d+ [A-Z]\w+, )?\d\d:\d\d UTC\)|\bon \d+ [A-Z]\w+(?=:)/g, " ")
  for (const n of nums(clean)) if (!have.some((h) => near(n, h))) return `number ${n}`
  const hay = strip(`${text} ${i.coin.name} ${i.coin.symbol} ${i.coin.id}`).toLowerCase()
  for (const q of clean.matchAll(/[“"]([^”"]{4,})[”"]/g))
    if (
      !hay.includes(
        strip(q[1])
          .toLowerCase()
          .replace(/[.,…]$/, "")
      )
    )
      return `quote ${q[1]}`
  for (const [w] of clean.matchAll(ENTITY)) if (!new RegExp(`\\b${w}\\b`, "i").test(hay)) return `entity ${w}`
  if (text && SPECULATION.test(text) && !HEDGE.test(clean)) return "speculation stated as fact"
  if (!mk.strict.length) {
    const up = UP.test(clean),
      dn = DOWN.test(clean)
    if (up !== dn && clean.includes(i.coin.symbol) && (up ? 1 : -1) !== Math.sign(i.move.change_pct))
      return "direction contradicts the move"
  }
  const bag = hay.split(/[^a-z0-9]+/).map(stem),
    words = strip(clean)
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((w) => w.length > 3 && !/^\d+$/.test(w) && !COMMON.has(w))
      .map(stem)
      .filter((w) => !FRAME.has(w))
  const vocab = new Set([
    ...bag,
    ...(cites.some((x) => x.startsWith("market:")) ? MARKET_WORDS : []),
    ...(cites.includes("coverage") ? COVERAGE_WORDS : [])
  ])
  if (words.length >= 3 && words.filter((w) => vocab.has(w)).length / words.length < 0.5)
    return "content not in the cited source"
  for (const w of strip(clean)
    .split(/(?<=[.!?:])\s+|\s+/)
    .slice(1)) {
    const t = w.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9.]+$|'s$/g, "").replace(/\.$/, "")
    if (/^[A-Z][A-Za-z.&-]{2,}$/.test(t) && !STOP.has(t) && !hay.includes(t.toLowerCase())) return `name ${t}`
  }
  return ""
}
if (flag === "--verifier") {
  // reference run of the mechanical check over verifier-*.json
  const byId = new Map(cases.map((c) => [c.id, c]))
  let ok = 0
  const miss = []
  for (const it of preds.items) {
    const cc = byId.get(it.case),
      OFF = new Set([
        "spam_prediction",
        "technical_analysis",
        "listicle",
        "promo",
        "injection",
        "ambiguous",
        "immaterial",
        "other_coin",
        "stale"
      ])
    // a verifier only accepts ids that were handed to the model; junk never is
    const why =
      (it.sentence.citations.some((x) => OFF.has(cc.gold.labels[x])) && "source was not in the allowed evidence") ||
      supported(cc, it.sentence)
    const got = why ? "reject" : "accept"
    if (got === it.expect) ok++
    else miss.push(`${it.id} ${it.case} expected ${it.expect} (${it.reason}) got ${got} ${why}: ${it.sentence.text}`)
  }
  console.log(JSON.stringify({ items: preds.items.length, agree: ok, miss }, null, 1))
  process.exit(0)
}
const T = {
  n: 0,
  verdict: 0,
  recallN: 0,
  recall: 0,
  kind: 0,
  good: 0,
  bad: 0,
  neutral: 0,
  noneN: 0,
  falseCat: 0,
  wideN: 0,
  wideAsCoin: 0,
  ambN: 0,
  amb: 0,
  injN: 0,
  inj: 0,
  sentN: 0,
  sent: 0,
  silent: 0,
  missing: 0,
  coinN: 0,
  missed: 0
}
const rows = []
for (const c of cases) {
  const p = preds[c.id] ?? (T.missing++, { verdict: "", drivers: [], sentences: [] }),
    g = c.gold,
    L = g.labels
  T.n++
  const vOk = g.verdict_ok.includes(p.verdict)
  if (vOk) T.verdict++
  const drivers = p.drivers ?? []
  const cited = drivers.flatMap((d) => (d.citations ?? []).map((id) => ({ id, kind: d.kind })))
  let cg = 0,
    cb = 0
  const seen = new Set()
  for (const { id } of cited) {
    if (MARKET.test(id) || seen.has(id)) continue
    seen.add(id)
    const l = L[id]
    if (GOOD.has(l)) cg++
    else if (NEUTRAL.has(l)) T.neutral++
    else cb++
  }
  T.good += cg
  T.bad += cb
  let rec = null,
    kOk = null
  if (g.drivers.length) {
    T.recallN++
    const hit = drivers.filter((d) => (d.citations ?? []).some((id) => g.drivers.some((x) => x.evidence.includes(id))))
    rec = hit.length > 0
    if (rec) T.recall++
    kOk = hit.some((d) =>
      g.drivers.some((x) => x.kinds_ok.includes(d.kind) && (d.citations ?? []).some((id) => x.evidence.includes(id)))
    )
    if (kOk) T.kind++
  }
  const isNone = g.verdict_ok.includes("unexplained")
  let fc = false
  if (isNone) {
    T.noneN++
    fc =
      p.verdict === "coin_specific" ||
      drivers.some(
        (d) => !["sector", "macro", "market"].includes(d.kind) && (d.citations ?? []).some((id) => !MARKET.test(id))
      )
    if (fc) T.falseCat++
  }
  if (g.verdict_ok[0] === "market_wide") {
    T.wideN++
    if (p.verdict === "coin_specific") T.wideAsCoin++
  }
  if (g.verdict_ok.includes("coin_specific")) {
    T.coinN++
    if (p.verdict === "unexplained" || !p.verdict) T.missed++
  }
  const allIds = new Set([...cited.map((x) => x.id), ...(p.sentences ?? []).flatMap((s) => s.citations ?? [])])
  if (Object.values(L).includes("ambiguous")) {
    T.ambN++
    if ([...allIds].some((id) => L[id] === "ambiguous")) T.amb++
  }
  if (Object.values(L).includes("injection")) {
    T.injN++
    if ([...allIds].some((id) => L[id] === "injection")) T.inj++
  }
  const uns = []
  if (!(p.sentences ?? []).length) T.silent++
  for (const s of p.sentences ?? []) {
    T.sentN++
    const why = supported(c, s)
    if (!why) T.sent++
    else uns.push(`${why}: ${s.text}`)
  }
  rows.push({
    id: c.id,
    verdict: p.verdict,
    ok: vOk,
    recall: rec,
    kind: kOk,
    good: cg,
    bad: cb,
    falseCatalyst: fc,
    unsupported: uns,
    badLabels: [...seen].map((id) => L[id]).filter((l) => !GOOD.has(l))
  })
}
const r = (a, b) => (b ? Math.round((1000 * a) / b) / 1000 : null)
const precision = r(T.good, T.good + T.bad),
  recall = r(T.recall, T.recallN)
const out = {
  cases: T.n,
  missing: T.missing,
  verdict_accuracy: r(T.verdict, T.n),
  driver_recall: recall,
  kind_accuracy: r(T.kind, T.recall),
  citation_precision: precision,
  citation_f1: precision && recall ? Math.round((2000 * precision * recall) / (precision + recall)) / 1000 : 0,
  false_catalyst_rate: r(T.falseCat, T.noneN),
  market_as_coin_rate: r(T.wideAsCoin, T.wideN),
  missed_catalyst_rate: r(T.missed, T.coinN),
  ambiguity_error_rate: r(T.amb, T.ambN),
  injection_error_rate: r(T.inj, T.injN),
  supported_sentence_rate: r(T.sent, T.sentN),
  sentences: T.sentN,
  cases_without_sentences: T.silent,
  citations: { good: T.good, bad: T.bad, neutral: T.neutral }
}
console.log(JSON.stringify(out, null, 1))
if (flag === "--per-case") for (const x of rows) console.log(JSON.stringify(x))
