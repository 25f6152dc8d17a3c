// OKX: times as text in milliseconds, pages of 20, and its own code for a type that it does not have.
import { notices } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

const kinds: Readonly<Record<string, string>> = {
  "announcements-new-listings": "listing",
  "announcements-delistings": "delisting"
}

/** www.okx.com. */
export const okx: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v5/support/announcements") return failed(404, { code: "404", data: [] })
  const annType = query.get("annType")
  if (annType !== null && kinds[annType] === undefined)
    return ok({ code: "51000", msg: "Parameter annType error", data: [] })
  const page = Math.max(1, integerOf(query, "page", 1, 1_000))
  const all = notices(world, "OKX", at).filter(({ kind }) => annType === null || kind === kinds[annType])
  const details = all.slice((page - 1) * 20, page * 20).map((notice) => ({
    annType: `announcements-${notice.kind === "listing" ? "new-listings" : "delistings"}`,
    title: notice.title,
    url: notice.url,
    pTime: String(notice.at),
    businessPTime: String(notice.at)
  }))
  return ok({ code: "0", msg: "", data: [{ totalPage: String(Math.ceil(all.length / 20)), details }] })
}
