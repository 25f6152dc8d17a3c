// Reads the API's answers, those in the document and those that the page asks for, and turns each into data or a problem to show.
import type { Figure, Meta, Problem, Result } from "./Answers.ts"
import { setServerTime } from "./Clock.ts"

/** Milliseconds. */
const TIMEOUT = 15_000

/** Parses JSON and leaves every number as its text. */
const parse = (json: string): unknown =>
  JSON.parse(
    json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`))
  )

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const isEnvelope = (body: unknown): body is { readonly data: unknown; readonly meta: Meta } =>
  isObject(body) && "data" in body && isObject(body.data) && "meta" in body && isObject(body.meta)

const isProblem = (body: unknown): body is Problem => isObject(body) && "title" in body && "code" in body

type Results = ReadonlyMap<string, Result<unknown>>

interface Sent {
  readonly now: Figure
  readonly answers: Readonly<
    Record<string, { readonly status: Figure; readonly retryAfter?: Figure; readonly body: unknown }>
  >
}

const isSent = (body: unknown): body is Sent => isObject(body) && "now" in body && "answers" in body

const resultOf = ({ body, retryAfter, status }: Sent["answers"][string]): Result<unknown> => {
  if (status === "200" && isEnvelope(body)) return { data: body.data, meta: body.meta }
  const problem = isProblem(body) ? body : { title: "Unexpected response", status }
  return { problem: retryAfter === undefined ? problem : { ...problem, retryAfter: Number(retryAfter) } }
}

const resultsOf = (body: unknown): Results | undefined => {
  if (!isSent(body)) return undefined
  setServerTime(Number(body.now))
  return new Map(Object.entries(body.answers).map(([path, answer]) => [path, resultOf(answer)]))
}

/** The answers in the document, by path. */
export const firstResults = (): Results =>
  resultsOf(parse(document.querySelector("#answers")?.textContent ?? "null")) ?? new Map()

const noResponse = (error: unknown): Problem =>
  error instanceof DOMException && error.name === "TimeoutError"
    ? { title: "The server does not respond", detail: "It said nothing for 15 s." }
    : { title: "The server cannot be reached", detail: "It may be down, or your connection is." }

const problemOf = (body: unknown, response: Response): Problem => {
  const problem = isProblem(body) ? body : { title: "Unexpected response", detail: `HTTP status ${response.status}.` }
  const retryAfter = Number(response.headers.get("retry-after") ?? "none")
  return Number.isNaN(retryAfter) ? problem : { ...problem, retryAfter }
}

/** Asks for the answers of several paths of the API, relative to the page's base, in one request. */
export const ask = async (paths: ReadonlyArray<string>): Promise<Results | Problem> => {
  let response: Response
  let text: string
  try {
    const query = new URLSearchParams({ paths: paths.join(" ") })
    response = await fetch(`page/answers?${query}`, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT) })
    text = await response.text()
  } catch (error) {
    return noResponse(error)
  }
  let body: unknown
  try {
    body = parse(text)
  } catch {
    body = undefined
  }
  return (response.ok ? resultsOf(body) : undefined) ?? problemOf(body, response)
}
