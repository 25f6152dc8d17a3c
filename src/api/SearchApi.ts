// Finds coins by a word (id, ticker, name) or a contract address.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { described, cacheable } from "./Described.ts"
import { MATCHES } from "../domain/CoinSearch.ts"
import { envelope } from "./Envelope.ts"
import { figure } from "../domain/JsonNumber.ts"
import { CoinDetail, Id, Platforms, Symbol } from "./MarketApi.ts"
import { Address, FoundLimit, Platform, Query } from "./Parameters.ts"
import { SourceUnavailable, UnknownCoin } from "./Problems.ts"

const Found = Schema.Struct({
  id: Id,
  symbol: Symbol,
  name: Schema.String,
  rank: figure("Place by market cap, from 1; null beyond the largest 250"),
  matched: Schema.Literals(MATCHES).annotate({
    description:
      "How the coin matched: by its contract address, id, symbol or name; prefix where one of these begins with the query; " +
      "similar where a word in one of them does, or is spelled nearly like it"
  }),
  platforms: Platforms
}).annotate({ identifier: "FoundCoin" })

const Search = Schema.Struct({
  query: Schema.String.annotate({ description: "The query as it was sent" }),
  coins: Schema.Array(Found).annotate({ description: "By kind of match, then rank, then id" })
}).annotate({ identifier: "Search" })

/** `/v1/search`, `/v1/contract/{platform}/{address}`. */
export class SearchApi extends HttpApiGroup.make("search", { topLevel: true })
  .add(
    HttpApiEndpoint.get("search", "/search", {
      query: { q: Query, limit: FoundLimit },
      success: envelope("SearchAnswer", Search),
      error: [SourceUnavailable]
    }).annotateMerge(
      described(
        "Coins by name, ticker, id or contract address",
        "Searches every coin of the registry. Case and Unicode form do not matter. Several coins may share a ticker or a name: " +
          "the answer proposes, and no other endpoint guesses a coin.",
        "searchCoins"
      )
    ),
    HttpApiEndpoint.get("contract", "/contract/:platform/:address", {
      params: { platform: Platform, address: Address },
      success: envelope("ContractAnswer", CoinDetail),
      error: [UnknownCoin, SourceUnavailable]
    }).annotateMerge(
      cacheable(
        "The coin of a contract",
        "The coin whose token has this contract. Addresses that start with `0x` are read in any case, others exactly as they " +
          "are. Where two coins claim one contract, the answer is the one of better rank.",
        "getContract"
      )
    )
  )
  .annotate(OpenApi.Description, "Coins by name, ticker or contract address.") {}
