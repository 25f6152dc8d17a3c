// The tools for agents: each is an endpoint of the contract, under a name and with words that tell a model when to use it, in
// what units it answers and what it must not make of it.

/** An endpoint as a tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The endpoint's path, as it stands in the OpenAPI document. */
  readonly path: string
}

/** What a model is told of all of them, once. */
export const instructions = `Crypto prices and market data, the Nigerian naira's peer-to-peer rate, fiat rates, conversions, and \
why the biggest movers moved.

Every answer is { data, meta }: meta.source names who says so and meta.updated is when the data was observed, not when you \
asked. Tell both along with a figure. null means unknown, never zero. Money is in USD unless the field or the request says \
otherwise; changes are in percent (2.5 is 2.5 %).

Coins go by identifiers in CoinGecko's registry, lower case: bitcoin, ethereum, tether. Ticker symbols are not identifiers; an \
unknown one is answered with suggestions, which you may then use. Fiats go by ISO codes.

An error says in "detail" what is wrong and what is allowed; source_unavailable says in how many seconds to ask again. Do not \
replace a missing figure by one from memory.

Explanations of moves are reported coincidences with citations, not proof of cause. Nothing here is financial advice.`

/** All tools, in the order in which they are listed. */
export const tools: ReadonlyArray<Tool> = [
  {
    name: "price",
    title: "Price of a coin",
    path: "/v1/price/{id}/{fiat}",
    description:
      "The current price of one coin in one of nine fiat currencies, with its change over 24 hours in percent (null if " +
      "unknown). Use this for a plain price question. A price in ngn goes through the peer-to-peer naira rate, not the " +
      "official one. For other currencies, for amounts, or from one coin to another use convert."
  },
  {
    name: "coin",
    title: "One coin in detail",
    path: "/v1/coins/{id}",
    description:
      "Market data of one coin in USD: price, rank, market cap, 24 h volume, supplies, changes over 1 h, 24 h and 7 days in " +
      "percent, high and low of 24 h, all-time high with its date. Figures that no source gives are null."
  },
  {
    name: "coins",
    title: "Coins by market cap",
    path: "/v1/coins",
    description:
      "A page of coins ordered by market cap, in USD. Use it for rankings, or to look at many coins at once. Ask for a small " +
      "limit (10 for the top ten): the default of 100 makes a long answer. Each row has its own time in updated."
  },
  {
    name: "market",
    title: "The whole crypto market",
    path: "/v1/global",
    description:
      "The whole crypto market: total market cap and 24 h volume in USD, the market cap's change over 24 h, and the shares of " +
      "Bitcoin and Ethereum (dominance), in percent."
  },
  {
    name: "naira",
    title: "Nigerian naira rate (USDT/NGN)",
    path: "/v1/naira",
    description:
      "What one USDT costs in Nigerian naira between people (the parallel market): buy is what a customer pays for 1 USDT, " +
      "sell what one receives for it, mid the middle, spread in percent of mid. official is the central bank's NGN per USD " +
      "with its date, premium how far mid is above it in percent. confidence and venues say what the rate rests on; where a " +
      "figure is null, reason says why. USDT is not exactly one US dollar: to turn dollars or other money into naira use convert."
  },
  {
    name: "convert",
    title: "Convert an amount",
    path: "/v1/convert",
    description:
      "Converts an amount between any two assets, coins or fiats in any combination (100 EUR in NGN, 0.5 bitcoin in ethereum). " +
      "result is the converted amount, rate the units of to per 1 from, legs the quoted rates it went through, each with its " +
      "source and time. Conversions with NGN use the peer-to-peer rate; fees are not included. Give the amount as text to keep " +
      "every digit."
  },
  {
    name: "movers",
    title: "Biggest movers and why",
    path: "/v1/why",
    description:
      "The biggest gainers and losers of the last 24 hours among large coins, each with an explanation, and what the market as " +
      "a whole did. Explanations are published reports that coincide with the move, with citations to open and name; they do " +
      "not prove a cause and are no advice. status unexplained means that nothing fitting was found, and " +
      "insufficient_coverage that too few feeds could be read: then say so instead of guessing."
  },
  {
    name: "why",
    title: "Why one coin moved",
    path: "/v1/why/{id}",
    description:
      "Why one coin moved in the last 24 hours: how much of the move is the market's, the sector's and its own, and the " +
      "published reports that coincide with it, with citations. For a coin that is not moving much, status is not_a_mover, " +
      "with its change and the threshold. Reported coincidences, not proof of cause, and no advice."
  },
  {
    name: "fx",
    title: "Fiat exchange rates",
    path: "/v1/fx",
    description:
      "Reference rates of all known fiat currencies: units of each per 1 USD, with the day each was observed. NGN here is the " +
      "official rate; the naira between people is in naira. To convert an amount use convert."
  }
]
