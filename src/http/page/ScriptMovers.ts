// The page's script, part 4: the movers and their reasons. Titles and names come from feeds: they go through
// `quoteOf`, addresses through `link`.

const js = String.raw

/** The panels of `/v1/why` and `/v1/why/{id}`. */
export const movers = js`
const references = (ids, citations) => {
  const found = ids.map((id) => citations.find((citation) => citation.id === id)).filter(Boolean);
  return found.map((citation) => h("sup", null, link(citation.url, h("span", { class: "unseen" }, "source "), citation.n)));
};

const sources = (citations) => h("ol", null, citations.map((citation) =>
  h("li", { value: citation.n }, link(citation.url, quoteOf(citation.title)),
    h("small", null, " " + citation.publisher + ", " + words(citation.type) + ", ", time(citation.published_at)))));

const driver = (one, citations) => h("li", null, quoteOf(one.summary), references(one.citations, citations), h("small", null, " " + [
  words(one.kind) + (one.role === "amplifier" ? ", amplifying" : ""),
  one.direction === "up" ? "upwards" : "downwards",
  one.publishers + (one.publishers === "1" ? " publisher" : " publishers"),
  one.confidence + " confidence",
  one.minutes_after_onset == null ? "timing unknown" : exact(one.minutes_after_onset).replace(/^-/, "") + " min " + (one.minutes_after_onset < 0 ? "before" : "after") + " the move began"
].join(" · ")));

const part = (title, ...content) => h("div", null, h("h4", null, title), content);

const standing = {
  explained: "reports coincide",
  market_wide: "with the whole market",
  sector: "with its sector",
  unexplained: "unexplained",
  insufficient_coverage: "too few sources to tell",
  not_a_mover: "not a mover"
};
const honestly = {
  unexplained: "Nothing fitting was found in what was searched. That is not to say that there is no reason.",
  insufficient_coverage: "Too few of the sources answered lately to say anything; nothing is guessed."
};

const points = (figure) => signed(figure) + " points";
const told = (mover) => {
  const { coverage, decomposition, citations } = mover;
  return h("div", { class: "told" },
    h("p", null, mover.sentences.map((sentence) => [quoteOf(sentence.text), references(sentence.citations, citations), " "])),
    honestly[mover.status] ? h("p", { class: "reason" }, honestly[mover.status]) : null,
    mover.drivers.length ? part("Reported", h("ul", null, mover.drivers.map((one) => driver(one, citations)))) : null,
    mover.watch.length ? part("Ahead", h("ul", null, mover.watch.map((one) => h("li", null, one.date + ": ", quoteOf(one.text), references(one.citations, citations))))) : null,
    mover.status === "not_a_mover" ? null : [
      part("Whose move it is", h("p", null,
        "the market’s ", figure(decomposition.market, points),
        ", its sector’s ", figure(decomposition.sector, points),
        ", the coin’s own ", figure(decomposition.coin, points),
        decomposition.onset_at ? [". It began ", time(decomposition.onset_at), decomposition.sharp ? ", sharply." : "."] : ". When it began is unknown.")),
      part("How well supported: " + mover.confidence.level, h("p", null, mover.confidence.reasons.join(", ")))],
    part("Sources", sources(citations)),
    h("p", { class: "soft" }, h("small", null, coverage.items_considered + " reports of " + coverage.window_hours + " hours considered, " + coverage.sources_ok + " sources fresh" +
      (coverage.sources_failed.length ? ", not answering: " + coverage.sources_failed.join(", ") : "") + ". Revised ", time(mover.revised_at), ".")));
};

const entry = (mover, open) => h("details", { open },
  h("summary", null, h("b", null, moved(mover.change_24h)),
    h("h3", null, quoteOf(mover.headline), h("small", null, quoteOf(mover.name + " (" + mover.symbol + ")"), " · " + standing[mover.status],
      mover.status === "not_a_mover" ? null : " · " + mover.confidence.level + " confidence"))),
  told(mover));

const marketOf = (market) => h("div", { class: "market" },
  h("p", null, quoteOf(market.summary.replace(/(\s*\[\d+\])+$/, "")),
    " Of the hundred largest coins ", figure(market.top100_up_pct, whole), "% rose; the median changed by ", moved(market.top100_median_change_24h), "."),
  market.drivers.length ? h("ul", null, market.drivers.map((one) => driver(one, market.citations))) : null,
  sources(market.citations));

panel("why", 900, (data) => [
  marketOf(data.market),
  data.movers.length === 0 ? h("p", { class: "reason" }, "No coin moves far enough to be listed.") : data.movers.map((mover, n) => entry(mover, n === 0)),
  h("p", { class: "lead" }, data.disclaimer)
]).load();

const whyNot = ({ reason, threshold_pct, sigma }) => ({
  below_threshold: "It would have to move by " + share(threshold_pct) + " to be counted" + (sigma == null ? "" : "; its usual day is " + share(sigma)) + ".",
  below_liquidity_floor: "Too little of it is traded for its price to mean much.",
  below_rank_floor: "It is not among the largest coins, which alone are watched.",
  excluded_category: "Stablecoins and receipts for other coins are not counted.",
  unreliable_price: "Its price cannot be relied on."
})[reason] ?? words(reason);

const asker = panel("coin", 900, (data) => [
  data.not_a_mover ? h("p", { class: "sum" }, "Not a mover") : null,
  data.not_a_mover ? h("p", { class: "lead" }, whyNot(data.not_a_mover)) : null,
  entry(data, true),
  data.last_explanation ? [h("p", { class: "lead" }, "What was last said of it, ", time(data.last_explanation.revised_at), ":"), entry(data.last_explanation, false)] : null,
  h("p", { class: "lead" }, data.disclaimer)
], (id) => {
  $("id").value = id;
  $("id").focus();
  askWhy();
});
const askWhy = () => asker.go("/v1/why/" + encodeURIComponent(field("id").toLowerCase()).replaceAll("'", "%27"), (data) => data.headline);
$("asker").addEventListener("submit", (event) => { event.preventDefault(); askWhy(); });
$("asker").hidden = false;
`
