// Announcements of exchanges, each in its venue's own format: codes, times as text or numbers, pages.
import { notices } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

const okxKinds: Readonly<Record<string, string>> = {
  "announcements-new-listings": "listing",
  "announcements-delistings": "delisting"
}

/** www.okx.com: times as text in milliseconds, pages of 20, an error code for unknown types. */
const okx: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v5/support/announcements") return failed(404, { code: "404", data: [] })
  const annType = query.get("annType")
  if (annType !== null && okxKinds[annType] === undefined)
    return ok({ code: "51000", msg: "Parameter annType error", data: [] })
  const page = Math.max(1, integerOf(query, "page", 1, 1_000))
  const all = notices(world, "OKX", at).filter(({ kind }) => annType === null || kind === okxKinds[annType])
  const details = all.slice((page - 1) * 20, page * 20).map((notice) => ({
    annType: `announcements-${notice.kind === "listing" ? "new-listings" : "delistings"}`,
    title: notice.title,
    url: notice.url,
    pTime: String(notice.at),
    businessPTime: String(notice.at)
  }))
  return ok({ code: "0", msg: "", data: [{ totalPage: String(Math.ceil(all.length / 20)), details }] })
}

/** api.kucoin.com: times as numbers; delistings only appear among the latest announcements. */
const kucoin: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v3/announcements") return failed(404, { code: "404", msg: "Not Found" })
  const annType = query.get("annType") ?? "latest-announcements"
  const pageSize = Math.max(1, integerOf(query, "pageSize", 10, 100))
  const currentPage = Math.max(1, integerOf(query, "currentPage", 1, 1_000))
  const all = notices(world, "KuCoin", at).filter(({ kind }) => {
    if (annType === "latest-announcements") return true
    return annType === "new-listings" && kind === "listing"
  })
  const items = all.slice((currentPage - 1) * pageSize, currentPage * pageSize).map((notice) => ({
    annId: notice.id,
    annTitle: notice.title,
    annType: notice.kind === "listing" ? ["latest-announcements", "new-listings"] : ["latest-announcements"],
    annDesc: notice.summary,
    cTime: notice.at,
    language: "en_US",
    annUrl: `${notice.url}?lang=en_US`
  }))
  const totalPage = Math.ceil(all.length / pageSize)
  return ok({ code: "200000", data: { totalNum: all.length, totalPage, currentPage, pageSize, items } })
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
      annType: notice.kind === "listing" ? "coin_listings" : "symbol_delisting",
      cTime: String(notice.at),
      language: "en_US",
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
  const page = Math.max(1, integerOf(query, "page", 1, 1_000))
  const all = notices(world, "Bybit", at).filter(({ kind }) => type === null || kind === bybitKinds[type])
  const list = all.slice((page - 1) * limit, page * limit).map((notice) => ({
    title: notice.title,
    description: notice.summary,
    type:
      notice.kind === "listing"
        ? { title: "New Listings", key: "new_crypto" }
        : { title: "Delistings", key: "delistings" },
    tags: notice.title.includes("equities") ? ["TradFi"] : ["Spot", "Spot Listings"],
    url: notice.url,
    dateTimestamp: notice.at - 5_000,
    startDateTimestamp: notice.at,
    endDateTimestamp: notice.at,
    publishTime: notice.at
  }))
  return ok({ retCode: 0, retMsg: "OK", result: { total: all.length, list }, retExtInfo: {}, time: at })
}

export const announcements = { OKX: okx, KUCOIN: kucoin, BITGET: bitget, BYBIT: bybit }
