// The page's script, part 1: figures and times in words. Figures stay the text they were sent as, so that none is shown in
// digits the service did not send; what is rounded for reading has the whole figure in its title.

const js = String.raw

/** Formats, and an element for each kind of value. */
export const values = js`
const read = (json) => JSON.parse(json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => token[0] === '"' ? token : '"' + token + '"'));

const by = (options) => {
  const format = new Intl.NumberFormat("en", options);
  return (figure) => format.format(figure).replace("-", "−");
};
const exact = (figure) => figure.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
const whole = by({ maximumFractionDigits: 0 });
const cents = by({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const tiny = by({ maximumSignificantDigits: 4 });
const price = (figure) => figure != 0 && Math.abs(figure) < 1 ? tiny(figure) : cents(figure);
const short = by({ notation: "compact", minimumFractionDigits: 2, maximumFractionDigits: 2 });
const naira = (figure) => "₦" + price(figure);
const dollars = (figure) => "$" + price(figure);
const shortDollars = (figure) => "$" + short(figure);
const share = (figure) => cents(figure) + "%";
const signed = by({ minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
const change = (figure) => signed(figure) + "%";
const words = (code) => code.replaceAll("_", " ");

const $ = (id) => document.getElementById(id);
const h = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value != null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child != null && child !== ""));
  return element;
};

// Text from feeds is never markup, and where it changes the direction of writing, it does so for itself.
const quoteOf = (text) => h("bdi", null, text);

// Addresses come from feeds too: only http(s) becomes a link.
const link = (address, ...text) => {
  const url = URL.canParse(address, location) ? new URL(address, location) : null;
  return /^https?:$/.test(url?.protocol) ? h("a", { href: url.href, rel: "noreferrer" }, text) : h("span", null, text);
};

const unknown = () => h("span", { class: "unknown" }, "unknown");
const figure = (value, format) =>
  value == null ? unknown() : h("data", { value, title: exact(value) }, format(value));
const moved = (value) =>
  value == null ? unknown() : h("data", { value, title: exact(value), class: { "+": "up", "−": "down" }[change(value)[0]] }, change(value));

// Ages are by the server's clock, as the Date of its last answer tells it: the reader's may be wrong.
let skew = 0;
const since = (instant) => Math.max(0, (Date.now() + skew - Date.parse(instant)) / 1000);
const ago = (seconds) => {
  for (const [size, unit] of [[86400, "day"], [3600, "hour"], [60, "minute"]]) {
    const count = Math.floor(seconds / size);
    if (count > 0) return count + " " + unit + (count > 1 ? "s" : "") + " ago";
  }
  return Math.floor(seconds) + " s ago";
};
const clock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const absolute = (instant) => clock.format(new Date(instant)) + " UTC";

// What changes with time: each says once a second how it stands, until it is no longer on the page.
const ticking = new Set();
const everySecond = (element, tick) => {
  ticking.add({ element, tick });
  tick();
  return element;
};
setInterval(() => {
  if (document.hidden) return;
  for (const one of ticking) {
    if (one.element.isConnected) one.tick();
    else ticking.delete(one);
  }
}, 1000);

const time = (instant) => {
  if (instant == null) return unknown();
  const element = h("time", { datetime: instant, title: absolute(instant) });
  return everySecond(element, () => {
    const text = ago(since(instant));
    if (element.textContent !== text) element.textContent = text;
  });
};
`
