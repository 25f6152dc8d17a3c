// `/problems/{code}`: what a problem means and what to do about it, for whoever follows the `type` of one; `/problems` lists them.
// Each page is made when it is first asked for.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { explanations } from "../../api/Problems.ts"
import { type Example, examples } from "./ApiDocument.ts"
import { json, page, prose, text } from "./Html.ts"
import { linked } from "./DocumentLinks.ts"
import * as Paths from "../Paths.ts"

/** Serves a page for each problem, and one that lists them. */
export const ProblemPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const pages = yield* Effect.cached(
      Effect.map(
        examples,
        ({ problems }) =>
          new Map(Object.keys(explanations).map((code) => [code, respond(problemPage(code, problems[code]))]))
      )
    )
    const one = Effect.flatMap(HttpRouter.params, ({ code = "" }) =>
      Effect.map(pages, (known) => known.get(code) ?? HttpServerResponse.empty({ status: 404 }))
    )
    yield* router.add("GET", Paths.documents.problem, one)
    yield* router.add("GET", Paths.documents.problems, yield* Effect.cached(Effect.sync(() => respond(listPage()))))
  })
)

const respond = ({ html, policy }: { readonly html: string; readonly policy: string }) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { ...linked, "content-security-policy": policy, "referrer-policy": "no-referrer" }
  })

const around = (title: string, body: string) =>
  page({
    title,
    body: `<main class="narrow">
${body}
<p class="soft"><a href="/problems">All problems</a>, <a href="/docs">documentation</a></p>
</main>`
  })

const problemPage = (code: string, example: Example | undefined) => {
  const { remedy = "", status = 500, text: meaning = "", title = code } = explanations[code] ?? {}
  return around(
    `${title} (${code})`,
    `<h1>${text(title)}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p>${prose(meaning)}</p>
<h2>What to do</h2>
<p>${prose(remedy)}</p>
${example === undefined ? "" : shown(example)}`
  )
}

const shown = ({ body, request }: Example): string => `<h2>Such as</h2>
<pre tabindex="0"><code>${text(request)}</code></pre>
${json(body)}`

const listPage = () =>
  around(
    "Problems",
    `<h1>Problems</h1>
<p>Every error is a problem document (RFC 9457). Its <code>type</code> is one of these pages, its <code>code</code> the name for programs.</p>
<table><tbody>
${Object.entries(explanations)
  .map(
    ([code, { status, title }]) =>
      `<tr><th scope="row"><a href="/problems/${code}"><code>${code}</code></a></th><td>${status}</td><td>${text(title)}</td></tr>`
  )
  .join("\n")}
</tbody></table>`
  )
