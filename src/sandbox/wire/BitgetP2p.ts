// Bitget's P2P page behind its web site: side 1 is an advertiser who sells, 2 one who buys; ratios as strings, 1 for
// all; an empty book is a null list.
import { type Ad, ads, digitsOf, isListed, isSwapped } from "../P2pBooks.ts"
import { failed, ok, type Wire, type WireRequest } from "../Wire.ts"

const adOf = (ad: Ad, fiat: string): object => ({
  adNo: String(1_299_000_000_000 + ad.id),
  coinCode: "USDT",
  fiatCode: fiat,
  price: ad.price.toFixed(digitsOf(ad.price)),
  lastAmount: ad.remaining.toFixed(2),
  minAmount: String(ad.min),
  maxAmount: String(ad.max),
  encryptUserId: `user-${ad.id}`,
  nickName: `maker ${ad.id}`,
  certifiedMerchant: ad.kind === "honest" ? 1 : 0,
  showOnline: ad.isOnline,
  thirtyTunoverNum: String(ad.orders30d),
  thirtyCompletionRate: ad.completion.toFixed(2),
  paymethodInfo: [{ paymethodName: ad.isCash ? "Cash in Person" : "Bank Transfer" }]
})

const query = ({ world, at, body, isInverted }: WireRequest): object => {
  const fields = new Map<string, unknown>(typeof body === "object" && body !== null ? Object.entries(body) : [])
  const side = fields.get("side")
  const page = fields.get("pageNo") ?? 1
  const size = fields.get("pageSize") ?? 10
  if ((side !== 1 && side !== 2) || typeof page !== "number" || typeof size !== "number" || page < 1 || size < 1) {
    return { code: "40002", msg: "Parameter verification failed", data: null }
  }
  const fiat = String(fields.get("fiatCode"))
  const isAsk = (side === 1) !== (isInverted || isSwapped("bitget", fiat))
  const isShown = fields.get("coinCode") === "USDT" && isListed("bitget", fiat)
  const book = isShown ? ads(world.seed, "bitget", fiat, isAsk ? "ask" : "bid", at) : []
  const rows = book.slice((page - 1) * size, page * size).map((ad) => adOf(ad, fiat))
  return { code: "00000", msg: "success", data: { dataList: rows.length === 0 ? null : rows } }
}

/** www.bitget.com. */
export const bitgetP2p: Wire = (request) =>
  request.method === "POST" && request.path === "/v1/p2p/pub/adv/queryAdvList"
    ? ok(query(request))
    : failed(404, { code: "404", msg: "Not Found", data: null })
