// Problem documents, RFC 9457. Every problem that the service sends is written here, with the request's id as its
// `instance`: by handlers and the gate where they refuse, and in `complete` for errors without a body, which are unknown
// paths, refused methods and defects.
import { Effect } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { explanations, type InvalidParameter, type ProblemCode } from "../../api/Problems.ts"
import { linked } from "../documents/DocumentLinks.ts"
import * as Paths from "../Paths.ts"
import * as RawResponse from "./RawResponse.ts"
import * as RequestId from "./RequestId.ts"

export const PROBLEM = "application/problem+json"

/** Error bodies that are sent as they are: problems, health checks, JSON-RPC. */
const finished: ReadonlySet<string | undefined> = new Set([PROBLEM, "application/health+json", "application/json"])

/** A problem without its instance. */
export interface Refusal {
  readonly code: ProblemCode
  readonly detail: string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly members?: object
}

/** The refusal of parameters, each with what is wrong with it. */
export const invalid = (errors: InvalidParameter["errors"]): Refusal => ({
  code: "invalid_parameter",
  detail: errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "),
  members: { errors }
})

export const textOf = (code: ProblemCode, detail: string, instance: string, members?: object): string => {
  const { status, title } = explanations[code]
  return JSON.stringify({ type: `/problems/${code}`, title, status, detail, code, ...members, instance })
}

export const problem = (
  { code, detail, headers, members }: Refusal,
  instance: string
): HttpServerResponse.HttpServerResponse => {
  const body = HttpBody.text(textOf(code, detail, instance, members), PROBLEM)
  return RawResponse.make(
    explanations[code].status,
    { "content-type": PROBLEM, "content-length": String(body.contentLength), ...headers },
    body
  )
}

/**
 * The problem as the response to the request at hand. It is a success and not the error that the endpoint declares,
 * because an error with a stack trace costs as much as the rest of the response.
 */
export const refuse = (refusal: Refusal) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => problem(refusal, RequestId.of(request) ?? ""))

export const unknownPath: Refusal = {
  code: "not_found",
  detail: "No such path. The paths that exist are listed in /openapi.json.",
  headers: linked
}

/** The response, or the problem that stands for an error without a body. */
export const complete = (
  id: string,
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400) return response
  if (response.body._tag === "Uint8Array" && finished.has(response.body.contentType)) return response
  if (response.status === 404 && !Paths.takes(request.method, request.url) && Paths.exists(request.url)) {
    const allow = Paths.allowed(request.url)
    const detail = `This path does not accept ${request.method}.`
    return problem({ code: "method_not_allowed", detail, headers: { allow } }, id)
  }
  if (response.status === 404) return problem(unknownPath, id)
  const detail = "An internal error. The operator finds its cause in the log under this instance."
  return problem({ code: "internal", detail }, id)
}
