// The page's script, part 3: the naira, conversion, the market and its coins.

const js = String.raw

/** The panels that show prices. */
export const markets = js`
// Where the official rate, what a dollar brings, the middle and what it costs stand to each other.
const scale = (data) => {
  if (data.sell == null || data.buy == null || data.mid == null) return null;
  const at = [data.official, data.sell, data.mid, data.buy].map((rate) => rate == null ? null : Number(rate));
  const known = at.filter((rate) => rate != null);
  const low = Math.min(...known);
  const width = Math.max(...known) - low || 1;
  const place = (rate) => 2 + 96 * (rate - low) / width + "%";
  const svg = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    element.append(text ?? "");
    return element;
  };
  const label = (rate, y, text) => {
    const x = place(rate);
    return svg("text", { x, y, "text-anchor": parseFloat(x) < 20 ? "start" : parseFloat(x) > 80 ? "end" : "middle" }, text);
  };
  const drawing = svg("svg", { class: "scale", "aria-hidden": "true" });
  drawing.append(
    svg("line", { x1: "0", x2: "100%", y1: 30, y2: 30 }),
    svg("line", { class: "gap", x1: place(at[1]), x2: place(at[3]), y1: 30, y2: 30 }),
    svg("line", { class: "mid", x1: place(at[2]), x2: place(at[2]), y1: 26, y2: 34 }),
    label((at[1] + at[3]) / 2, 14, "between people: sell to buy"));
  if (at[0] != null) drawing.append(
    svg("line", { x1: place(at[0]), x2: place(at[0]), y1: 22, y2: 42 }),
    label(at[0], 56, "official"));
  return drawing;
};

const counted = (rejected) => {
  const reasons = Object.entries(rejected);
  return reasons.length === 0 ? "none" : [
    String(reasons.reduce((sum, [, count]) => sum + Number(count), 0)),
    h("small", null, reasons.map(([reason, count]) => count + " " + words(reason)).join(", "))];
};

panel("naira", 300, (data) => [
  h("p", { class: "big" }, figure(data.mid, naira)),
  h("p", { class: "lead" }, "for one USDT between people, halfway from what it brings to what it costs"),
  data.reason ? h("p", { class: "reason" }, "Why it is not all there: " + words(data.reason)) : null,
  scale(data),
  items([
    ["One USDT costs", figure(data.buy, naira), "to buy"],
    ["One USDT brings", figure(data.sell, naira), "to sell"],
    ["Spread", figure(data.spread, share), "of the middle"],
    ["Official rate", figure(data.official, naira), "for one US dollar", data.official_source && data.official_source + ",", data.official_date],
    ["Premium", figure(data.premium, change), "over the official rate"],
    ["Confidence", data.confidence, "in the middle"]]),
  table("Venues: ads used and rejected, and how old each quote is", ["Venue", "Buy", "Sell", "Middle", "Ads used", "Ads rejected", "Age"],
    data.venues.map((venue) => [
      [venue.venue, h("small", null, venue.kind === "p2p" ? "between people" : words(venue.kind)), venue.reason ? h("small", { class: "reason" }, words(venue.reason)) : null],
      figure(venue.buy, cents), figure(venue.sell, cents), figure(venue.mid, cents),
      venue.kind === "order_book" ? "no ads" : figure(venue.ads_used, whole),
      venue.kind === "order_book" ? "" : venue.ads_used == null && venue.reason ? unknown() : counted(venue.ads_rejected),
      time(venue.updated)]), [5])
]).load();

const field = (id) => $(id).value.trim();

let unsure = "from";
const converter = panel("convert", 3600, (data) => [
  h("p", { class: "sum" }, exact(data.amount) + " " + data.from + " = " + exact(data.result) + " " + data.to),
  h("p", { class: "soft" }, "1 " + data.from + " = " + exact(data.rate) + " " + data.to),
  data.legs.length === 0 ? h("p", null, "Nothing to walk: both are the same.") : table("The rates walked, as they are quoted", ["One of", "Is"],
    data.legs.map((leg) => [[leg.from, h("small", null, leg.source + ", ", time(leg.updated))], [exact(leg.rate), h("small", null, leg.to)]]))
], (id) => {
  $(unsure).value = id;
  $(unsure).focus();
  convert();
}, (problem) => {
  // Which of the two is unknown, the API says in words only: its sentence begins with it.
  const begins = (id) => problem?.detail?.toLowerCase().startsWith('"' + field(id).toLowerCase() + '"');
  if (problem?.code === "unknown_asset") unsure = begins("to") && !begins("from") ? "to" : "from";
  for (const id of ["from", "to", "amount"]) {
    const isWrong = problem?.errors?.some((error) => error.parameter === id) || problem?.code === "unknown_asset" && id === unsure;
    $(id).ariaInvalid = isWrong ? "true" : null;
  }
});
const convert = () => {
  const asked = { from: field("from"), to: field("to"), amount: field("amount") };
  return converter.go("/v1/convert?" + new URLSearchParams(asked), (data) =>
    exact(data.amount) + " " + data.from + " is " + exact(data.result) + " " + data.to);
};
$("converter").addEventListener("submit", (event) => { event.preventDefault(); convert(); });
$("swap").addEventListener("click", () => {
  [$("from").value, $("to").value] = [$("to").value, $("from").value];
  convert();
});
$("converter").hidden = false;
converter.load();

panel("global", 900, (data) => items([
  ["Market capitalisation", figure(data.market_cap, shortDollars), [moved(data.market_cap_change_24h), " in 24 hours"]],
  ["Volume of 24 hours", figure(data.volume_24h, shortDollars)],
  ["Bitcoin’s share", figure(data.btc_dominance, share)],
  ["Ether’s share", figure(data.eth_dominance, share)],
  ["Coins", figure(data.active_coins, whole)]])).load();

const LIMIT = 15;
const coinsPath = (page) => "/v1/coins?limit=" + LIMIT + "&page=" + page;
const coins = panel("coins", 900, (data) => {
  const page = Number(data.page);
  for (const id of ["assets", "coin-ids"]) {
    const known = new Set([...$(id).options].map((option) => option.value));
    $(id).append(...data.coins.filter((coin) => !known.has(coin.id)).map((coin) => h("option", { value: coin.id }, coin.name + " (" + coin.symbol + ")")));
  }
  const turn = (to, text) => h("button", { type: "button", click: async () => {
    await coins.go(coinsPath(to), () => "Coins, page " + to);
    $("coins-title").scrollIntoView();
    $("coins").querySelector(".wide, .pages button")?.focus({ preventScroll: true });
  } }, text);
  return [
    data.coins.length === 0 ? h("p", null, "The list ends before this page.") : table("Coins, page " + page, ["Coin", "Price", "24 hours", "1 hour", "7 days", "Market cap", "Volume, 24 h", "Age"],
      data.coins.map((coin) => [
        [quoteOf(coin.name), h("small", null, (coin.rank ?? "no rank") + " · " + coin.symbol + " · ", h("code", null, coin.id))],
        figure(coin.price, dollars), moved(coin.change_24h), moved(coin.change_1h), moved(coin.change_7d),
        figure(coin.market_cap, shortDollars), figure(coin.volume_24h, shortDollars), time(coin.updated)])),
    h("div", { class: "pages" },
      page > 1 ? turn(page - 1, "Previous " + LIMIT) : null,
      h("span", { class: "soft" }, "Page " + page),
      data.coins.length === LIMIT ? turn(page + 1, "Next " + LIMIT) : null)
  ];
});
$("assets").append(...["NGN", "USD", "EUR", "GBP", "INR", "ZAR", "AED", "CAD", "JPY"].map((code) => h("option", { value: code })));
coins.load();
`
