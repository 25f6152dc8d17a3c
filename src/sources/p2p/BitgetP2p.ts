// Bitget's P2P ads, from the undocumented endpoint of its website. The only recording is a page in Armenian dram. `side` is the
// advertiser's: 1 sells (an ask for the customer), 2 buys. Ads have no side, so only the estimate detects a swap. In some networks the
// list is always empty. There is no time.
import { Effect, Schema } from "effect"
import type { P2pAd } from "../../domain/P2pAd.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { paymentOf } from "../../domain/paymentOf.ts"
import { SourceService } from "../client/SourceService.ts"
import { rejected } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, MOST_ADS, p2pBooks } from "./p2pBooks.ts"

const Ad = Schema.Struct({
  coinCode: WireFormat.Text,
  fiatCode: WireFormat.Text,
  price: WireFormat.Decimal,
  minAmount: WireFormat.Decimal,
  maxAmount: WireFormat.Decimal,
  lastAmount: Schema.optionalKey(WireFormat.BlankableDecimal),
  encryptUserId: WireFormat.NullishText,
  thirtyTunoverNum: Schema.optionalKey(WireFormat.BlankableDecimal),
  thirtyCompletionRate: Schema.optionalKey(WireFormat.BlankableDecimal),
  showOnline: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  paymethodInfo: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ paymethodName: WireFormat.NullishText })))
  )
})

/** A page, or an error code. */
const Body = Schema.Union([
  Schema.Struct({
    code: Schema.Literal("00000"),
    data: Schema.NullOr(Schema.Struct({ dataList: Schema.NullOr(WireFormat.Rows(MOST_ADS)) }))
  }),
  Schema.Struct({ code: Schema.String.check(Schema.isPattern(/^(?!00000$)\w{1,16}$/)) })
])

const advertiserSide = { ask: 1, bid: 2 } as const

/** Bitget's P2P ads of USDT, by market. */
export class BitgetP2p extends SourceService<
  BitgetP2p,
  {
    /** The first 20 ads of each side, asks first, bait included. Empty if Bitget has no such market. */
    readonly p2p: Books<ReadonlyArray<P2pAd>>
  }
>()("crypto-data-api/sources/p2p/BitgetP2p", catalog.BITGET_P2P, function* (connect) {
  const client = yield* connect()

  const page = Effect.fn("BitgetP2p.page")(function* (market: P2pMarket, side: P2pAd["side"]) {
    const { body, ...times } = yield* client.post("/v1/p2p/pub/adv/queryAdvList", Body, {
      pageNo: 1,
      pageSize: 20,
      coinCode: "USDT",
      fiatCode: market.fiat,
      languageType: 0,
      side: advertiserSide[side]
    })
    if (!("data" in body)) return yield* client.error(rejected(body.code))
    const list = body.data?.dataList ?? []
    const good = yield* client.usable("ads", WireFormat.rows(Ad, list))
    return { value: good.map((ad) => toAd(ad, market, side)), ...times }
  })

  return { p2p: yield* p2pBooks(client, "BITGET_P2P", page) }
}) {}

const toAd = (ad: typeof Ad.Type, market: P2pMarket, side: P2pAd["side"]): P2pAd => ({
  side,
  // Not checked here: the estimate rejects other currencies.
  asset: ad.coinCode,
  fiat: ad.fiatCode,
  price: ad.price,
  // If the remainder is missing, at least the largest order is available.
  available: ad.lastAmount ?? (ad.price > 0 ? ad.maxAmount / ad.price : 0),
  minAmount: ad.minAmount,
  maxAmount: ad.maxAmount,
  merchant: ad.encryptUserId ?? "",
  orders: ad.thirtyTunoverNum ?? null,
  completionRate: completionRateOf(ad),
  payments: [...new Set((ad.paymethodInfo ?? []).map(({ paymethodName }) => paymentOf(paymethodName ?? "", market)))],
  online: ad.showOnline ?? null
})

/** Percent. The rate is sent as a share ("0.97"), or as percent if above 1, and has no meaning without orders. */
const completionRateOf = ({ thirtyCompletionRate: rate, thirtyTunoverNum }: typeof Ad.Type): number | null => {
  if (rate === null || rate === undefined || rate < 0 || rate > 100 || thirtyTunoverNum === 0) return null
  return rate > 1 ? rate : rate * 100
}
