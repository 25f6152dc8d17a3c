// Bybit: times as numbers, labels, and its own code for a type that it does not have.
import { notices } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

const kinds: Readonly<Record<string, string>> = { new_crypto: "listing", delistings: "delisting" }

/** api.bybit.com. */
export const bybitAnnouncements: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/v5/announcements/index") return failed(404, "404 page not found")
  const type = query.get("type")
  if (type !== null && kinds[type] === undefined) {
    return ok({ retCode: 10001, retMsg: "params error: type", result: {}, retExtInfo: {}, time: at })
  }
  const limit = Math.max(1, integerOf(query, "limit", 20, 100))
  const page = Math.max(1, integerOf(query, "page", 1, 1_000))
  const all = notices(world, "Bybit", at).filter(({ kind }) => type === null || kind === kinds[type])
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
