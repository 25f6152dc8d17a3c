// `/problems/{code}`: what a problem means and what to do about it, for whoever follows the `type` of one.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { explanations } from "../api/Problems.ts"
import * as Paths from "./Paths.ts"

/** Serves a page for each problem. */
export const ProblemPages = HttpRouter.add(
  "GET",
  Paths.documents.problem,
  Effect.map(HttpRouter.params, ({ code = "" }) => {
    const explanation = Object.hasOwn(explanations, code) ? explanations[code] : undefined
    return explanation === undefined
      ? HttpServerResponse.empty({ status: 404 })
      : HttpServerResponse.text(page(code, explanation), { contentType: "text/html; charset=utf-8" })
  })
)

const page = (
  code: string,
  { status, text, title }: { readonly status: number; readonly title: string; readonly text: string }
) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} (${code})</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}</style>
</head>
<body>
<h1>${title}</h1>
<p><code>${code}</code>, HTTP status ${status}</p>
<p>${text.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
</body>
</html>
`
