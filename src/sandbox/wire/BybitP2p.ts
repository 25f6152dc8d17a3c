// Bybit's P2P page behind its web site. The side is the ADVERTISER's: "1" sells, so the customer buys; ascending. "0"
// buys; descending. All scalars of the request are strings. A malformed one gets status 200 with `ret_code` 10001.
import { dayMs } from "../Calendar.ts"
import { type Ad, ads, digitsOf, fiatsAt, isListed, isSwapped } from "../P2pBooks.ts"
import { failed, ok, type Wire, type WireRequest } from "../Wire.ts"

const bankTransfer = "14"
const cash = "90"

/** Names by number, as `queryAllPaymentList` has them. */
const paymentNames = [
  { paymentType: bankTransfer, paymentName: "Bank Transfer" },
  { paymentType: "18", paymentName: "Airtime" },
  { paymentType: cash, paymentName: "Cash in Person" }
]

const paymentsOf = (ad: Ad): ReadonlyArray<string> =>
  ad.isCash ? [cash] : ad.id % 3 === 0 ? [bankTransfer, cash] : [bankTransfer]

const itemOf = (ad: Ad, fiat: string, side: number, at: number): object => ({
  id: String(1_899_000_000_000 + ad.id),
  accountId: String(ad.id),
  userId: "0",
  userMaskId: `mask-${ad.id}`,
  nickName: `maker ${ad.id}`,
  tokenId: "USDT",
  tokenName: "",
  currencyId: fiat,
  side,
  priceType: 0,
  price: ad.price.toFixed(digitsOf(ad.price)),
  premium: "0",
  lastQuantity: ad.remaining.toFixed(4),
  quantity: ad.quantity.toFixed(4),
  frozenQuantity: "0",
  executedQuantity: "0",
  minAmount: ad.min.toFixed(2),
  maxAmount: ad.max.toFixed(2),
  remark: "",
  status: 10,
  createDate: String(at - 3 * dayMs),
  payments: paymentsOf(ad),
  orderNum: ad.orders30d * 4,
  finishNum: Math.floor(ad.orders30d * 4 * ad.completion),
  recentOrderNum: ad.orders30d,
  recentExecuteRate: Math.round(ad.completion * 100),
  fee: "",
  isOnline: ad.isOnline,
  lastLogoutTime: String(Math.floor(at / 1000) - (ad.isOnline ? 60 : 7200)),
  authStatus: 1,
  authTag: ad.kind === "honest" ? ["GA", "VA", "VA1"] : ["GA"],
  userType: "PERSONAL",
  itemType: "ORIGIN",
  makerContact: false,
  paymentPeriod: 15,
  // Requirements on the counterparty, not the maker's record.
  tradingPreferenceSet: { completeRateDay30: "0", isKyc: 1 }
})

const envelope = (at: number, code: number, message: string, result: object): object => ({
  ret_code: code,
  ret_msg: message,
  result,
  ext_code: "",
  ext_info: {},
  time_now: (at / 1000).toFixed(6)
})

const online = ({ world, at, body, isInverted }: WireRequest): object => {
  const fields = new Map<string, unknown>(typeof body === "object" && body !== null ? Object.entries(body) : [])
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === "string" ? value : undefined
  }
  const side = text("side")
  const size = Number(text("size") ?? "10")
  const page = Number(text("page") ?? "1")
  const isWhole = Number.isInteger(size) && size >= 1 && size <= 300 && Number.isInteger(page) && page >= 1
  if ((side !== "0" && side !== "1") || !isWhole || text("tokenId") === undefined) {
    return envelope(at, 10_001, "parameter error", {})
  }
  const fiat = text("currencyId") ?? ""
  const isShown = text("tokenId") === "USDT" && isListed("bybit", fiat)
  const amount = Number(text("amount") ?? "")
  const isAsk = (side === "1") !== (isInverted || isSwapped("bybit", fiat))
  const book = isShown ? ads(world.seed, "bybit", fiat, isAsk ? "ask" : "bid", at) : []
  const asked = fields.get("payment")
  const payments = Array.isArray(asked) ? asked.map(String) : []
  const fitting = book.filter(
    (ad) =>
      (!(amount > 0) || (ad.min <= amount && amount <= ad.max)) &&
      (payments.length === 0 || paymentsOf(ad).some((payment) => payments.includes(payment)))
  )
  const items = fitting.slice((page - 1) * size, page * size).map((ad) => itemOf(ad, fiat, Number(side), at))
  return envelope(at, 0, "SUCCESS", { count: fitting.length, items })
}

const fiats = fiatsAt("bybit")

const symbols = fiats.map((currencyId) => ({
  currencyId,
  tokenId: "USDT",
  currencyMinQuote: "1",
  currencyMaxQuote: "100000000",
  currency: { scale: 2 },
  buyFeeRate: "0",
  status: 1
}))

const paymentIds = Object.fromEntries(fiats.map((fiat) => [fiat, paymentNames.map(({ paymentType }) => paymentType)]))

/** api2.bybit.com. */
export const bybitP2p: Wire = (request) => {
  switch (`${request.method} ${request.path}`) {
    case "POST /fiat/otc/item/online":
      return ok(online(request))
    case "GET /fiat/p2p/config/initial":
      return ok(envelope(request.at, 0, "SUCCESS", { symbols, currencies: fiats }))
    case "POST /fiat/otc/configuration/queryAllPaymentList":
      return ok(
        envelope(request.at, 0, "SUCCESS", {
          paymentConfigVo: paymentNames,
          currencyPaymentIdMap: JSON.stringify(paymentIds)
        })
      )
    default:
      return failed(404, "404 page not found")
  }
}
