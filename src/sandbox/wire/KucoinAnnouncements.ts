// KuCoin: times as numbers; delistings stand only under the latest announcements, as they often do.
import { notices } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

/** api.kucoin.com. */
export const kucoin: Wire = ({ at, method, path, query, world }) => {
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
