// Announcements of exchanges, each in its venue's own format: codes, times as text or numbers, pages.
import { notices } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

const okxKinds: Readonly<Record<string, string>> = {
  "announcements-new-listings": "listing",
  "announcements-delistings": "delisting"
}

/** www.okx.com: times as text in milliseconds, 20 at most, an error code for unknown types. */
const okx: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v5/support/announcements") return failed(404, { code: "404", data: [] })
  const annType = query.get("annType")
  if (annType !== null && okxKinds[annType] === undefined)
    return ok({ code: "51000", msg: "Parameter annType error", data: [] })
  const all = notices(world, "OKX", at).filter(({ kind }) => annType === null || kind === okxKinds[annType])
  const details = all.slice(0, 20).map(({ at, title, url }) => ({ title, url, pTime: String(at) }))
  return ok({ code: "0", msg: "", data: [{ details }] })
}

/** api.kucoin.com: times as numbers; delistings only appear among the latest announcements. */
const kucoin: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v3/announcements") return failed(404, { code: "404", msg: "Not Found" })
  const annType = query.get("annType") ?? "latest-announcements"
  const pageSize = Math.max(1, integerOf(query, "pageSize", 10, 100))
  const all = notices(world, "KuCoin", at).filter(({ kind }) => {
    if (annType === "latest-announcements") return true
    return annType === "new-listings" && kind === "listing"
  })
  const items = all.slice(0, pageSize).map((notice) => ({
    annId: notice.id,
    annTitle: notice.title,
    annDesc: notice.summary,
    cTime: notice.at,
    annUrl: `${notice.url}?lang=en_US`
  }))
  return ok({ code: "200000", data: { items } })
}

const bitgetKinds: Readonly<Record<string, string>> = { coin_listings: "listing", symbol_delisting: "delisting" }

/** api.bitget.com: ids and times as text, under a path that is misspelt. */
const bitget: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v2/public/annoucements") {
    return failed(404, { code: "40404", msg: "Request URL NOT FOUND", requestTime: at, data: null })
  }
  const annType = query.get("annType")
  const data = notices(world, "Bitget", at)
    .filter(({ kind }) => annType === null || kind === bitgetKinds[annType])
    .slice(0, 20)
    .map((notice) => ({
      annId: String(notice.id),
      annTitle: notice.title,
      annDesc: "",
      cTime: String(notice.at),
      annUrl: notice.url
    }))
  return ok({ code: "00000", msg: "success", requestTime: at, data })
}

const bybitKinds: Readonly<Record<string, string>> = { new_crypto: "listing", delistings: "delisting" }

/** api.bybit.com: times as numbers, labels, an error code for unknown types. */
const bybit: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/v5/announcements/index") return failed(404, "404 page not found")
  const type = query.get("type")
  if (type !== null && bybitKinds[type] === undefined) {
    return ok({ retCode: 10001, retMsg: "params error: type", result: {}, retExtInfo: {}, time: at })
  }
  const limit = Math.max(1, integerOf(query, "limit", 20, 100))
  const all = notices(world, "Bybit", at).filter(({ kind }) => type === null || kind === bybitKinds[type])
  const list = all.slice(0, limit).map((notice) => ({
    title: notice.title,
    description: notice.summary,
    tags: notice.title.includes("equities") ? ["TradFi"] : ["Spot", "Spot Listings"],
    url: notice.url,
    dateTimestamp: notice.at - 5_000,
    publishTime: notice.at
  }))
  return ok({ retCode: 0, retMsg: "OK", result: { list }, retExtInfo: {}, time: at })
}

export const announcements = { OKX: okx, KUCOIN: kucoin, BITGET: bitget, BYBIT: bybit }
