// Binance's P2P ads, from the public list that it documents for assistants: at most 20 ads per side, no total, no time. `tradeType` is
// the customer's action: BUY lists asks. One report states the reverse. Ads have no side, so only the estimate detects a swap.
// Merchants have names but no ids. The only recording is a body in USD that others published.
import { Effect, Schema } from "effect"
import type { P2pAd } from "../../domain/P2pAd.ts"
import type { P2pMarket } from "../../domain/P2pMarket.ts"
import { paymentOf } from "../../domain/paymentOf.ts"
import { SourceService } from "../client/SourceService.ts"
import { rejected } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, MOST_ADS, p2pBooks } from "./p2pBooks.ts"

const Share = Schema.optionalKey(Schema.NullOr(Schema.Finite))

const Ad = Schema.Struct({
  asset: WireFormat.Text,
  fiat: WireFormat.Text,
  price: WireFormat.Decimal,
  minTransAmount: WireFormat.Decimal,
  maxTransAmount: WireFormat.Decimal,
  tradableAmount: WireFormat.Decimal,
  tradeMethods: Schema.optionalKey(Schema.NullOr(WireFormat.Texts)),
  advertiser: Schema.Struct({
    nickName: WireFormat.NullishText,
    monthOrderCount: Schema.optionalKey(WireFormat.BlankableDecimal),
    monthFinishRate: Share
  })
})

/** A page, or an error code. */
const Body = Schema.Union([
  Schema.Struct({
    code: Schema.Literal("000000"),
    data: Schema.NullOr(Schema.Struct({ items: Schema.NullOr(WireFormat.Rows(MOST_ADS)) }))
  }),
  Schema.Struct({ code: Schema.String.check(Schema.isPattern(/^(?!000000$)\w{1,16}$/)) })
])

const customerDoes = { ask: "BUY", bid: "SELL" } as const

/** Binance's P2P ads of USDT, by market. */
export class BinanceP2p extends SourceService<
  BinanceP2p,
  {
    /** The first 20 ads of each side, asks first, bait included. Empty if Binance has no such market. */
    readonly p2p: Books<ReadonlyArray<P2pAd>>
  }
>()("crypto-data-api/sources/p2p/BinanceP2p", catalog.BINANCE_P2P, function* (connect) {
  const client = yield* connect()

  const page = Effect.fn("BinanceP2p.page")(function* (market: P2pMarket, side: P2pAd["side"]) {
    const { body, ...times } = yield* client.get("/bapi/c2c/v1/public/c2c/agent/ad-list", Body, {
      query: { fiat: market.fiat, asset: "USDT", tradeType: customerDoes[side], limit: 20 }
    })
    if (!("data" in body)) return yield* client.error(rejected(body.code))
    const list = body.data?.items ?? []
    const good = yield* client.usable("ads", WireFormat.rows(Ad, list))
    return { value: good.map((ad) => toAd(ad, market, side)), ...times }
  })

  return { p2p: yield* p2pBooks(client, "BINANCE_P2P", page) }
}) {}

const toAd = (ad: typeof Ad.Type, market: P2pMarket, side: P2pAd["side"]): P2pAd => ({
  side,
  // Not checked here: the estimate rejects other currencies.
  asset: ad.asset,
  fiat: ad.fiat,
  price: ad.price,
  available: ad.tradableAmount,
  minAmount: ad.minTransAmount,
  maxAmount: ad.maxTransAmount,
  merchant: ad.advertiser.nickName ?? "",
  orders: ad.advertiser.monthOrderCount ?? null,
  completionRate: completionRateOf(ad.advertiser),
  payments: [...new Set((ad.tradeMethods ?? []).map((name) => paymentOf(name, market)))],
  online: null
})

/** Percent. The rate is sent as a share, and has no meaning without orders. */
const completionRateOf = ({ monthFinishRate: rate, monthOrderCount }: (typeof Ad.Type)["advertiser"]): number | null =>
  rate === null || rate === undefined || rate < 0 || rate > 1 || monthOrderCount === 0 ? null : rate * 100
