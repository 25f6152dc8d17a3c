// Binance's public list of P2P ads: `tradeType` is what the customer does, figures are numbers, rates are shares of 1; at most 20
// ads.
import { type Ad, ads, isListed, isSwapped } from "../P2pBooks.ts"
import { failed, integerOf, ok, type Wire, type WireRequest } from "../Wire.ts"

const adOf = (ad: Ad, fiat: string): object => ({
  adNo: String(13_000_000_000 + ad.id),
  price: ad.price,
  fiat,
  asset: "USDT",
  minTransAmount: ad.min,
  maxTransAmount: ad.max,
  tradableAmount: ad.remaining,
  tradeMethods: ad.isCash ? ["CASH"] : ["BANK"],
  advertiser: {
    nickName: `maker ${ad.id}`,
    userType: ad.kind === "honest" ? "merchant" : "user",
    monthOrderCount: ad.orders30d,
    monthFinishRate: ad.completion
  }
})

const page = ({ at, isInverted, query, world }: WireRequest): object => {
  const fiat = query.get("fiat") ?? ""
  const tradeType = query.get("tradeType")
  if (tradeType !== "BUY" && tradeType !== "SELL") {
    return { code: "000002", message: "illegal parameter", data: null, success: false }
  }
  const isAsk = (tradeType === "BUY") !== (isInverted || isSwapped("binance", fiat))
  const isShown = query.get("asset") === "USDT" && isListed("binance", fiat)
  const book = isShown ? ads(world.seed, "binance", fiat, isAsk ? "ask" : "bid", at) : []
  const items = book.slice(0, integerOf(query, "limit", 10, 20)).map((ad) => adOf(ad, fiat))
  return { code: "000000", message: null, data: { items }, success: true }
}

/** www.binance.com. */
export const binanceP2p: Wire = (request) =>
  request.method === "GET" && request.path === "/bapi/c2c/v1/public/c2c/agent/ad-list"
    ? ok(page(request))
    : failed(404, { code: "404", message: "Not Found", data: null, success: false })
