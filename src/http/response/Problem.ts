// Problems, as RFC 9457 or in the dialect of the path. Health checks and MCP's transport write errors of their own formats; every other
// error is written here (`test/http/Problems.test.ts`).
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { ownDialect, type ProblemKind } from "../../api/Dialect.ts"
import {
  explanations,
  failedWith,
  type Failure,
  type InvalidParameter,
  type ProblemClasses,
  type ProblemCode
} from "../../api/Problems.ts"
import { asciiLower } from "../../domain/asciiCase.ts"
import type { ParsedPath } from "../request/ParsedPath.ts"
import type { Faults } from "../request/faults.ts"
import { CurrentRequest, type RequestContext } from "../request/CurrentRequest.ts"
import { compatBases, routeOf } from "../request/Routes.ts"
import { type Headers, linked } from "./Headers.ts"

/** The specific parts of a problem (RFC 9457). The parts that all problems of a code share are in `explanations`. */
interface Specific<Code extends ProblemCode = ProblemCode> {
  readonly code: Code
  readonly detail: string
  readonly headers?: Headers
  /** For dialects that say it in other words. */
  readonly kind?: ProblemKind | undefined
  readonly members?: object
}

/** Members of every problem. `write` writes them. */
const standard = ["type", "title", "status", "detail", "instance", "code"] as const

type Members<Code extends ProblemCode> = Code extends keyof ProblemClasses
  ? Omit<ProblemClasses[Code]["Encoded"], (typeof standard)[number]>
  : object

/** A problem with the members that the class of its code declares. */
export type ProblemDetails = {
  [Code in ProblemCode]: Specific<Code> &
    (object extends Members<Code> ? { readonly members?: never } : { readonly members: Members<Code> })
}[ProblemCode]

/** The body and its headers. `instance`: the id of the request, which also marks the cause of an internal error in the log. */
export const write = (
  { code, detail, headers, kind, members }: Specific,
  { base, dialect }: Pick<RequestContext, "base" | "dialect">,
  instance: string
) => {
  const { status: declared, title } = explanations[code]
  const problem = { type: `${base}/problems/${code}`, title, status: declared, detail, code, ...members, instance }
  const [status, body] = dialect.write(problem, base, kind)
  const text = JSON.stringify(body)
  const ofBody = { "content-type": dialect.contentType, "content-length": String(Buffer.byteLength(text)) }
  return { status, text, headers: { ...ofBody, ...headers } }
}

/** A 400 that lists each invalid parameter with its fault. */
export const invalid = (errors: InvalidParameter["errors"]): ProblemDetails => ({
  code: "invalid_parameter",
  detail: errors.map(({ detail, parameter }) => `${parameter} ${detail}`).join("; "),
  members: { errors }
})

export const invalidParameters = ({ details, kind }: Faults): ProblemDetails => ({
  ...invalid(Array.from(details, ([parameter, detail]) => ({ parameter, detail }))),
  kind
})

/** Longer paths get no suggestion. */
const LONGEST_REPEATED = 200

/** The compat paths that may be meant if a part of the base is missing. */
const compatMeant = (path: string): ReadonlyArray<string> => {
  const [, name = "", rest = ""] = /^(?:\/compat)?(\/[a-z]+)(?:\/api)?(?:\/v\d)?(\/.*)$/.exec(path) ?? []
  return compatBases.filter((base) => `${base}/`.startsWith(`/compat${name}/`)).map((base) => base + rest)
}

/** Corrects common mistakes in a path: doubled slashes, capitals, a missing or superfluous version or prefix. */
const pathMeant = (path: string): string | undefined => {
  if (path.length > LONGEST_REPEATED) return undefined
  const plain = asciiLower(path.replaceAll(/\/{2,}/g, "/"))
  const below = plain.replace(/^\/api(?=\/)/, "")
  // What the page does not have under a path of its own, the API does not have either.
  if (routeOf(path)?.isEndpoint === false) return undefined
  return [plain, below, `/v1${below}`, below.replace("/v1/v1/", "/v1/"), ...compatMeant(plain)].find(
    (one) => routeOf(one)?.isEndpoint === true
  )
}

/** 404, with links to the documents for programs that understand them. */
export const unknownPath = ({
  base,
  dialect,
  path
}: Pick<ParsedPath, "base" | "dialect" | "path">): ProblemDetails => ({
  code: "not_found",
  detail: `No such path.${didYouMean(base, pathMeant(path))} The paths that exist are listed in ${base}${dialect.document}.`,
  ...(dialect === ownDialect && { headers: linked })
})

const didYouMean = (base: string, path: string | undefined): string =>
  path === undefined ? "" : ` Did you mean ${base}${path}?`

export const methodNotAllowed = (method: string, allow: string): ProblemDetails => ({
  code: "method_not_allowed",
  detail: `This path accepts ${allow}, not ${method}.${allow.startsWith("POST") ? " It is for MCP clients." : ""}`,
  headers: { allow }
})

/** 500. The cause is logged, never sent. */
export const internal: ProblemDetails = {
  code: "internal",
  detail: "An internal error. The operator finds its cause in the log under this instance."
}

/** Content types of error bodies that are sent unchanged: problems, pages, health checks, JSON-RPC. */
const finished: ReadonlySet<string | undefined> = new Set([
  ownDialect.contentType,
  "text/html; charset=utf-8",
  "application/health+json",
  "application/json"
])

/** The problem that replaces an error without a body; `undefined` for other responses. */
export const standingFor = (
  { body, status }: HttpServerResponse.HttpServerResponse,
  parsed: Pick<ParsedPath, "base" | "dialect" | "path">
): ProblemDetails | undefined => {
  if (status < 400 || (body._tag === "Uint8Array" && finished.has(body.contentType))) return undefined
  return status === 404 ? unknownPath(parsed) : internal
}

/** A problem as the response to a request. The gate adds the headers that every response has. */
export const response = (refusal: Specific, request: Pick<RequestContext, "base" | "dialect" | "id">) => {
  const { headers, status, text } = write(refusal, request, request.id)
  return HttpServerResponse.text(text, { status, headers, contentType: request.dialect.contentType })
}

const standardNames: ReadonlySet<string> = new Set(standard)

const classes = Object.values(failedWith)

/** Whether it is a problem that a handler failed with. */
export const isFailure = (value: unknown): value is Failure => classes.some((one) => value instanceof one)

/** The response to the current request, which failed with this problem. */
export const failureResponse = (problem: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { code, detail = "" } = problem
  const names: ReadonlyArray<string> = Object.keys(failedWith[code].fields)
  const members = Object.entries(problem).filter(([name]) => names.includes(name) && !standardNames.has(name))
  const refusal: Specific = {
    code,
    detail,
    members: Object.fromEntries(members),
    ...("retryAfter" in problem &&
      problem.retryAfter !== undefined && { headers: { "retry-after": String(problem.retryAfter) } })
  }
  return Effect.map(CurrentRequest, (request) => response(refusal, request))
}
