// `crypto-data-api`: the data inside an Effect program, without an HTTP server. Sources and services are layers; each
// source is polled once, however many services of the program use it. Settings come from the program's ConfigProvider.

// Domain values
export { byMarketCap, Coin } from "./domain/Coin.ts"
export { knownCoins, type KnownCoin } from "./domain/CoinRegistry.ts"
export { make as coinList, type CoinList } from "./domain/CoinList.ts"
export * as Decimal from "./domain/Decimal.ts"
export type { EvidenceItem } from "./domain/Evidence.ts"
export { isoCurrencies } from "./domain/Fiat.ts"
export { isQuotedFiat, quotedFiats, type QuotedFiat } from "./domain/QuotedFiat.ts"
export { FxRates } from "./domain/FxRates.ts"
export { GlobalMarket } from "./domain/GlobalMarket.ts"
export { OfficialRate } from "./domain/OfficialRate.ts"
export { OrderBookTop } from "./domain/OrderBook.ts"
export { P2pAd } from "./domain/P2pAd.ts"
export { PriceHistory } from "./domain/PriceHistory.ts"
export * as Snapshot from "./domain/Snapshot.ts"

// Sources: one service per upstream
export { Announcements, type VenueAnnouncements } from "./sources/news/Announcements.ts"
export { Binance } from "./sources/exchange/Binance.ts"
export { Bitfinex } from "./sources/exchange/Bitfinex.ts"
export { BitgetP2p } from "./sources/p2p/BitgetP2p.ts"
export { Bitstamp } from "./sources/exchange/Bitstamp.ts"
export { BybitP2p } from "./sources/p2p/BybitP2p.ts"
export { BinanceP2p } from "./sources/p2p/BinanceP2p.ts"
export { Cbn } from "./sources/fx/Cbn.ts"
export { CoinGecko } from "./sources/market/CoinGecko.ts"
export { CoinPaprika } from "./sources/market/CoinPaprika.ts"
export { CryptoCom } from "./sources/exchange/CryptoCom.ts"
export { CurrencyApi } from "./sources/fx/CurrencyApi.ts"
export { DefiLlama } from "./sources/news/DefiLlama.ts"
export { DataSet } from "./sources/dataset/PublicDataSet.ts"
export { Frankfurter } from "./sources/fx/Frankfurter.ts"
export { Gate } from "./sources/exchange/Gate.ts"
export { Kraken } from "./sources/exchange/Kraken.ts"
export { KuCoin } from "./sources/exchange/KuCoin.ts"
export { Luno } from "./sources/p2p/Luno.ts"
export { NewsFeeds } from "./sources/news/NewsFeeds.ts"
export { Okx } from "./sources/exchange/Okx.ts"
export { Quidax } from "./sources/p2p/Quidax.ts"
export { Valr } from "./sources/p2p/Valr.ts"
export { sourceCatalog } from "./sources/catalog/SourceCatalog.ts"
export { SourceError, TimedOut, Unreachable } from "./sources/client/SourceError.ts"
export { SourceLabel, type SourceRecord, type SourceTerms } from "./sources/catalog/SourceRecord.ts"

// The record of what was observed, which a program may keep in its own `SqlClient`
export * as History from "./history/store/History.ts"
export { Histories, type HistoryOf, type HistoryRequest } from "./services/history/Histories.ts"
export { type CoinAt, Past } from "./services/history/Past.ts"
export { NoData } from "./services/history/PastRates.ts"
export {
  InvalidDays,
  NoFixing,
  RateKind,
  type RateOfRecord,
  RatesOfRecord,
  type ValueOfRecord
} from "./services/history/RatesOfRecord.ts"
export { Backfill } from "./services/history/Backfill.ts"
export * as Recording from "./services/history/Recording.ts"
export { type HistoryQuery, type HistoryRange, rangeOf } from "./history/model/HistoryRange.ts"
export { momentOf, type Moment } from "./history/model/Moment.ts"

// Services: prices, markets, rates and explanations, each with its errors and results
export type { CoinPage } from "./services/CoinPages.ts"
export { CoinCandles } from "./services/CoinCandles.ts"
export { FiatCandles } from "./services/FiatCandles.ts"
export { Coins, UnknownCoin } from "./services/Coins.ts"
export { type Conversion, Conversions, type Missing, type Price, type Prices } from "./services/Conversions.ts"
export { type Asset, parseAsset } from "./domain/Asset.ts"
export { NoPrice } from "./services/RatePaths.ts"
export { EvidencePool } from "./services/EvidencePool.ts"
export { ExchangeRates } from "./services/ExchangeRates.ts"
export { GlobalMarkets } from "./services/GlobalMarkets.ts"
export type { Market, MarketRate } from "./services/MarketRate.ts"
export type { Venue } from "./domain/P2pRate.ts"
export { Naira, type NairaRate } from "./services/Naira.ts"
export { P2pMarkets } from "./services/P2pMarkets.ts"
export { type Official, OfficialRates } from "./services/OfficialRates.ts"
export { CoinLists } from "./services/CoinLists.ts"
export { type SpotPrice, SpotPrices, type SpotPricesById } from "./services/SpotPrices.ts"
export { type DataSetState, type Source, type Sources, SourceStatus, type State } from "./services/SourceStatus.ts"
export { Unavailable } from "./services/refresh/Unavailable.ts"
export { Why, type WhyAnswer } from "./services/why/Why.ts"
export type { MoverView, WhyRun } from "./why/RunState.ts"
