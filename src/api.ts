// `crypto-data-api/api`: the HTTP contract, for typed clients and for servers that mount it. Contains no
// implementation.

// The API and its groups of endpoints
export { Api } from "./api/Api.ts"
export { ConversionApi } from "./api/ConversionApi.ts"
export { MarketApi, Coin, CoinDetail } from "./api/MarketApi.ts"
export { NairaApi } from "./api/NairaApi.ts"
export { SourcesApi } from "./api/SourcesApi.ts"
export { WhyApi } from "./api/WhyApi.ts"

// Middleware and the caller
export { Access } from "./api/Access.ts"
export { Caller, Tier } from "./api/Caller.ts"
export { Validation } from "./api/Validation.ts"

// Parameters
export { Amount, Asset, CoinId, Fiat, Limit, Page } from "./api/Parameters.ts"

// Responses
export { Day, envelope, Instant, Meta } from "./api/Envelope.ts"
export { JsonDecimal, JsonNumber } from "./api/JsonNumber.ts"

// Problems
export {
  explanations,
  Internal,
  InvalidApiKey,
  InvalidParameter,
  MethodNotAllowed,
  NoPrice,
  NotFound,
  ParameterError,
  RateLimited,
  SourceUnavailable,
  Suggestion,
  UnknownAsset,
  UnknownCoin
} from "./api/Problems.ts"
