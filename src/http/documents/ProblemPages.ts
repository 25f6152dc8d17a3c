// `/problems/{code}`, the `type` of a problem: what it means and what to do. `/problems` lists all.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type Explanation, explanations } from "../../api/Problems.ts"
import { type Example, examples } from "../../api/ApiDocument.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { json, prose, row, text } from "./Html.ts"
import { htmlResponse, textPage } from "./Pages.ts"
import * as Paths from "../request/Paths.ts"

export const ProblemPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { path: base } = yield* PublicUrl
    const all = Effect.sync(() => htmlResponse(textPage, { base, title: "Error types", body: listBody(base) }))
    yield* router.add(
      "GET",
      Paths.otherPaths.problem,
      Effect.flatMap(HttpRouter.params, ({ code = "" }) => pageOf(code, base))
    )
    yield* router.add("GET", Paths.otherPaths.problems, all)
  })
)

const known: ReadonlyMap<string, Explanation> = new Map(Object.entries(explanations))

const pageOf = Effect.fnUntraced(function* (code: string, base: string) {
  const explanation = known.get(code)
  if (explanation === undefined) return HttpServerResponse.empty({ status: 404 })
  const body = problemBody(code, explanation, (yield* examples).problems[code])
  return htmlResponse(textPage, { base, title: text(`${explanation.title} (${code})`), body })
})

const problemBody = (code: string, { remedy, status, text: meaning, title }: Explanation, example?: Example) =>
  [
    `<h1>${text(title)}</h1>`,
    `<p><code>${code}</code>, HTTP status ${status}</p>`,
    `<p>${prose(meaning)}</p>`,
    "<h2>What to do</h2>",
    `<p>${prose(remedy)}</p>`,
    ...(example === undefined
      ? []
      : ["<h2>Example</h2>", `<pre tabindex="0"><code>${text(example.request)}</code></pre>`, json(example.body)])
  ].join("\n")

const listBody = (base: string) => `<h1>Error types</h1>
<p>Every error is a problem document (RFC 9457). Its <code>type</code> is the path of one of these pages; programs read its <code>code</code>.</p>
<table aria-label="Error types"><tbody>
${Object.entries(explanations)
  .toSorted(([, one], [, other]) => one.status - other.status)
  .map(([code, { status, title }]) =>
    row(code, String(status), `<a href="${base}/problems/${code}">${text(title)}</a>`)
  )
  .join("\n")}
</tbody></table>`
