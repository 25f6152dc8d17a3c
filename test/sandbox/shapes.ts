// The members of upstreams' answers that tests read. `Recorded.test.ts` has every member.
import { Schema } from "effect"

const { Finite, String: Text } = Schema
const Money = Schema.NullOr(Finite)
const ByCurrency = Schema.Record(Text, Finite)

export const MarketRow = Schema.Struct({
  id: Text,
  current_price: Money,
  market_cap: Money,
  market_cap_rank: Schema.NullOr(Finite),
  last_updated: Text,
  price_change_percentage_7d_in_currency: Schema.optionalKey(Money)
})

export const CoinGeckoGlobal = Schema.Struct({ data: Schema.Struct({ updated_at: Finite }) })

export const ListRow = Schema.Struct({ id: Text })

export const PaprikaTicker = Schema.Struct({
  id: Text,
  name: Text,
  symbol: Text,
  rank: Finite,
  quotes: Schema.Struct({ USD: Schema.Struct({ price: Finite }) })
})

export const FrankfurterRow = Schema.Struct({ date: Text, base: Text, quote: Text, rate: Finite })

export const CurrencyApi = Schema.Struct({ date: Text, usd: ByCurrency })

export const BybitPage = Schema.Struct({
  time_now: Text,
  result: Schema.Struct({
    count: Finite,
    items: Schema.Array(
      Schema.Struct({
        side: Finite,
        price: Text,
        lastQuantity: Text,
        minAmount: Text,
        maxAmount: Text,
        payments: Schema.Array(Text),
        recentOrderNum: Finite,
        isOnline: Schema.Boolean
      })
    )
  })
})

export const BitgetPage = Schema.Struct({
  data: Schema.Struct({
    dataList: Schema.NullOr(Schema.Array(Schema.Struct({ price: Text, certifiedMerchant: Finite })))
  })
})
export type BitgetPage = typeof BitgetPage.Type

export const Quidax = Schema.Struct({
  data: Schema.Struct({ at: Finite, ticker: Schema.Struct({ buy: Text, sell: Text }) })
})

export const Luno = Schema.Struct({ timestamp: Finite, bid: Text, ask: Text })

export const Nfem = Schema.Struct({ ratedate: Text, weightedAvgRate: Text })

export const CbnRate = Schema.Struct({ currency: Text, ratedate: Text, centralrate: Text })
