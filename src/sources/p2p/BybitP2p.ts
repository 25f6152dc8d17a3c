// Bybit's P2P ads, from the undocumented endpoints of its website. The only recordings are pages in roubles. `side` is the advertiser's:
// 1 sells (an ask for the customer). The best ads are mostly bait and often cross. Errors have status 200. Merchants' ids serve only to
// count each merchant once. Ads have payments as numbers; a daily configuration has their names and Bybit's fiats.
import { DateTime, Effect, Fiber, Option, Schema } from "effect"
import type { P2pAd, Payment } from "../../domain/P2pAd.ts"
import { type P2pMarket, usualMarket } from "../../domain/P2pMarket.ts"
import { paymentOf } from "../../domain/paymentOf.ts"
import * as DataSet from "../dataset/DataSet.ts"
import { SourceService } from "../client/SourceService.ts"
import { rejected, Unusable } from "../client/SourceError.ts"
import { catalog } from "../catalog/SourceCatalog.ts"
import { followedMarkets } from "./followedMarkets.ts"
import { isTruncated } from "../client/isTruncated.ts"
import * as WireFormat from "../client/WireFormat.ts"
import { type Books, MOST_ADS, p2pBooks } from "./p2pBooks.ts"

const Item = Schema.Struct({
  tokenId: WireFormat.Text,
  currencyId: WireFormat.Text,
  side: WireFormat.Decimal,
  price: WireFormat.Decimal,
  lastQuantity: WireFormat.Decimal,
  minAmount: WireFormat.Decimal,
  maxAmount: WireFormat.Decimal,
  payments: Schema.optionalKey(Schema.NullOr(WireFormat.Texts)),
  finishNum: Schema.optionalKey(WireFormat.BlankableDecimal),
  recentOrderNum: Schema.optionalKey(WireFormat.BlankableDecimal),
  recentExecuteRate: Schema.optionalKey(WireFormat.BlankableDecimal),
  isOnline: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  userMaskId: WireFormat.NullishText,
  accountId: WireFormat.NullishText,
  userId: WireFormat.NullishText,
  nickName: WireFormat.NullishText
})

/** An error code. */
const Refusal = Schema.Struct({ ret_code: Schema.Int.check(Schema.makeFilter((code) => code !== 0)) })

/** A page, or an error. */
const Body = Schema.Union([
  Schema.Struct({
    ret_code: Schema.Literal(0),
    result: Schema.Struct({ items: Schema.NullOr(WireFormat.Rows(MOST_ADS)) }),
    time_now: Schema.optionalKey(WireFormat.BlankableDecimal)
  }),
  Refusal
])

const SymbolsBody = Schema.Union([
  Schema.Struct({ result: Schema.Struct({ symbols: WireFormat.Rows(5_000) }) }),
  Refusal
])

const PairRow = Schema.Struct({ tokenId: WireFormat.Text, currencyId: WireFormat.Text })

const PaymentsBody = Schema.Union([
  Schema.Struct({ result: Schema.Struct({ paymentConfigVo: WireFormat.Rows(5_000) }) }),
  Refusal
])

const PaymentRow = Schema.Struct({
  paymentType: Schema.Union([WireFormat.Text, Schema.Int]),
  paymentName: WireFormat.Text
})

/** The fiats with a USDT market, and the names of payments by their numbers. */
const Configuration = Schema.Struct({
  fiats: Schema.Array(Schema.String),
  payments: Schema.Record(Schema.String, Schema.String)
})

/** The advertiser's side: text in the request, a number in each ad. */
const advertiserSide = { ask: 1, bid: 0 } as const

/** Bybit's P2P ads of USDT, by market. */
export class BybitP2p extends SourceService<
  BybitP2p,
  {
    /** The first 50 ads of each side, asks first, bait included. Empty if Bybit has no such market. */
    readonly p2p: Books<ReadonlyArray<P2pAd>>
    readonly p2p_configuration: DataSet.DataSet<typeof Configuration.Type>
  }
>()("crypto-data-api/sources/p2p/BybitP2p", catalog.BYBIT_P2P, function* (connect) {
  const client = yield* connect()
  // Two calls a day, and at most four per hour while they fail.
  const settings = yield* connect({
    allowances: [{ calls: 4, per: "1 hour", onDemand: 0 }],
    budget: "configuration",
    retries: 0
  })
  const scope = yield* Effect.scope
  const followed = new Set((yield* followedMarkets).map(({ fiat }) => fiat))

  const fetchConfiguration = Effect.gen(function* () {
    const [asked, named] = yield* Effect.all(
      [
        settings.get("/fiat/p2p/config/initial", SymbolsBody),
        settings.post("/fiat/otc/configuration/queryAllPaymentList", PaymentsBody, {})
      ],
      { concurrency: "unbounded" }
    )
    if (!("result" in asked.body)) return yield* client.error(rejected(asked.body.ret_code))
    if (!("result" in named.body)) return yield* client.error(rejected(named.body.ret_code))
    const pairs = yield* client.usable("pairs", WireFormat.rows(PairRow, asked.body.result.symbols))
    const names = yield* client.usable("payments", WireFormat.rows(PaymentRow, named.body.result.paymentConfigVo))
    const fiats = pairs.filter(({ tokenId }) => tokenId === "USDT").map(({ currencyId }) => currencyId)
    if (fiats.length === 0 || names.length === 0) {
      return yield* client.error(new Unusable({ detail: "a configuration without fiats or payments" }))
    }
    // A truncated list would empty books for a day. The naira is always listed.
    const lacks = (former: ReadonlyArray<string>) => former.some((fiat) => followed.has(fiat) && !fiats.includes(fiat))
    const isShort = isTruncated(yield* configuration.last, named.retrievedAt, (former) => lacks(former.fiats))
    if (isShort || lacks([usualMarket.fiat])) {
      return yield* client.error(new Unusable({ detail: "a list of fiats without those of before" }))
    }
    const payments = Object.fromEntries(names.map(({ paymentName, paymentType }) => [paymentType, paymentName]))
    return { value: { fiats, payments }, observedAt: named.observedAt, retrievedAt: named.retrievedAt }
  })

  const configuration: DataSet.DataSet<typeof Configuration.Type> = yield* settings.dataSet("p2p-configuration", {
    every: "1 day",
    fetch: fetchConfiguration,
    schema: Configuration
  })

  /** The last configuration. A book waits for the first one. */
  const known = Effect.gen(function* () {
    const asking = yield* Effect.forkIn(Effect.exit(configuration.get), scope)
    yield* Effect.timeoutOption(Fiber.await(asking), CONFIGURATION_WAIT)
    return Option.getOrUndefined(yield* configuration.last)?.value
  })

  const page = Effect.fn("BybitP2p.page")(function* (market: P2pMarket, side: P2pAd["side"]) {
    const former = Option.getOrUndefined(yield* configuration.last)?.value
    if (former !== undefined && !former.fiats.includes(market.fiat)) {
      yield* known
      const now = yield* DateTime.now
      return { value: [], observedAt: now, retrievedAt: now }
    }
    const asked = { ...query, currencyId: market.fiat, side: String(advertiserSide[side]) }
    const [held, { body, observedAt: answeredAt, retrievedAt }] = yield* Effect.all(
      [known, client.post("/fiat/otc/item/online", Body, asked)],
      { concurrency: "unbounded" }
    )
    if (!("result" in body)) return yield* client.error(rejected(body.ret_code))
    const items = body.result.items ?? []
    const fitting = WireFormat.rows(Item, items).good.filter((item) => item.side === advertiserSide[side])
    const ads = yield* client.usable("ads", { good: fitting, bad: items.length - fitting.length })
    return {
      value: ads.map((item) => toAd(item, side, paymentsOf(item, held?.payments ?? {}, market))),
      observedAt: observedAt(body.time_now) ?? answeredAt,
      retrievedAt
    }
  })

  return { p2p: yield* p2pBooks(client, "BYBIT_P2P", page), p2p_configuration: configuration }
}) {}

/** How long a book waits for the first configuration, without which none of its ads counts. */
const CONFIGURATION_WAIT = "8 seconds"

/** The website's own query. Scalars are text; a number gets `10001 parameter error`. */
const query = {
  userId: "",
  tokenId: "USDT",
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

const toAd = (item: typeof Item.Type, side: P2pAd["side"], payments: ReadonlyArray<Payment>): P2pAd => ({
  side,
  // Not checked here: the estimate rejects other currencies.
  asset: item.tokenId,
  fiat: item.currencyId,
  price: item.price,
  available: item.lastQuantity,
  minAmount: item.minAmount,
  maxAmount: item.maxAmount,
  merchant: merchantOf(item),
  orders: ordersOf(item),
  completionRate: completionRateOf(item),
  payments,
  online: item.isOnline ?? null
})

/** The payments whose names are known; empty if none is. */
const paymentsOf = (
  { payments }: typeof Item.Type,
  names: Readonly<Record<string, string>>,
  market: P2pMarket
): ReadonlyArray<Payment> => {
  const known = (payments ?? []).flatMap((id) => (Object.hasOwn(names, id) ? (names[id] ?? []) : []))
  return [...new Set(known.map((name) => paymentOf(name, market)))]
}

/** `userMaskId` if present, because the other ids are often "0". */
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
