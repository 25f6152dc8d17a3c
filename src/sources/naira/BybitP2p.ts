// Bybit's P2P ads, from the endpoint its website uses; undocumented, so it may go any day. No recording of NGN is known.
// `side` is the advertiser's: 1 sells, so the customer buys there (ask). The head of the book is bait and often crosses.
// Every refusal comes with status 200. Who advertises is kept only to count each merchant once.
import { type Config, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { anonymous, P2pAd, Payment } from "../../domain/P2pAd.ts"
import * as Snapshot from "../../domain/Snapshot.ts"
import * as DataSet from "../dataset/DataSet.ts"
import * as SourceClient from "../client/SourceClient.ts"
import { Rejected, Undecodable } from "../client/SourceError.ts"
import type { SourceTerms } from "../catalog/SourceTerms.ts"
import * as WireFormat from "../client/WireFormat.ts"

const terms: SourceTerms = {
  id: "BYBIT_P2P",
  name: "Bybit P2P",
  baseUrl: "https://api2.bybit.com",
  attribution: "Rate derived from public advertisements on Bybit P2P",
  link: "https://www.bybit.com/en/p2p",
  licence:
    "None granted: an undocumented endpoint whose robots.txt disallows robots; switch it off with SOURCES_DISABLED",
  redistribution: "no"
}

const Item = Schema.Struct({
  tokenId: Schema.String,
  currencyId: Schema.String,
  side: WireFormat.Decimal,
  price: WireFormat.Decimal,
  lastQuantity: WireFormat.Decimal,
  minAmount: WireFormat.Decimal,
  maxAmount: WireFormat.Decimal,
  payments: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  finishNum: Schema.optionalKey(WireFormat.BlankableDecimal),
  recentOrderNum: Schema.optionalKey(WireFormat.BlankableDecimal),
  recentExecuteRate: Schema.optionalKey(WireFormat.BlankableDecimal),
  isOnline: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  userMaskId: WireFormat.NullishText,
  accountId: WireFormat.NullishText,
  userId: WireFormat.NullishText,
  nickName: WireFormat.NullishText
})

/** The page, or nothing but the code it was refused with. */
const Body = Schema.Union([
  Schema.Struct({
    ret_code: Schema.Literal(0),
    result: Schema.Struct({ items: Schema.NullOr(WireFormat.Rows) }),
    time_now: Schema.optionalKey(WireFormat.BlankableDecimal)
  }),
  Schema.Struct({ ret_code: Schema.Int.check(Schema.makeFilter((code) => code !== 0)) })
])

/** Ids of `/fiat/otc/configuration/queryAllPaymentList`; the rest is not told apart. */
const paymentNames: ReadonlyMap<string, Payment> = new Map([
  ["14", "bank_transfer"],
  ["90", "cash"]
])

/** The advertiser's side, in the request as text and in each ad as a number. */
const advertiserSide = { ask: 1, bid: 0 } as const

/** Bybit's P2P market of USDT against NGN. */
export class BybitP2p extends Context.Service<
  BybitP2p,
  {
    /** The 50 ads at the head of each side, asks first, bait included. Empty where Bybit has no naira market. */
    readonly ads: DataSet.DataSet<ReadonlyArray<P2pAd>>
  }
>()("crypto-data-api/sources/BybitP2p") {
  static readonly terms = terms

  static readonly layerNoDeps: Layer.Layer<BybitP2p, Config.ConfigError, SourceClient.Requirements> = Layer.effect(
    BybitP2p,
    Effect.gen(function* () {
      const client = yield* SourceClient.make({ terms, allowances: [{ calls: 4, per: "1 minute" }] })

      const page = Effect.fn("BybitP2p.page")(function* (side: P2pAd["side"]) {
        const { body, retrievedAt } = yield* client.request(
          HttpClientRequest.post("/fiat/otc/item/online").pipe(
            HttpClientRequest.bodyJsonUnsafe({ ...query, side: String(advertiserSide[side]) })
          ),
          Body
        )
        if (!("result" in body)) return yield* client.error(new Rejected({ code: String(body.ret_code) }))
        const items = body.result.items ?? []
        const { good } = WireFormat.rows(Item, items)
        const asked = good.filter((item) => item.side === advertiserSide[side])
        yield* WireFormat.reportBad(client.name, "ads", items.length - asked.length)
        if (asked.length === 0 && items.length > 0) {
          return yield* client.error(new Undecodable({ detail: "no usable ad of the side asked for" }))
        }
        return Snapshot.make({
          value: asked.map((item) => toAd(item, side)),
          source: client.name,
          observedAt: observedAt(body.time_now) ?? retrievedAt,
          retrievedAt
        })
      })

      const bothSides = Effect.zipWith(
        page("ask"),
        page("bid"),
        (asks, bids) => Snapshot.combine(asks, bids, (asks, bids) => anonymous([...asks, ...bids])),
        { concurrent: true }
      )

      return BybitP2p.of({
        ads: yield* client.dataSet("book", { every: "1 minute", fetch: bothSides, schema: Schema.Array(P2pAd) })
      })
    })
  )

  static readonly layer: Layer.Layer<BybitP2p, Config.ConfigError> = this.layerNoDeps.pipe(
    Layer.provide(SourceClient.layerRequirements)
  )

  static readonly layerTest = (service: BybitP2p["Service"]) => Layer.succeed(BybitP2p, service)
}

/** The website's own query. Scalars are text; a number gets `10001 parameter error`. */
const query = {
  userId: "",
  tokenId: "USDT",
  currencyId: "NGN",
  payment: [],
  size: "50",
  page: "1",
  amount: "",
  authMaker: false,
  canTrade: false
}

/** `time_now` is in seconds, as text with a fraction. */
const observedAt = (seconds: number | null | undefined): DateTime.Utc | undefined =>
  seconds === null || seconds === undefined ? undefined : Option.getOrUndefined(DateTime.make(seconds * 1000))

const toAd = (item: typeof Item.Type, side: P2pAd["side"]): P2pAd => ({
  side,
  // As sent: whether these are the ones asked for is for the estimate to see.
  asset: item.tokenId,
  fiat: item.currencyId,
  price: item.price,
  available: item.lastQuantity,
  minAmount: item.minAmount,
  maxAmount: item.maxAmount,
  merchant: merchantOf(item),
  orders: ordersOf(item),
  completionRate: completionRateOf(item),
  payments: [...new Set((item.payments ?? []).map((id) => paymentNames.get(id) ?? "other"))],
  online: item.isOnline ?? null
})

/** `userMaskId` where it is sent; the other ids are often "0" for everybody. */
const merchantOf = ({ accountId, nickName, userId, userMaskId }: typeof Item.Type): string =>
  [userMaskId, accountId, userId, nickName].find((id) => id !== null && id !== undefined && id !== "" && id !== "0") ??
  ""

const ordersOf = ({ finishNum, recentOrderNum }: typeof Item.Type): number | null => {
  const counts = [recentOrderNum, finishNum].filter((count) => count !== null && count !== undefined)
  return counts.length === 0 ? null : Math.max(...counts)
}

/** A maker without orders in 30 days has a rate of 0, which says nothing. */
const completionRateOf = ({ recentExecuteRate: rate, recentOrderNum }: typeof Item.Type): number | null =>
  rate === null || rate === undefined || rate < 0 || rate > 100 || recentOrderNum === 0 ? null : rate
