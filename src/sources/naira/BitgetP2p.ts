// Bitget's P2P ads, from the endpoint its website uses; undocumented, so it may go any day. No recording of NGN is known.
// `side` is the advertiser's: 1 sells, so the customer buys there (ask), 2 buys. Ads do not repeat it: the request is
// trusted, and a swap is for the estimate to see. From some networks the list is always empty. There is no time.
import { type Config, Context, Effect, Layer, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { anonymous, P2pAd, Payment } from "../../domain/P2pAd.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Rejected, Undecodable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "BITGET_P2P",
  name: "Bitget P2P",
  baseUrl: "https://www.bitget.com",
  attribution: "Rate derived from public advertisements on Bitget P2P",
  link: "https://www.bitget.com/p2p-trade",
  licence:
    "None granted: an undocumented endpoint whose robots.txt disallows robots; switch it off with SOURCES_DISABLED",
  redistribution: "no"
}

const Ad = Schema.Struct({
  coinCode: Schema.String,
  fiatCode: Schema.String,
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

/** The page, or nothing but the code it was refused with. */
const Body = Schema.Union([
  Schema.Struct({
    code: Schema.Literal("00000"),
    data: Schema.NullOr(Schema.Struct({ dataList: Schema.NullOr(WireFormat.Rows) }))
  }),
  Schema.Struct({ code: Schema.String.check(Schema.isPattern(/^(?!00000$)\w{1,16}$/)) })
])

/** The advertiser's side. */
const advertiserSide = { ask: 1, bid: 2 } as const

/** Bitget's P2P market of USDT against NGN. */
export class BitgetP2p extends Context.Service<
  BitgetP2p,
  {
    /** The 20 ads at the head of each side, asks first, bait included. Empty where Bitget shows no naira market. */
    readonly ads: DataSet.DataSet<ReadonlyArray<P2pAd>>
  }
>()("crypto-data-api/sources/BitgetP2p") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<BitgetP2p, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    BitgetP2p,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances: [{ calls: 4, per: "1 minute" }] })

      const page = Effect.fn("BitgetP2p.page")(function* (side: P2pAd["side"]) {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.post("/v1/p2p/pub/adv/queryAdvList").pipe(
            HttpClientRequest.bodyJsonUnsafe({ ...query, side: advertiserSide[side] })
          ),
          Body
        )
        if (!("data" in body)) return yield* client.error(new Rejected({ code: body.code }))
        const { bad, good } = WireFormat.rows(Ad, body.data?.dataList ?? [])
        yield* WireFormat.reportBad(client.name, "ads", bad)
        if (good.length === 0 && bad > 0) return yield* client.error(new Undecodable({ detail: "no usable ad" }))
        const value = good.map((ad) => toAd(ad, side))
        return Snapshot.make({ value, source: client.name, observedAt: retrievedAt, retrievedAt })
      })

      const bothSides = Effect.zipWith(
        page("ask"),
        page("bid"),
        (asks, bids) => Snapshot.combine(asks, bids, (asks, bids) => anonymous([...asks, ...bids])),
        { concurrent: true }
      )

      return BitgetP2p.of({
        ads: yield* client.dataSet("book", { every: "1 minute", fetch: bothSides, schema: Schema.Array(P2pAd) })
      })
    })
  )

  static readonly layer: Layer.Layer<BitgetP2p, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: BitgetP2p["Service"]) => Layer.succeed(BitgetP2p, service)
}

const query = { pageNo: 1, pageSize: 20, coinCode: "USDT", fiatCode: "NGN", languageType: 0 }

const toAd = (ad: typeof Ad.Type, side: P2pAd["side"]): P2pAd => ({
  side,
  // As sent: whether these are the ones asked for is for the estimate to see.
  asset: ad.coinCode,
  fiat: ad.fiatCode,
  price: ad.price,
  // Where the remainder is not sent, at least what one order may take is there.
  available: ad.lastAmount ?? (ad.price > 0 ? ad.maxAmount / ad.price : 0),
  minAmount: ad.minAmount,
  maxAmount: ad.maxAmount,
  merchant: ad.encryptUserId ?? "",
  orders: ad.thirtyTunoverNum ?? null,
  completionRate: completionRateOf(ad),
  payments: [...new Set((ad.paymethodInfo ?? []).map(({ paymethodName }) => paymentOf(paymethodName ?? "")))],
  online: ad.showOnline ?? null
})

/** Sent as a share ("0.97"); above 1 it can only be percent. A maker without orders has a rate that says nothing. */
const completionRateOf = ({ thirtyCompletionRate: rate, thirtyTunoverNum }: typeof Ad.Type): number | null => {
  if (rate === null || rate === undefined || rate < 0 || rate > 100 || thirtyTunoverNum === 0) return null
  return rate > 1 ? rate : rate * 100
}

const CASH = /^cash$|\bcash (in person|deposit)\b/i

/** Banks, and the accounts that Nigerians pay like banks. Methods come as names, in no fixed list. */
const BANK =
  /bank|transfer|opay|palm ?pay|kuda|monie ?point|fair ?money|carbon|paga|alat|gtb|\b(uba|fcmb|zenith|wema|vfd|providus)\b/i

const paymentOf = (name: string): Payment => (CASH.test(name) ? "cash" : BANK.test(name) ? "bank_transfer" : "other")
