// Calls of tools: the arguments become the URL of the tool's endpoint, and its response becomes the result. Text and
// structured data are the body that HTTP would send, digit for digit. A problem is a result too, so that a model can read
// what is wrong.
import { Effect, Predicate } from "effect"
import { McpSchema } from "effect/ai"
import { RawJson } from "../domain/JsonNumber.ts"
import { ownDialect } from "../api/Dialect.ts"
import type { InvalidParameter } from "../api/Problems.ts"
import { plain } from "../domain/Decimal.ts"
import type * as InProcess from "../http/InProcess.ts"
import * as Paths from "../http/request/Paths.ts"
import { invalid, write } from "../http/response/Problem.ts"
import { CurrentRequest } from "../http/request/CurrentRequest.ts"
import type { Tool } from "./Tools.ts"
import type { Argument, ToolSchemas } from "./ToolSchemas.ts"

type Arguments = Readonly<Record<string, unknown>>

type Fault = InvalidParameter["errors"][number]

export const make =
  (endpoints: InProcess.Endpoints["Service"], tool: Tool, schemas: ToolSchemas) =>
  (given: Arguments): Effect.Effect<McpSchema.CallToolResult> => {
    const faults = [
      ...unknownArguments(schemas.parameters, given),
      ...schemas.parameters.flatMap((parameter) => faultOf(parameter, given))
    ]
    const answer =
      faults.length > 0
        ? Effect.map(CurrentRequest, ({ base, id }) => write(invalid(faults), { base, dialect: ownDialect }, id))
        : endpoints.get(urlOf(tool.path, schemas.parameters, given))
    return Effect.map(answer, result)
  }

/** An argument as text for a URL. Models also write `null` for an argument they leave out. */
const inWords = (value: unknown): string | undefined =>
  Predicate.isNumber(value) ? plain(value) : Predicate.isString(value) ? value : undefined

/** The most unknown arguments that a response names, and the most characters of each: a caller can send thousands. */
const MOST_NAMED = 5
const NAME_LENGTH = 40

/** Unknown arguments are refused, unlike in a URL: a misspelt one would give a wrong answer that looks right. */
const unknownArguments = (taken: ReadonlyArray<Argument>, given: Arguments): ReadonlyArray<Fault> => {
  const names = taken.map(({ name }) => name)
  const allowed = names.length === 0 ? "the tool has no arguments" : `the arguments are ${names.join(", ")}`
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .slice(0, MOST_NAMED)
    .map((name) => ({ parameter: name.slice(0, NAME_LENGTH), detail: `is unknown: ${allowed}` }))
}

/** Checks arguments that cannot be put into a URL. The endpoint checks all others. */
const faultOf = ({ in: place, name: parameter, rule }: Argument, given: Arguments): ReadonlyArray<Fault> => {
  const value = given[parameter] ?? undefined
  const written = inWords(value)
  const isMissing = value === undefined || written === ""
  if (isMissing && place === "query") return []
  if (!isMissing && written !== undefined && written.length <= Paths.routerConfig.maxParamLength) return []
  return [{ parameter, detail: `${isMissing ? "is required and " : ""}must be ${rule}` }]
}

const urlOf = (path: string, parameters: ReadonlyArray<Argument>, given: Arguments): string => {
  const query = new URLSearchParams()
  for (const { in: place, name } of parameters) {
    const written = inWords(given[name])
    if (place === "query" && written !== undefined) query.set(name, written)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent((inWords(given[name]) ?? "").toWellFormed())
  )
  return query.size === 0 ? filled : `${filled}?${query}`
}

const result = ({ status, text }: InProcess.TextResponse): McpSchema.CallToolResult => {
  const content = [{ type: "text" as const, text }]
  return status === 200
    ? new McpSchema.CallToolResult({ content, structuredContent: parsed(text) })
    : new McpSchema.CallToolResult({ content, isError: true })
}

/** Parses JSON and keeps the digits of its numbers: a double holds fewer than an amount may have. */
const parsed = (json: string): unknown =>
  JSON.parse(json, (_key, value: unknown, context?: { readonly source?: string }) =>
    Predicate.isNumber(value) && context?.source !== undefined ? RawJson.rawJSON(context.source) : value
  )
