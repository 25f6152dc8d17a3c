// The pages of a coin or a market that there is not: a 404, with links to those that may be meant.
import { Option, Schema } from "effect"
import { Suggestion } from "../../api/Problems.ts"
import { text } from "../documents/Html.ts"
import { htmlResponse, textPage } from "../documents/Pages.ts"
import { api, coinPath, marketPath } from "./browser/Route.ts"

/** The most characters of a name in the URL that a page repeats. */
const LONGEST = 80

type Link = readonly [path: string, label: string]

const page = (root: string, title: string, sentence: string, links: ReadonlyArray<Link>) => {
  const items = [...links, ["", "All rates and coins"] as const]
    .map(([path, label]) => `<li><a href="${text(`${root}/${path}`)}">${text(label)}</a></li>`)
    .join("\n")
  const body = `<h1>${title}</h1>\n<p>${text(sentence)}</p>\n<ul>\n${items}\n</ul>`
  return htmlResponse(textPage, { base: text(root), title, body }, 404)
}

const answersWithSuggestions = Schema.decodeOption(
  Schema.fromJsonString(
    Schema.Struct({
      answers: Schema.Record(
        Schema.String,
        Schema.Struct({ body: Schema.Struct({ suggestions: Schema.optionalKey(Schema.Array(Suggestion)) }) })
      )
    })
  )
)

/** `answers`: those of the page, with the API's about the coin. */
export const unknownCoinPage = (root: string, id: string, answers: string) => {
  const found = Option.getOrUndefined(answersWithSuggestions(answers))?.answers[api.coin(id)]?.body.suggestions ?? []
  const links = found.map((coin) => [coinPath(coin.id), `${coin.name} (${coin.symbol})`] as const)
  const meant = links.length === 0 ? "" : " Did you mean:"
  return page(root, "Unknown coin", `No coin has the id “${id.slice(0, LONGEST)}”.${meant}`, links)
}

export const unknownMarketPage = (root: string, fiat: string, followed: ReadonlyArray<string>) =>
  page(
    root,
    "No such market",
    `This server follows no P2P market of ${fiat.slice(0, LONGEST)}. It follows:`,
    followed.map((code) => [marketPath(code), `USDT/${code}`] as const)
  )
