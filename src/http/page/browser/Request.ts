// Sends requests to the API and turns every result into data or a problem to show.
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

const isEnvelope = <Data>(body: unknown): body is { readonly data: Data; readonly meta: Meta } =>
  isObject(body) && "data" in body && isObject(body.data) && "meta" in body && isObject(body.meta)

const isProblem = (body: unknown): body is Problem => isObject(body) && "title" in body && "code" in body

const noResponse = (error: unknown): Problem =>
  error instanceof DOMException && error.name === "TimeoutError"
    ? { title: "No response", detail: "The server did not respond within 15 s." }
    : { title: "The server cannot be reached", detail: "It may be down, or your connection is." }

const problemOf = (body: unknown, response: Response): Problem => {
  const status: Figure = `${response.status}`
  const problem = isProblem(body)
    ? body
    : { title: "Unexpected response", detail: `HTTP status ${status}, without an answer of the API.`, status }
  const retryAfter = Number(response.headers.get("retry-after") ?? "none")
  return Number.isNaN(retryAfter) ? problem : { ...problem, retryAfter }
}

/** Requests a path of the API, relative to the page's base. Revalidates the browser's cache. */
export const ask = async <Data>(path: string): Promise<Result<Data>> => {
  let response: Response
  let text: string
  try {
    response = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT) })
    text = await response.text()
  } catch (error) {
    return { problem: noResponse(error) }
  }
  setServerTime(response.headers)
  let body: unknown
  try {
    body = parse(text)
  } catch {
    body = undefined
  }
  return response.ok && isEnvelope<Data>(body)
    ? { data: body.data, meta: body.meta }
    : { problem: problemOf(body, response) }
}
