// Bybit's P2P ads, from the undocumented endpoint of its website. No recording of NGN is known. `side` is the advertiser's: 1
// sells (an ask for the customer). The best ads are mostly bait and often cross. Refusals have status 200. Merchants' ids are
// kept only to count each merchant once.
import { DateTime, Effect, Option, Schema } from "effect"
import type { P2pAd, Payment } from "../../domain/P2pAd.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { Rejected, Undecodable } from "../client/SourceError.ts"
import { records } from "../catalog/SourceCatalog.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { p2pBook } from "../client/p2pBooks.ts"

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

/** A page, or the code of a refusal. */
const Body = Schema.Union([
  Schema.Struct({
    ret_code: Schema.Literal(0),
    result: Schema.Struct({ items: Schema.NullOr(WireFormat.Rows) }),
    time_now: Schema.optionalKey(WireFormat.BlankableDecimal)
  }),
  Schema.Struct({ ret_code: Schema.Int.check(Schema.makeFilter((code) => code !== 0)) })
])

/** Ids of `/fiat/otc/configuration/queryAllPaymentList`; all others are `other`. */
const paymentNames: ReadonlyMap<string, Payment> = new Map([
  ["14", "bank_transfer"],
  ["90", "cash"]
])

/** The advertiser's side, in the request as text and in each ad as a number. */
const advertiserSide = { ask: 1, bid: 0 } as const

/** Bybit's P2P market of USDT against NGN. */
export class BybitP2p extends SourceService<
  BybitP2p,
  {
    /** The 50 ads at the head of each side, asks first, bait included. Empty where Bybit has no naira market. */
    readonly ads: DataSet.DataSet<ReadonlyArray<P2pAd>>
  }
>()("crypto-data-api/sources/BybitP2p", records.BYBIT_P2P, function* (connect) {
  const client = yield* connect()

  const page = Effect.fn("BybitP2p.page")(function* (side: P2pAd["side"]) {
    const { body, retrievedAt } = yield* client.post("/fiat/otc/item/online", Body, {
      ...query,
      side: String(advertiserSide[side])
    })
    if (!("result" in body)) return yield* client.error(new Rejected({ code: String(body.ret_code) }))
    const items = body.result.items ?? []
    const { good } = WireFormat.rows(Item, items)
    const asked = good.filter((item) => item.side === advertiserSide[side])
    yield* WireFormat.reportBad(client.name, "ads", items.length - asked.length)
    if (asked.length === 0 && items.length > 0) {
      return yield* client.error(new Undecodable({ detail: "no usable ad of the side asked for" }))
    }
    return {
      value: asked.map((item) => toAd(item, side)),
      source: client.name,
      observedAt: observedAt(body.time_now) ?? retrievedAt,
      retrievedAt
    }
  })

  return { ads: yield* p2pBook(client, page) }
}) {}

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
  // As sent: the estimate rejects other currencies.
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

/** `userMaskId` where it is sent; the other ids are often "0". */
const merchantOf = ({ accountId, nickName, userId, userMaskId }: typeof Item.Type): string =>
  [userMaskId, accountId, userId, nickName].find((id) => id !== null && id !== undefined && id !== "" && id !== "0") ??
  ""

const ordersOf = ({ finishNum, recentOrderNum }: typeof Item.Type): number | null => {
  const counts = [recentOrderNum, finishNum].filter((count) => count !== null && count !== undefined)
  return counts.length === 0 ? null : Math.max(...counts)
}

/** Without orders in 30 days the rate is 0 and has no meaning. */
const completionRateOf = ({ recentExecuteRate: rate, recentOrderNum }: typeof Item.Type): number | null =>
  rate === null || rate === undefined || rate < 0 || rate > 100 || recentOrderNum === 0 ? null : rate
