// The page's script, part 2: asking the API, and what is the same for every panel: its stamp, its `curl`, its problems in the
// API's own words. Nothing is asked again by itself, for the quota may be shared by everybody behind one address.

const js = String.raw

/** Requests, problems and panels. */
export const panels = js`
const PATIENCE = 15000;

const ask = async (path) => {
  let response, text;
  try {
    response = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
    text = await response.text();
  } catch (error) {
    throw error.name === "TimeoutError"
      ? { title: "No answer", detail: "The server did not answer within 15 s." }
      : { title: "The server could not be reached", detail: "It may be down, or the connection is." };
  }
  const date = Date.parse(response.headers.get("date"));
  if (date) skew = date - Date.now();
  let body;
  try {
    body = read(text) ?? {};
  } catch {
    body = {};
  }
  if (response.ok && body.data && body.meta) return body;
  throw { title: "This is no answer of the API", detail: "HTTP status " + response.status + ".", ...body, retry: response.headers.get("retry-after") };
};

const say = (text) => { $("said").textContent = text; };

const countdown = (seconds, again) => {
  const end = performance.now() + seconds * 1000;
  const place = h("p");
  return everySecond(place, () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    if (left > 0) place.textContent = "It can be asked again in " + left + " s.";
    else if (!place.firstElementChild) place.replaceChildren(h("button", { type: "button", click: again }, "Try again"));
  });
};

const problemView = (problem, again, choose) =>
  h("div", { class: "problem" },
    h("p", null, h("strong", null, problem.title)),
    problem.errors
      ? h("ul", { class: "choices" }, problem.errors.map((error) => h("li", null, h("code", null, error.parameter), " " + error.detail)))
      : h("p", null, problem.detail),
    choose && problem.suggestions?.length
      ? [h("p", null, "Choose the one that is meant:"),
        h("ul", { class: "choices" }, problem.suggestions.map((coin) =>
          h("li", null, h("button", { type: "button", click: () => choose(coin.id) }, h("code", null, coin.id), " " + coin.name + " (" + coin.symbol + ")"))))]
      : null,
    problem.retry || !problem.code ? countdown(Number(problem.retry) || 0, again) : null,
    problem.type ? h("p", null, link(problem.type, "What this means"), h("small", null, " · HTTP " + problem.status + " · request " + problem.instance)) : null);

// To be pasted into a shell: an apostrophe in the path is %27. Its lines may break after the ?, and before an &.
const curl = (path) => {
  const address = location.origin + path;
  const quote = /^[\w/.-]*$/.test(path) ? "" : "'";
  return ["curl " + quote, ...address.split(/(?<=[?])|(?=&)/).flatMap((piece) => [piece, h("wbr")]), quote];
};

// One panel: where it is, from how many seconds on its data is called old, how an answer is shown; and what else is done when
// a coin is chosen among those suggested, and when it is known whether the API found a fault (null if none).
const panel = (id, old, show, choose, judged = () => {}) => {
  const section = $(id);
  const body = section.querySelector(".body");
  const title = section.querySelector("h2").textContent;
  let path = section.dataset.path;
  let turn = 0;

  const point = (next) => {
    path = next;
    section.querySelector(".curl code").replaceChildren(...curl(path));
    section.querySelector(".acts a").href = path;
  };

  const stamp = (meta) => {
    const mark = h("span", { class: "old" });
    everySecond(mark, () => { mark.textContent = since(meta.updated) > old ? " · old" : ""; });
    section.querySelector(".stamp").replaceChildren(
      h("p", null, meta.source),
      h("p", null, "Observed ", time(meta.updated), mark),
      h("p", null, absolute(meta.updated)));
    if (meta.source.includes("(sandbox)")) $("sandbox").hidden = false;
  };

  const load = async (spoken) => {
    const mine = ++turn;
    body.setAttribute("aria-busy", "true");
    if (!body.firstChild) body.append(h("p", { class: "wait" }, "Asking…"));
    try {
      const answer = await ask(path);
      if (mine !== turn) return;
      body.replaceChildren(...[show(answer.data)].flat(9).filter((part) => part != null));
      judged(null);
      stamp(answer.meta);
      if (spoken) say(typeof spoken === "function" ? spoken(answer.data) : title + ": here");
    } catch (caught) {
      if (mine !== turn) return;
      const isOurs = caught instanceof Error;
      if (isOurs) reportError(caught);
      const problem = isOurs ? { title: "This page cannot show the answer", detail: caught.message } : caught;
      judged(problem);
      const again = () => {
        refresh.focus();
        load(true);
      };
      const view = problemView(problem, again, choose);
      body.querySelector(".problem, .wait")?.remove();
      // A failed refresh takes nothing away: what is shown has its age beside it.
      if (spoken === true) body.prepend(view);
      else {
        body.replaceChildren(view);
        section.querySelector(".stamp").replaceChildren();
      }
      if (spoken) say(problem.title + ". " + (problem.detail ?? ""));
    } finally {
      if (mine === turn) body.setAttribute("aria-busy", "false");
    }
  };

  const refresh = section.querySelector(".refresh");
  refresh.addEventListener("click", () => load(true));
  const copy = section.querySelector(".copy");
  copy.addEventListener("click", async () => {
    const code = section.querySelector(".curl code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      say("Copied");
      copy.firstChild.data = "Copied";
      setTimeout(() => { copy.firstChild.data = "Copy"; }, 2000);
    } catch {
      getSelection().selectAllChildren(code);
      say("Selected, to be copied");
    }
  });
  copy.hidden = refresh.hidden = false;
  point(path);
  return {
    load,
    go: (next, spoken) => { point(next); return load(spoken); }
  };
};

const items = (list) => h("dl", null, list.map(([term, value, ...small]) =>
  h("div", null, h("dt", null, term), h("dd", null, h("b", null, value), small.filter(Boolean).map((text) => h("small", null, text))))));

// A table that scrolls by itself where it is wider than the screen, by keyboard too.
const table = (caption, heads, rows, text) =>
  h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": caption },
    h("table", null, h("caption", null, caption),
      h("thead", null, h("tr", null, heads.map((head, n) => h("th", { scope: "col", class: n === 0 || text?.includes(n) ? "text" : null }, head)))),
      h("tbody", null, rows.map((cells) => h("tr", null, cells.map((cell, n) =>
        n === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: text?.includes(n) ? "text" : null }, cell)))))));
`
