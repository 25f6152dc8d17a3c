// Bybit's P2P page behind its web site. The side is the ADVERTISER's: "1" sells, so the customer buys; ascending. "0"
// buys; descending. All scalars of the request are strings. A malformed one gets status 200 with `ret_code` 10001.
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

const itemOf = (ad: Ad, fiat: string, side: number): object => ({
  id: String(1_899_000_000_000 + ad.id),
  accountId: String(ad.id),
  userId: "0",
  userMaskId: `mask-${ad.id}`,
  nickName: `maker ${ad.id}`,
  tokenId: "USDT",
  currencyId: fiat,
  side,
  price: ad.price.toFixed(digitsOf(ad.price)),
  lastQuantity: ad.remaining.toFixed(4),
  minAmount: ad.min.toFixed(2),
  maxAmount: ad.max.toFixed(2),
  payments: paymentsOf(ad),
  finishNum: Math.floor(ad.orders30d * 4 * ad.completion),
  recentOrderNum: ad.orders30d,
  recentExecuteRate: Math.round(ad.completion * 100),
  isOnline: ad.isOnline
})

const envelope = (at: number, code: number, message: string, result: object): object => ({
  ret_code: code,
  ret_msg: message,
  result,
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
  const isAsk = (side === "1") !== (isInverted || isSwapped("bybit", fiat))
  const book = isShown ? ads(world.seed, "bybit", fiat, isAsk ? "ask" : "bid", at) : []
  const items = book.slice((page - 1) * size, page * size).map((ad) => itemOf(ad, fiat, Number(side)))
  return envelope(at, 0, "SUCCESS", { count: book.length, items })
}

const fiats = fiatsAt("bybit")

const symbols = fiats.map((currencyId) => ({ currencyId, tokenId: "USDT" }))

/** api2.bybit.com. */
export const bybitP2p: Wire = (request) => {
  switch (`${request.method} ${request.path}`) {
    case "POST /fiat/otc/item/online":
      return ok(online(request))
    case "GET /fiat/p2p/config/initial":
      return ok(envelope(request.at, 0, "SUCCESS", { symbols }))
    case "POST /fiat/otc/configuration/queryAllPaymentList":
      return ok(envelope(request.at, 0, "SUCCESS", { paymentConfigVo: paymentNames }))
    default:
      return failed(404, "404 page not found")
  }
}
