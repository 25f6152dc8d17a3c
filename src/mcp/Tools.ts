// The tools for agents (`tools.json`). Each is an endpoint of the contract with a description for a model: when to use it, the units of its
// figures, and what not to conclude from them.
import list from "./tools.json" with { type: "json" }

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The endpoint's path in the OpenAPI document. */
  readonly path: string
}

/** Instructions for all tools, which a client shows to its model once. */
export const instructions = `Crypto prices and market data, P2P rates of currencies such as the Nigerian naira, fiat rates, conversions, and \
why the biggest movers moved.

Every answer is { data, meta }: meta.source names the sources and meta.updated is when the data was observed, not the \
time of the request. Give both with every figure. null means unknown, never zero. Money is in USD \
unless the field or the request says otherwise; changes are in percent (2.5 is 2.5 %).

Coins are named by their id in CoinGecko's registry, lower case: bitcoin, ethereum, tether. Ticker symbols are not ids; an \
unknown id is answered with suggestions; search finds ids by name, ticker or contract address. Fiats are named by ISO code.

An error has in "detail" what is wrong and what is allowed; source_unavailable has the seconds after which to ask again. rate_moved, too_old and too_uncertain come only \
where you asked with a guard: then do not act on the rate. \
Do not replace a missing figure by one from memory.

Explanations of moves are reported coincidences with citations, not proof of cause. Nothing here is financial advice.`

export const tools: ReadonlyArray<Tool> = list
