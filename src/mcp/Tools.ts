// The tools for agents. Each is an endpoint of the contract with a description for a model: when to use it, the units of
// its figures, and what not to conclude from them.

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

export const tools: ReadonlyArray<Tool> = [
  {
    name: "price",
    title: "Price of a coin",
    path: "/v1/price/{id}/{fiat}",
    description:
      "The current price of one coin in one of nine fiat currencies, with its change over 24 hours in percent (null if " +
      "unknown). Use this for a plain price question. " +
      "For other currencies, for amounts, or from one coin to another use convert. " +
      "Ask with expect (and tolerance in percent, 1 by default) before you pay or act on a price that was agreed: rate_moved " +
      "means that it moved further, with the new rate; do not retry with a wider tolerance unasked. max_age refuses data older " +
      "than so many seconds (too_old)."
  },
  {
    name: "prices",
    title: "Prices of many coins",
    path: "/v1/prices",
    description:
      "The current prices of up to 250 coins in up to nine fiat currencies with one call: use it instead of many calls of price, " +
      "for a portfolio or a table. ids and fiats are lists separated by commas. Each figure is what price gives, null where there " +
      "is none; ids without prices are in missing with the reason. Each row has its own time in updated."
  },
  {
    name: "search",
    title: "Find a coin",
    path: "/v1/search",
    description:
      "Finds coins by name, ticker symbol, id or contract address, misspelt ones too, and gives their ids, which the other tools " +
      "take. Many coins share a ticker or a name: rank (null: not among the largest) and platforms (contract address by chain) " +
      "tell them apart; matched says what the query is of each. Ask the user where the right one is not clear: the first is " +
      "a proposal, not an answer."
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
      "What one USDT costs in Nigerian naira on P2P markets (the parallel market): buy is what a customer pays for 1 USDT, " +
      "sell what one receives for it, mid the middle, spread in percent of mid. official is the central bank's NGN per USD " +
      "with its date, premium how far mid is above it in percent. With amount (in naira) and side quote says what that amount gets: " +
      "rate null with too_thin means that the ads cannot fill it. confidence and venues say what the rate rests on; where a " +
      "figure is null, reason says why. USDT is not exactly one US dollar: to turn dollars or other money into it use convert."
  },
  {
    name: "p2p",
    title: "P2P rate of one currency (USDT)",
    path: "/v1/p2p/{fiat}",
    description:
      "What one USDT costs in a currency on P2P markets (the street or parallel rate), such as kes, ghs or zar; p2p_markets lists " +
      "the currencies there are. Members and arguments are those of naira. official and premium are null where no official rate is to be had."
  },
  {
    name: "p2p_markets",
    title: "P2P rates of all currencies",
    path: "/v1/p2p",
    description:
      "The P2P rates of USDT in all currencies that are followed, beside the official rates and the premiums over them in percent: " +
      "to compare currencies, or to see which there are. A market that cannot be quoted now has null with a reason."
  },
  {
    name: "convert",
    title: "Convert an amount",
    path: "/v1/convert",
    description:
      "Converts an amount between any two assets, coins or fiats in any combination (100 EUR in KES, 0.5 bitcoin in ethereum). " +
      "result is the converted amount, rate the units of to per 1 from, legs the quoted rates it went through, each with its " +
      "source and time. Fees are not included. With basis customer the rate is what a person gets for the amount (too_thin: the ads cannot " +
      "fill it, available says how much they can). Give the amount as text to keep " +
      "every digit. Ask with expect (the rate that was agreed) and tolerance before you pay: rate_moved means that the rate " +
      "moved further; tell the user the new one. max_age refuses old data, min_confidence an uncertain price."
  },
  {
    name: "movers",
    title: "Biggest movers and why",
    path: "/v1/why",
    description:
      "The biggest gainers and losers of the last 24 hours among large coins, each with an explanation, and what the market as " +
      "a whole did. Explanations are published reports that coincide with the move, with citations to open and name; they do " +
      "not prove a cause and are no advice. status unexplained means that nothing fitting was found, and " +
      "insufficient_coverage that too few feeds could be read: say so instead of guessing. A driver of kind other is news " +
      "about the coin of no known kind."
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
      "Reference rates of all known fiat currencies: units of each per 1 USD, with the day each was observed. All are " +
      "official rates; P2P rates are in the tool p2p. To convert an amount use convert."
  },
  {
    name: "history",
    title: "Past prices of a coin",
    path: "/v1/price/{id}/{fiat}/history",
    description:
      "Prices of one coin in one of nine fiat currencies by day (default), hour, week or month, oldest first, for charts and questions about " +
      "the past. close is the last price of the day in UTC, observed when it was seen; final false means it may still change. " +
      "A week (from Monday) or month has the average of its days' closes, and days says how many there were. " +
      "coverage.missing lists the days of which nothing is recorded: say so instead of interpolating. For one moment use the " +
      "tool price with at."
  },
  {
    name: "naira_history",
    title: "Past rates of the naira",
    path: "/v1/naira/history",
    description:
      "USDT in Nigerian naira on P2P markets by day (default), hour, week or month, oldest first, beside the official rate and the premium " +
      "over it in percent. kind order_book is an exchange's order book and not P2P; null is a day of which only the official " +
      "rate is known. coverage.missing lists the days of which nothing is recorded."
  },
  {
    name: "p2p_history",
    title: "Past P2P rates of a currency",
    path: "/v1/p2p/{fiat}/history",
    description:
      "USDT in one currency on P2P markets by day (default), hour, week or month, oldest first, as naira_history has it for the naira."
  },
  {
    name: "fixing",
    title: "A P2P market's fixing of a day",
    path: "/v1/p2p/{fiat}/fixing",
    description:
      "One street rate of a day for books and records, such as ngn: the mean of the mids of the hour before 16:00 in the market's time zone, " +
      "published at 16:05 and never changed. Use it when the user needs a rate for a day that others can check. Without on it is the newest. rate " +
      "null has a reason; revised is set where a later record corrected it. It is information on what was observed."
  },
  {
    name: "fixings",
    title: "A P2P market's fixings of some days",
    path: "/v1/p2p/{fiat}/fixings",
    description:
      "The fixing of each day from one day to another, oldest first, as the tool fixing has them, without the observations. coverage.missing " +
      "lists the days without one: do not interpolate."
  },
  {
    name: "statement",
    title: "Statement of an amount on a day",
    path: "/v1/statement",
    description:
      "An amount on a day by the official rate and by the street rate of a P2P market (fixing, close, average), the excess of the fixing over the " +
      "official rate, and in evidence the address that answers each part again: for accounts and reports. One of from and to is a fiat of p2p_markets. " +
      "final false means that a figure may still change; null has its reason. It is information on what was observed."
  }
]
