// Errors for people: a problem as a page, for a browser that asks for an address that is not the API's.
import { explanations } from "../../api/Problems.ts"
import { ownDialect } from "../../api/Dialect.ts"
import { text } from "../documents/Html.ts"
import { fill, headersOfPage, HTML, textPage } from "../documents/Pages.ts"
import { asksForPage } from "./asksForPage.ts"
import type { CountedRequest } from "./CountedRequest.ts"
import { headersOf } from "./Headers.ts"
import type { ProblemDetails } from "./Problem.ts"
import type { RawResponse } from "./RawResponse.ts"

/** Paths for programs, known or not. */
const OF_PROGRAMS = /^\/(v1|compat|mcp)(\/|$)/

/** What a person can do about it, but for trying again. */
const sentenceOf = ({ code, detail }: ProblemDetails): string =>
  code === "not_found" ? "There is no page at this address. It may be misspelt, or it has moved." : detail

/** The page of a problem; `undefined` for callers that read the problem itself. */
export const errorPage = (request: CountedRequest, problem: ProblemDetails): RawResponse | undefined => {
  const { base, dialect, path } = request.parsed
  if (dialect !== ownDialect || OF_PROGRAMS.test(path) || !asksForPage(request.headers)) return undefined
  const { status, title } = explanations[problem.code]
  const body = [
    `<h1>${text(title)}</h1>`,
    `<p>${text(sentenceOf(problem))}</p>`,
    `<p>${status === 429 || status >= 500 ? '<a href="">Try again</a>, or go ' : "Go "}<a href="${base}/">to all rates and coins</a>.</p>`,
    `<p class="soft">HTTP ${status}, request ${text(request.id)}</p>`
  ]
  const content = fill(textPage.html, { base, title: text(title), body: body.join("\n") })
  const headers = {
    ...headersOfPage(textPage),
    ...problem.headers,
    "content-type": HTML,
    "content-length": String(Buffer.byteLength(content))
  }
  return { status, headers: headersOf(request, headers), content }
}
