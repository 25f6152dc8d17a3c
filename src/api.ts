// `crypto-data-api/api`: the contract, for clients and for who mounts it. No implementation.
export { Access } from "./api/Access.ts"
export { Api } from "./api/Api.ts"
export { Caller, Tier } from "./api/Caller.ts"
export { ConversionApi } from "./api/ConversionApi.ts"
export { Day, envelope, Instant, Meta } from "./api/Envelope.ts"
export { JsonDecimal, JsonNumber } from "./api/JsonNumber.ts"
export { Coin, CoinDetail, MarketApi } from "./api/MarketApi.ts"
export { NairaApi } from "./api/NairaApi.ts"
export { Amount, Asset, CoinId, Fiat, Limit, Page } from "./api/Parameters.ts"
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
export { SourcesApi } from "./api/SourcesApi.ts"
export { Validation } from "./api/Validation.ts"
export { WhyApi } from "./api/WhyApi.ts"
