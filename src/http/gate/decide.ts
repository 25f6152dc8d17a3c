// What happens to a request that is counted: 404 for an unknown path, 405, 400 with all faults of its parameters, a cached response,
// or a miss. Requests over HTTP and calls of tools are decided here alike.
import { rememberOf } from "../../domain/rememberEach.ts"
import { isFaulty, type Question, questionOf } from "../request/Question.ts"
import type { ParsedPath } from "../request/ParsedPath.ts"
import { takes } from "../request/Routes.ts"
import { prefersCsv } from "../request/weightsOf.ts"
import { type CountedRequest, headerText, isRead } from "../response/CountedRequest.ts"
import * as Problem from "../response/Problem.ts"
import type { RawResponse } from "../response/RawResponse.ts"
import { rawProblem, type Responses } from "../response/Responses.ts"

/** A response, or on a miss what the request asks for. */
export type Decision = RawResponse | Question

export const isMiss = (decision: Decision): decision is Question => "url" in decision

export const decide = (
  { cached }: Pick<Responses["Service"], "cached">,
  request: CountedRequest
): Decision | Promise<Decision> => {
  const asked = questionFor(request)
  if ("code" in asked) return rawProblem(request, asked)
  const response = cached(request, asked)
  return response instanceof Promise ? response.then((later) => later ?? asked) : (response ?? asked)
}

const questionFor = (request: CountedRequest): Question | Problem.ProblemDetails => {
  const { headers, method, parsed, query } = request
  const { isDecodable, route } = parsed
  if (!isDecodable && isRead(request)) {
    return Problem.invalid([{ parameter: "path", detail: "must be percent-encoded UTF-8" }])
  }
  if (route !== undefined && !takes(route, method)) return Problem.methodNotAllowed(method, route.allow)
  const accept = headerText(headers["accept"])
  const wantsCsv = accept !== undefined && route?.parameters.has("format") === true && prefersCsv(accept)
  return query === "" && !wantsCsv ? plainQuestionOf(parsed) : questionIn(parsed, query, wantsCsv)
}

const questionIn = (parsed: ParsedPath, query: string, wantsCsv: boolean): Question | Problem.ProblemDetails => {
  const { dialect, path, route } = parsed
  if (route === undefined) {
    const detail = dialect.unserved?.(path)
    return detail === undefined ? Problem.unknownPath(parsed) : { code: "not_found", kind: "unserved", detail }
  }
  const asked = questionOf(parsed, route, query, wantsCsv)
  return isFaulty(asked) ? Problem.invalidParameters(asked) : asked
}

/** Read once for a remembered path without a query. */
const plainQuestionOf = rememberOf((parsed: ParsedPath) => questionIn(parsed, "", false))
