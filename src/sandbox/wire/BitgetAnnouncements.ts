// Bitget: ids and times as text, under a path that is misspelt.
import { notices } from "../News.ts"
import { failed, ok, type Wire } from "../Wire.ts"

const kinds: Readonly<Record<string, string>> = { coin_listings: "listing", symbol_delisting: "delisting" }

/** api.bitget.com. */
export const bitgetAnnouncements: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v2/public/annoucements") {
    return failed(404, { code: "40404", msg: "Request URL NOT FOUND", requestTime: at, data: null })
  }
  const annType = query.get("annType")
  const data = notices(world, "Bitget", at)
    .filter(({ kind }) => annType === null || kind === kinds[annType])
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
