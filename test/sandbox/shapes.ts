// The documented fields of each upstream's answers, strictly: what is not documented to be nullable or optional is not.
import { Schema } from "effect"

const { Finite, String: Text } = Schema
const Decimal = Text.check(Schema.isPattern(/^\d+(\.\d+)?$/))
const MaybeDecimal = Text.check(Schema.isPattern(/^(\d+(\.\d+)?)?$/))
const IsoTime = Text.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/))
const IsoSecond = Text.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/))
const IsoDate = Text.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))
const Money = Schema.NullOr(Finite)

export const MarketRow = Schema.Struct({
  id: Text,
  symbol: Text,
  name: Text,
  image: Text,
  current_price: Money,
  market_cap: Money,
  market_cap_rank: Schema.NullOr(Schema.Int),
  fully_diluted_valuation: Money,
  total_volume: Money,
  high_24h: Money,
  low_24h: Money,
  price_change_24h: Money,
  price_change_percentage_24h: Money,
  market_cap_change_24h: Money,
  market_cap_change_percentage_24h: Money,
  circulating_supply: Money,
  total_supply: Money,
  max_supply: Money,
  ath: Money,
  ath_change_percentage: Money,
  ath_date: IsoTime,
  atl: Money,
  atl_change_percentage: Money,
  atl_date: IsoTime,
  roi: Schema.NullOr(Schema.Struct({ times: Finite, currency: Text, percentage: Finite })),
  last_updated: IsoTime,
  price_change_percentage_1h_in_currency: Schema.optionalKey(Money),
  price_change_percentage_24h_in_currency: Schema.optionalKey(Money),
  price_change_percentage_7d_in_currency: Schema.optionalKey(Money)
})

const ByCurrency = Schema.Record(Text, Finite)

export const SimplePrice = Schema.Record(Text, Schema.Record(Text, Finite))

export const CoinGeckoGlobal = Schema.Struct({
  data: Schema.Struct({
    active_cryptocurrencies: Schema.Int,
    markets: Schema.Int,
    total_market_cap: ByCurrency,
    total_volume: ByCurrency,
    market_cap_percentage: Schema.StructWithRest(Schema.Struct({ btc: Finite, eth: Finite }), [ByCurrency]),
    market_cap_change_percentage_24h_usd: Finite,
    updated_at: Schema.Int
  })
})

export const ListRow = Schema.Struct({ id: Text, symbol: Text, name: Text })

export const PaprikaTicker = Schema.Struct({
  id: Text,
  name: Text,
  symbol: Text,
  rank: Schema.Int,
  circulating_supply: Schema.optionalKey(Finite),
  total_supply: Finite,
  max_supply: Finite,
  last_updated: IsoSecond,
  quotes: Schema.Struct({
    USD: Schema.Struct({
      price: Finite,
      volume_24h: Finite,
      market_cap: Finite,
      percent_change_1h: Finite,
      percent_change_24h: Finite,
      percent_change_7d: Finite,
      ath_price: Money,
      ath_date: Schema.NullOr(IsoSecond)
    })
  })
})

export const PaprikaGlobal = Schema.Struct({
  market_cap_usd: Finite,
  volume_24h_usd: Finite,
  bitcoin_dominance_percentage: Finite,
  cryptocurrencies_number: Schema.Int,
  market_cap_change_24h: Finite,
  last_updated: Schema.Int
})

export const FrankfurterRow = Schema.Struct({ date: IsoDate, base: Text, quote: Text, rate: Finite })

export const CurrencyApi = Schema.Struct({ date: IsoDate, usd: ByCurrency })

export const BybitPage = Schema.Struct({
  ret_code: Schema.Literal(0),
  ret_msg: Schema.Literal("SUCCESS"),
  time_now: Text.check(Schema.isPattern(/^\d+\.\d{6}$/)),
  result: Schema.Struct({
    count: Schema.Int,
    items: Schema.Array(
      Schema.Struct({
        id: Text,
        userMaskId: Text,
        tokenId: Schema.Literal("USDT"),
        currencyId: Schema.Literal("NGN"),
        side: Schema.Literals([0, 1]),
        price: Decimal,
        lastQuantity: Decimal,
        minAmount: Decimal,
        maxAmount: Decimal,
        payments: Schema.Array(Text),
        recentOrderNum: Schema.Int,
        recentExecuteRate: Finite,
        isOnline: Schema.Boolean,
        createDate: Decimal
      })
    )
  })
})

export const BitgetPage = Schema.Struct({
  code: Schema.Literal("00000"),
  data: Schema.Struct({
    dataList: Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          adNo: Text,
          coinCode: Schema.Literal("USDT"),
          fiatCode: Schema.Literal("NGN"),
          price: Decimal,
          minAmount: Decimal,
          maxAmount: Decimal,
          lastAmount: Decimal,
          certifiedMerchant: Schema.Literals([0, 1]),
          showOnline: Schema.Boolean,
          thirtyTunoverNum: Decimal,
          thirtyCompletionRate: Decimal,
          paymethodInfo: Schema.Array(Schema.Struct({ paymethodName: Text }))
        })
      )
    )
  })
})
export type BitgetPage = typeof BitgetPage.Type

export const Quidax = Schema.Struct({
  status: Schema.Literal("success"),
  data: Schema.Struct({
    at: Schema.Int,
    market: Schema.Literal("usdtngn"),
    ticker: Schema.Struct({
      buy: Decimal,
      sell: Decimal,
      low: Decimal,
      high: Decimal,
      open: Decimal,
      last: Decimal,
      vol: Decimal
    })
  })
})

export const Luno = Schema.Struct({
  pair: Schema.Literal("USDTNGN"),
  timestamp: Schema.Int,
  bid: Decimal,
  ask: Decimal,
  last_trade: Decimal,
  rolling_24_hour_volume: Decimal,
  status: Schema.Literals(["ACTIVE", "POSTONLY", "DISABLED"])
})

export const Nfem = Schema.Struct({
  id: Decimal,
  ratedate: Text.check(Schema.isPattern(/^[A-Z][a-z]+-\d{2}-\d{4}$/)),
  weightedAvgRate: Decimal,
  simpleAvgRate: MaybeDecimal,
  highestrate: MaybeDecimal,
  lowestrate: MaybeDecimal,
  closingrate: MaybeDecimal,
  interBank_Total_Turnover: MaybeDecimal,
  noOfDeals_InterBank: MaybeDecimal,
  nfeM_Total_Turnover: MaybeDecimal,
  noOfDeals: MaybeDecimal
})

export const CbnRate = Schema.Struct({
  id: Schema.Int,
  currency: Text,
  ratedate: IsoDate,
  buyingrate: MaybeDecimal,
  centralrate: MaybeDecimal,
  sellingrate: MaybeDecimal
})
