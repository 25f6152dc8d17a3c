// Problems that nobody declared (no such path, wrong method, a defect) get their body here, and every problem gets its
// `instance`: the request's id.
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { explanations } from "../../api/Problems.ts"
import { linked } from "../documents/DocumentLinks.ts"
import * as Paths from "../Paths.ts"
import * as RawResponse from "./RawResponse.ts"

const PROBLEM = "application/problem+json"

/** Failures that are told in a format of their own: of health checks, and of JSON-RPC. */
const own: ReadonlySet<string | undefined> = new Set(["application/health+json", "application/json"])

/** The response as it is sent: empty errors described, problems marked with the request's id. */
export const complete = (
  id: string,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400) return response
  const { body } = response
  if (body._tag === "Uint8Array" && own.has(body.contentType)) return response
  if (body._tag === "Uint8Array" && body.contentType === PROBLEM && body.text !== undefined) {
    if (body.text.endsWith(`"instance":${JSON.stringify(id)}}`)) return response
    return HttpServerResponse.setBody(response, HttpBody.text(marked(body.text, id), PROBLEM))
  }
  if (response.status === 404 && !Paths.takes(request.method, request.url) && Paths.exists(request.url)) {
    const allow = Paths.allowed(request.url)
    return problem("method_not_allowed", `${request.method} is not answered here.`, id, { allow })
  }
  if (response.status === 404) {
    return problem("not_found", "No such path. The paths that exist are listed in /openapi.json.", id, linked)
  }
  return problem("internal", "Something went wrong on our side. The operator finds the cause under this instance.", id)
}

const marked = (json: string, id: string): string => `${json.slice(0, -1)},"instance":${JSON.stringify(id)}}`

/** A problem that is no endpoint's own. `headers` beside those of its body, names in lower case; `more` members of its own. */
export const problem = (
  code: string,
  detail: string,
  instance: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {}
): HttpServerResponse.HttpServerResponse => {
  const { status = 500, title } = explanations[code] ?? {}
  const body = HttpBody.text(
    JSON.stringify({ type: `/problems/${code}`, title, status, detail, code, ...more, instance }),
    PROBLEM
  )
  const ofBody = { "content-type": PROBLEM, "content-length": String(body.contentLength) }
  return RawResponse.make(status, { ...ofBody, ...headers }, body)
}
