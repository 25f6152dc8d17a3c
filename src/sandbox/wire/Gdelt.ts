// GDELT's search: what it crawled, ten minutes after it was published, with spaces around punctuation; it also finds articles
// that have the name only in their text, and refuses short phrases in prose with status 200.
import { isoTime, minuteMs } from "../Calendar.ts"
import { articles } from "../News.ts"
import { failed, integerOf, ok, type Wire } from "../Wire.ts"

const crawlDelay = 10 * minuteMs

const seen = (at: number): string => isoTime(at + crawlDelay).replaceAll(/[-:]|\.\d+/g, "")

/** api.gdeltproject.org. */
export const gdelt: Wire = ({ at, method, path, query, world }) => {
  if (method !== "GET" || path !== "/api/v2/doc/doc") return failed(404, "Not Found")
  const phrase = /"([^"]*)"/.exec(query.get("query") ?? "")?.[1]?.toLowerCase() ?? ""
  if (phrase.length < 3) return ok("The specified phrase is too short.")
  const found = articles(world, at - crawlDelay, 24)
    .filter(({ summary, title }) => `${title} ${summary}`.toLowerCase().includes(phrase))
    .slice(0, integerOf(query, "maxrecords", 75, 250))
  if (found.length === 0) return ok({})
  return ok({
    articles: found.map((article) => ({
      url: article.url,
      url_mobile: "",
      title: article.title.replaceAll(/\s*([(),:])\s*/g, " $1 ").trim(),
      seendate: seen(article.at),
      socialimage: "",
      domain: new URL(article.url).hostname,
      language: "English",
      sourcecountry: "United States"
    }))
  })
}
