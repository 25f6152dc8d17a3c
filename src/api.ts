// `crypto-data-api/api`: the HTTP contract, for typed clients and for servers that mount it. Contains no
// implementation.

// The API and its groups of endpoints
export { Api } from "./api/Api.ts"
export { CoinGeckoApi } from "./api/coingecko/CoinGeckoApi.ts"
export { ConversionApi } from "./api/ConversionApi.ts"
export { FixingApi } from "./api/FixingApi.ts"
export { HistoryApi } from "./api/HistoryApi.ts"
export { MarketApi, Coin, CoinDetail } from "./api/MarketApi.ts"
export { NairaApi, P2pApi } from "./api/P2pApi.ts"
export { PricesApi } from "./api/PricesApi.ts"
export { SearchApi } from "./api/SearchApi.ts"
export { SourcesApi } from "./api/SourcesApi.ts"
export { StatementApi } from "./api/StatementApi.ts"
export { WhyApi } from "./api/WhyApi.ts"

// Middleware and the caller
export { Access } from "./api/Access.ts"
export { Caller, Tier } from "./api/Caller.ts"
export { Validation } from "./api/Validation.ts"

// Parameters
export {
  Address,
  ageGuard,
  Amount,
  CoinId,
  CoinIds,
  Expected,
  Fiat,
  Fiats,
  FoundLimit,
  FromAsset,
  Limit,
  MaxAge,
  FiatBasis,
  MarketFiat,
  Page,
  Platform,
  Query,
  rateGuards,
  ToAsset,
  Tolerance
} from "./api/Parameters.ts"
export { At, Fill, HistoryDay, Interval, Quotes } from "./api/HistoryParameters.ts"

// Responses
export { Day, envelope, Instant, Meta } from "./api/Envelope.ts"
export { JsonDecimal, JsonNumber } from "./domain/JsonNumber.ts"

// Problems
export {
  explanations,
  Internal,
  InvalidApiKey,
  InvalidParameter,
  MethodNotAllowed,
  NoData,
  NoPrice,
  NotFound,
  ParameterError,
  RateLimited,
  SourceUnavailable,
  Suggestion,
  UnknownAsset,
  UnknownCoin
} from "./api/Problems.ts"
